// A lock between processes that make the same file of a cache (base/cache.h): one makes it, the others wait and find it
// made.
//
// Thread safety: each thread takes a lock of its own, and waits for the others like another process.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace vantage {

// Held by this object, and released with the process and the tools that it started, whatever ends them. Waits as long
// as another holds it. The file stays, empty.
class FileLock {
 public:
  // `tell`, if there is one, is told once when another holds the lock. Throws Error when the file cannot be made or
  // locked.
  explicit FileLock(const std::filesystem::path& path, const std::function<void(const std::string&)>& tell = {});
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  int fd_;
};

}  // namespace vantage
