#include "base/cache_seal.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <optional>

#include "base/cache.h"
#include "base/error.h"
#include "base/file_lock.h"
#include "base/replace_file.h"
#include "base/sha256.h"
#include "base/trusted_file.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

fs::path key_file(const fs::path& folder) {
  return folder / "seal-key";
}

// As text, in the form of a SHA-256.
std::optional<std::string> read_key(const fs::path& path) {
  try {
    std::string key = read_trusted_file(path, Bytes(64));
    if (is_sha256(key)) return key;
  } catch (const Error&) {
    // As if there were none.
  }
  return std::nullopt;
}

std::string new_key() {
  std::array<unsigned char, 32> random{};
  VANTAGE_CHECK(RAND_bytes(random.data(), random.size()) == 1);
  return sha256({reinterpret_cast<const char*>(random.data()), random.size()});
}

std::string seal_of(const std::string& key, std::string_view text) {
  std::array<unsigned char, 32> code{};
  unsigned int size = 0;
  VANTAGE_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                     reinterpret_cast<const unsigned char*>(text.data()), text.size(), code.data(), &size) != nullptr &&
                size == code.size());
  return hexadecimal(code);
}

}  // namespace

CacheSeal::CacheSeal(const fs::path& folder) {
  const fs::path path = key_file(folder);
  if (auto key = read_key(path)) {
    key_ = std::move(*key);
    return;
  }
  make_cache_folder(folder);
  const FileLock lock(fs::path(path) += ".lock");
  if (auto key = read_key(path)) {  // another process made it in the meantime
    key_ = std::move(*key);
    return;
  }
  key_ = new_key();
  FileCalls calls;
  replace_file(calls, path, key_, {.temporary = fs::path(path) += ".new", .mode = 0600, .to_disk = true});
}

bool CacheSeal::holds(const fs::path& folder, std::string_view text, std::string_view seal) {
  const auto key = read_key(key_file(folder));
  return key && seal_of(*key, text) == seal;
}

std::string CacheSeal::of(std::string_view text) const {
  return seal_of(key_, text);
}

}  // namespace vantage
