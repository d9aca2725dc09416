// An elementwise layer on a device, and what it gives by plain loops.
//
// Thread safety: as the device's.
#pragma once

#include <optional>
#include <random>
#include <string>

#include "base/tensor/tensor.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "workload/run_program.h"

namespace vantage::workload {

// Any integers of the width that a configuration takes operands in: int8 or int32.
Tensor random_elementwise_operand(const ops::Elementwise& layer, const isa::Config& config, std::mt19937_64& random);

struct ElementwiseRun {
  Tensor values;  // C
  driver::RunResult result;
  std::optional<Bundle> bundle;  // when recorded
};

// C by the layer's program. `b` is not looked at where the layer has one operand. Throws Error when the run does not
// end well.
ElementwiseRun run_elementwise(driver::Accelerator& device, const ops::Elementwise& layer, const Program& program,
                               const Tensor& a, const std::optional<Tensor>& b, bool record = false,
                               const driver::RunOptions& options = {});

// The same by plain loops, wrapping at the accumulator's width; of the same type.
Tensor elementwise_reference(const ops::Elementwise& layer, const isa::Config& config, const Tensor& a,
                             const std::optional<Tensor>& b);

// "first mismatch at value ...", empty when equal.
std::string first_value_difference(const Tensor& expected, const Tensor& got);

}  // namespace vantage::workload
