#include "base/cache.h"

#include <cstdlib>
#include <utility>

#include "base/error.h"

namespace vantage {

namespace fs = std::filesystem;

fs::path default_cache() {
  for (const auto& [variable, below] :
       {std::pair{"VANTAGE_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "vantage"}, {"HOME", ".cache/vantage"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return (fs::path(value) / below).lexically_normal();
  }
  fail("there is no folder to keep results in: set VANTAGE_CACHE_DIR");
}

void make_cache_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("{}: {}; set VANTAGE_CACHE_DIR to a folder to write to", folder.string(), error.message());
}

}  // namespace vantage
