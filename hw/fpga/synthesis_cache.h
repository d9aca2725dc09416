// Results of Yosys in the cache (base/cache.h), each in a file with the seal of who put it there.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "hw/fpga/synthesis.h"

namespace vantage::fpga {

// What the cache has under this name. Nothing when there is none, and, told to `tell`, when it is damaged, or was not
// put there by this cache's programs.
std::optional<Synthesis> kept_result(const std::filesystem::path& cache, const std::filesystem::path& path,
                                     const std::function<void(const std::string&)>& tell);

// Throws Error when it cannot be written.
void keep_result(const std::filesystem::path& cache, const std::filesystem::path& path, const Synthesis& result);

}  // namespace vantage::fpga
