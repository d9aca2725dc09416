// A workload on one target each.
#pragma once

#include <functional>

#include "cli/compare/row.h"
#include "cli/compare/workload.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "driver/baselines/library.h"
#include "driver/device/accelerator.h"
#include "driver/device/time_evaluator.h"

namespace vantage::cli {

struct Comparison {
  const CompareWorkload& workload;
  const Operands& operands;
  const Reference& expected;
};

// The same convolution, to a library.
driver::ConvProblem conv_problem(const ops::Conv2dShape& shape, DLDataType dtype);

// All throw Error when the target cannot do the workload. Accelerators multiply int8 alone.
CompareRow measure_on_accelerator(const Comparison& comparison, driver::Accelerator& device,
                                  const std::function<ops::Conv2dTiling(const ops::Conv2dShape&)>& tiling);
CompareRow measure_on_cpu(const Comparison& comparison, driver::Processor& cpu, const driver::TimeOptions& time);
// In float32 where the library does not have the workload's type.
CompareRow measure_on_library(const Comparison& comparison, driver::Library& library, const driver::TimeOptions& time);

}  // namespace vantage::cli
