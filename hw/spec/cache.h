// Where results that take long to make are kept between runs.
#pragma once

#include <filesystem>

namespace vantage {

// $VANTAGE_CACHE_DIR, or vantage in $XDG_CACHE_HOME or in ~/.cache. Throws Error when none of them is set.
std::filesystem::path default_cache();

}  // namespace vantage
