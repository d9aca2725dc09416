// What is bound on a GPU, one after another, as one binding.
//
// Thread safety: a function without state.
#pragma once

#include <vector>

#include "driver/cuda/recovering_gpu.h"

namespace vantage::driver {

// Those that do not touch what another one writes need not wait for each other. It reads what none of them has written
// before, and writes what they write. Binds the calls that are bound by then, which they are once RecoveringGpu::bind()
// had each of them: `calls` must outlive it, and so bound.
RecoveringGpu::Binding join(const std::vector<RecoveringGpu::Binding*>& calls);

}  // namespace vantage::driver
