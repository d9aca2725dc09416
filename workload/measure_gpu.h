// A workload on a GPU, by the compiler and by NVIDIA's libraries.
//
// Thread safety: one measurement at a time on a device; others disturb its time.
#pragma once

#include <functional>
#include <string>

#include "compiler/backend/cuda/architecture.h"
#include "compiler/ir/prim_func.h"
#include "driver/cuda/gpu_library.h"
#include "workload/measure.h"

namespace vantage::workload {

// What the compiler makes for such a GPU: a product of matrices [m, k] and [k, n] to [m, n], or a convolution of images
// [n][c][h][w] with weights [h][w][i][o] to [n][o][h][w], by the schedule that ops::schedule_for_gpu makes. Bytes give
// int32, and floats, which are summed in float32, the same floats.
ir::PrimFunc scheduled_for_gpu(const Workload& workload, const cuda::Architecture& architecture);

// From such a function to what runs on GPUs of an architecture ("sm_90a").
using GpuCompiler = std::function<native::GpuProgram(const ir::PrimFunc& scheduled, const std::string& architecture)>;

// Both throw Error when the target cannot do the workload.
Measurement measure_on_gpu(const Comparison& comparison, driver::Cuda& gpu, const driver::TimeOptions& time,
                           const GpuCompiler& compiler);
// In float32 where the library does not have the workload's type. Operands lie as the library likes them best.
Measurement measure_on_gpu_library(const Comparison& comparison, driver::GpuLibrary& library,
                                   const driver::TimeOptions& time);

}  // namespace vantage::workload
