// Shared libraries that were checked as bytes and are loaded as exactly these bytes.
#pragma once

#include <string>
#include <string_view>

namespace vantage {

// A loaded library. It stays so until the process ends.
class SharedLibrary {
 public:
  // Loads what `bytes` hold from memory that nobody can change, whatever happens to the file that they came from. The
  // same bytes are loaded once in a process. `sha256` is theirs, and `name` begins messages. Throws Error with what the
  // system says. REQUIRES: the bytes are trusted, since loading runs code and a damaged library may end the process.
  static SharedLibrary load(std::string_view bytes, const std::string& sha256, const std::string& name);

  // What it exports under this name; null when there is no such thing.
  void* symbol(const std::string& name) const;

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace vantage
