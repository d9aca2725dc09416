#include "base/shared_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/file.h"
#include "base/replace_file.h"

namespace vantage {

namespace {

// What a process has loaded is one list in the system's loader, which knows libraries by the paths that they came from.
// These have none, so they are known by their hash. Their files stay open: the loader would take the next file that
// gets the same number for a library that it has.
struct LoadedLibraries {
  std::mutex mutex;
  std::map<std::string, void*> by_hash;
};

LoadedLibraries& loaded_libraries() {
  static LoadedLibraries libraries;
  return libraries;
}

// A file in memory that nobody can change any more.
OpenFile sealed_copy(std::string_view bytes, const std::string& name) {
  const std::string label = std::filesystem::path(name).filename().string().substr(0, 200);
  OpenFile file(::memfd_create(label.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() < 0) fail("{}: cannot be loaded: no memory for a copy: {}", name, std::strerror(errno));
  FileCalls calls;
  write_all(calls, file.get(), name, bytes);
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    fail("{}: cannot be loaded: its copy cannot be sealed: {}", name, std::strerror(errno));
  }
  return file;
}

}  // namespace

SharedLibrary SharedLibrary::load(std::string_view bytes, const std::string& sha256, const std::string& name) {
  LoadedLibraries& libraries = loaded_libraries();
  const std::lock_guard lock(libraries.mutex);
  if (const auto known = libraries.by_hash.find(sha256); known != libraries.by_hash.end()) {
    return SharedLibrary(known->second);
  }
  OpenFile file = sealed_copy(bytes, name);
  void* const handle = ::dlopen(fmt::format("/proc/self/fd/{}", file.get()).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) fail("{}: cannot be loaded: {}", name, ::dlerror());
  file.release();
  libraries.by_hash.emplace(sha256, handle);
  return SharedLibrary(handle);
}

void* SharedLibrary::symbol(const std::string& name) const {
  return ::dlsym(handle_, name.c_str());
}

}  // namespace vantage
