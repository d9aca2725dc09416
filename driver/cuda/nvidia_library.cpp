#include "driver/cuda/nvidia_library.h"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace vantage::driver {

NvidiaLibrary::NvidiaLibrary(const NvidiaLibraryNames& names, const std::string& file)
    : name_(names.name), oldest_(names.oldest) {
  const std::vector<std::string> files = file.empty() ? names.files : std::vector{file};
  for (const std::string& candidate : files) {
    library_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    file_ = candidate;
    if (library_ != nullptr) return;
  }
  fail(
      "{} is not here: {}. Looked for was {}. It comes with {}, and with the Python package {}, whose folder with the "
      "library then goes into LD_LIBRARY_PATH (docs/cuda.md)",
      name_, dlerror(), fmt::join(files, ", "), names.source, names.package);
}

void* NvidiaLibrary::symbol(const char* name) const {
  void* found = dlsym(library_, name);
  if (found == nullptr) fail("{}: {} has no {}: it is older than {}; install a newer one", name_, file_, name, oldest_);
  return found;
}

}  // namespace vantage::driver
