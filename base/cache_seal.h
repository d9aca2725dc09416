// What tells that something in a cache was put there by this user's own programs: a seal, which only who has the
// cache's key can make. A file that merely lies in the cache, or was copied there from elsewhere, has none.
//
// Thread safety: const access from any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vantage {

class CacheSeal {
 public:
  // Reads the key of a cache, or of a folder in it, which is made when there is none, or none that this user's programs
  // may have made; then no earlier seal holds any longer. Throws Error.
  explicit CacheSeal(const std::filesystem::path& folder);

  // Whether this is the seal of a text. Without a key, which is not made, nothing has one.
  static bool holds(const std::filesystem::path& folder, std::string_view text, std::string_view seal);

  // The seal of a text: its HMAC-SHA-256, as 64 lower-case hexadecimal digits.
  std::string of(std::string_view text) const;

 private:
  std::string key_;
};

}  // namespace vantage
