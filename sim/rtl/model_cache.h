// Models in the cache: each library with a note beside it that says what it must be. A library is code that runs as
// this user, so nothing is loaded that was not put there by this user's programs and is not whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/rtl/model_library.h"

namespace vantage::sim {

// Loads the model at `path`. It is read once, and what was read is compared with the note and then loaded. Throws Error
// that says what is wrong: something is missing, damaged, or not what a build of this cache made.
RtlLibrary load_kept_model(const std::filesystem::path& cache, const std::filesystem::path& path);

// Puts a model into the cache, with its note. Throws Error.
void keep_model(const std::filesystem::path& cache, const std::filesystem::path& path, std::string_view bytes);

}  // namespace vantage::sim
