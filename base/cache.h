// Where results that take long to make are kept between runs.
#pragma once

#include <filesystem>

namespace vantage {

// $VANTAGE_CACHE_DIR, or vantage in $XDG_CACHE_HOME or in ~/.cache. Throws Error when none of them is set.
std::filesystem::path default_cache();

// Makes a folder of the cache, unless there is one. Throws Error, naming VANTAGE_CACHE_DIR, when that cannot be done.
void make_cache_folder(const std::filesystem::path& folder);

}  // namespace vantage
