// What a GPU can do at best: what it is made for (compiler/backend/cuda/peak.h), at its highest clocks, which it may
// not keep up.
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
