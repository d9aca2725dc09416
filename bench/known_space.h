// How soon searches find the best designs of a space that is wholly measured.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/targets.h"

namespace vantage::bench {

// The median of 20 seeds, evolution against random search. Throws Error where a result is wrong.
std::vector<Target> search_targets(const std::filesystem::path& folder);

}  // namespace vantage::bench
