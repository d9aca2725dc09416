// Compiled functions as shared libraries, for this machine or another one that runs Linux.
#pragma once

#include <filesystem>

#include "compiler/backend/cpu/object.h"
#include "native/library.h"

namespace vantage::cpu {

// Of what compile_object made for this target. Another machine's is linked by LLD alone, which needs nothing of that
// machine: what the code calls of the C library, or of the compiler's, the process that loads it must have. Throws
// Error without a linker, and for targets without Linux.
native::LibraryImage link_library(const Object& object, const Target& target);

// Writes a folder that native::load_library reads: it appears complete or not at all. Nothing is kept between runs. Of
// Options::externals it keeps the names and types of those that are called; load_library is given the functions. Throws
// Error when it cannot be written, when it exists, or like compile_object and link_library.
void save_library(const std::vector<ir::PrimFunc>& scheduled, const std::filesystem::path& folder,
                  const Target& target = host_target(), const Options& options = {});

}  // namespace vantage::cpu
