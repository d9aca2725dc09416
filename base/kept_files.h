// Results that take long to make, kept between runs: files in a folder of the cache (base/cache.h), each under the
// SHA-256 of all that it was made of (kept_key).
//
// Thread safety: any thread may call anything, and processes may share a folder.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace vantage {

// Of these parts in this order: no two lists have the same one.
std::string kept_key(const std::vector<std::string_view>& parts);

class KeptFiles {
 public:
  // `format` says what the files hold, and how: another one finds nothing of this one's. When all files together have
  // more than `most` bytes, as far as a process knows, those go that were used the longest ago, until a quarter of it
  // is free.
  KeptFiles(std::filesystem::path folder, std::string format, Bytes most = Bytes(uint64_t{1} << 30));

  // What is kept under the key, if it bears the seal of this cache (base/cache_seal.h). What cannot be read is as if it
  // were not there.
  std::optional<std::string> find(const std::string& key) const;

  // Keeps it, if the folder can, and it is no more than a quarter of what there is room for.
  void keep(const std::string& key, std::string_view text);

 private:
  // The key is part of it: what lies in another's place is another's.
  std::string sealed(const std::string& key, std::string_view text) const;
  void make_room(uint64_t more);

  const std::filesystem::path folder_;
  const std::string format_;
  const uint64_t most_;
  std::mutex mutex_;
  uint64_t bytes_ = 0, unseen_ = 0;  // of all files when they were looked at, and of those that came since from here
  bool looked_ = false;
};

}  // namespace vantage
