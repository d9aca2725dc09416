// Making a file of a cache (base/cache.h), which takes long and which one process at a time does.
//
// Thread safety: each thread takes one of its own, and waits for the others like another process.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/file_lock.h"
#include "base/signals.h"

namespace vantage {

class CacheWork {
 public:
  // Makes the folder that `file` is to lie in, and waits until nobody else makes that file: then it may be there.
  // `tell` as for FileLock. Throws Error.
  CacheWork(std::filesystem::path file, const std::function<void(const std::string&)>& tell);
  CacheWork(const CacheWork&) = delete;
  CacheWork& operator=(const CacheWork&) = delete;
  ~CacheWork();

  // A folder beside the file for what is made on the way, empty: what a process that was killed left there goes. It is
  // removed with this object, or when a signal ends the program. Throws Error.
  std::filesystem::path new_folder();
  // Removes it earlier: before the file has its name, or nobody would come again who removes what a process leaves that
  // is killed in between.
  void remove_folder();

 private:
  std::filesystem::path folder_;
  FileLock lock_;
  std::optional<RemovedOnSignal> removed_on_signal_;
};

}  // namespace vantage
