// Compiled functions kept in files, for this machine or others of its kind.
#pragma once

#include <filesystem>

#include "compiler/backend/cpu/object.h"

namespace vantage::cpu {

// Writes a folder that native::load_library reads: it appears complete or not at all. Of Options::externals it keeps
// the names and types of those that are called; load_library is given the functions. Throws Error when it cannot be
// written, when it exists, when the target is not of this machine's kind (there is no linker for it; compile_object
// makes objects for all), or like compile_object.
void save_library(const std::vector<ir::PrimFunc>& scheduled, const std::filesystem::path& folder,
                  const Target& target = host_target(), const Options& options = {});

}  // namespace vantage::cpu
