#include "base/kept_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/cache.h"
#include "base/cache_seal.h"
#include "base/error.h"
#include "base/file.h"
#include "base/replace_file.h"
#include "base/sha256.h"
#include "base/trusted_file.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

constexpr size_t kKeyLength = 64;

struct File {
  fs::path path;
  uint64_t bytes = 0;
  fs::file_time_type used;
};

// Those whose names begin with keys, so that what was being written when a process was killed goes as well; what
// another process takes away meanwhile is none.
std::vector<File> files_of(const fs::path& folder) {
  std::vector<File> files;
  std::error_code gone;
  for (fs::directory_iterator entry(folder, gone), end; !gone && entry != end; entry.increment(gone)) {
    if (!is_sha256(entry->path().filename().string().substr(0, kKeyLength))) continue;
    std::error_code no_size, no_time;
    File file{entry->path(), entry->file_size(no_size), entry->last_write_time(no_time)};
    if (!no_size && !no_time) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::string kept_key(const std::vector<std::string_view>& parts) {
  Sha256 hash;
  for (const std::string_view part : parts) {
    hash.update(fmt::format("{}:", part.size()));
    hash.update(part);
  }
  return hash.hex();
}

KeptFiles::KeptFiles(fs::path folder, std::string format, Bytes most)
    : folder_(std::move(folder)), format_(std::move(format)), most_(most.count()) {}

std::string KeptFiles::sealed(const std::string& key, std::string_view text) const {
  return fmt::format("{} {}\n{}", format_, key, text);
}

std::optional<std::string> KeptFiles::find(const std::string& key) const {
  const fs::path file = folder_ / key;
  std::error_code none;
  if (!fs::exists(file, none)) return std::nullopt;
  try {
    const std::string bytes = read_trusted_file(file, Bytes(most_));
    const size_t line = std::min(bytes.find('\n'), bytes.size());
    std::string text = bytes.substr(std::min(line + 1, bytes.size()));
    if (!CacheSeal::holds(folder_, sealed(key, text), bytes.substr(0, line))) return std::nullopt;
    fs::last_write_time(file, fs::file_time_type::clock::now(), none);
    return text;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void KeptFiles::keep(const std::string& key, std::string_view text) {
  try {
    make_cache_folder(folder_);
    const fs::path file = folder_ / key;
    const std::string bytes = fmt::format("{}\n{}", CacheSeal(folder_).of(sealed(key, text)), text);
    if (bytes.size() > most_ / 4) return;
    make_room(bytes.size());
    FileCalls calls;
    replace_file(calls, file, bytes, {.temporary = unused_name_beside(file), .mode = 0600, .exact_mode = true});
  } catch (const Error&) {
    // It is made anew the next time.
  }
}

void KeptFiles::make_room(uint64_t more) {
  const std::lock_guard lock(mutex_);
  unseen_ += more;
  // Other processes may have added as much.
  if (looked_ && unseen_ <= most_ / 16 && bytes_ + unseen_ <= most_) return;
  std::vector<File> files = files_of(folder_);
  looked_ = true;
  unseen_ = 0;
  bytes_ = more;
  for (const File& file : files) bytes_ += file.bytes;
  if (bytes_ <= most_) return;
  std::ranges::sort(files, {}, &File::used);
  for (const File& file : files) {
    if (bytes_ <= most_ / 4 * 3) break;
    std::error_code none;
    if (fs::remove(file.path, none)) bytes_ -= file.bytes;
  }
}

}  // namespace vantage
