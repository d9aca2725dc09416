// What a GPU can do at best: what it is made for, at its highest clocks, which it may not keep up.
//
// Sources: for float32 the table "Throughput of Native Arithmetic Instructions" of NVIDIA's CUDA C++ Programming Guide;
// for float16, bfloat16 and int8, on tensor cores, NVIDIA's white papers on the Turing, A100, GA102, Ada and H100
// architectures, whose numbers are without sparsity.
//
// Thread safety: a function without state.
#pragma once

#include <optional>

#include "driver/cuda/gpu.h"
#include "workload/roofline.h"

namespace vantage::workload {

// With operands of this type. Nothing where the driver does not tell clocks, and for a type or a generation that is not
// known.
std::optional<Roofline> gpu_roofline(const driver::GpuInfo& info, DType dtype);

}  // namespace vantage::workload
