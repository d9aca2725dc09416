// Machine code of networks' functions for this machine's processor, kept between runs: LLVM takes longer for it than
// all else of a small network.
//
// Thread safety: functions without state but the cache's files.
#pragma once

#include <memory>
#include <vector>

#include "compiler/backend/cpu/jit.h"

namespace vantage::workload {

// In the folder `cpu-code` of the cache (base/cache.h); null where there is no cache.
std::shared_ptr<KeptFiles> kept_processor_code();

// cpu::jit for this processor, with what is kept.
std::vector<native::Function> processor_code(const std::vector<ir::PrimFunc>& scheduled);

}  // namespace vantage::workload
