#include "driver/rpc/server/content_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/cache.h"
#include "base/file.h"
#include "driver/rpc/protocol/errors.h"

namespace vantage::rpc {

namespace fs = std::filesystem;

namespace {

constexpr size_t kPiece = size_t{1} << 20;

void require_hash(const std::string& sha256) {
  if (is_sha256(sha256)) return;
  fail("a content is named by its SHA-256, 64 lower-case hexadecimal digits, not by '{}'", sha256.substr(0, 80));
}

// Callers learn neither where the server keeps contents nor what its disk says.
[[noreturn]] void disk_failed(const fs::path& path, const char* what, const std::error_code& error) {
  throw ServerError("the server could not keep the content",
                    fmt::format("{}: cannot be {}: {}", path.string(), what, error.message()));
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

void write_all(const OpenFile& file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) disk_failed(path, "written", last_error());
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

// None where there is no file, or something that is none, such as a link that another user put there.
std::optional<uint64_t> size_of(const fs::path& path) {
  std::error_code error;
  if (fs::symlink_status(path, error).type() != fs::file_type::regular) return std::nullopt;
  const uint64_t size = fs::file_size(path, error);
  return error ? std::nullopt : std::optional(size);
}

// How much was read: less than the piece only at the file's end.
size_t read_piece(const OpenFile& file, std::span<std::byte> piece, const fs::path& path) {
  size_t filled = 0;
  while (filled < piece.size()) {
    const ssize_t size = ::read(file.get(), piece.data() + filled, piece.size() - filled);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) disk_failed(path, "read", last_error());
    if (size == 0) break;
    filled += static_cast<size_t>(size);
  }
  return filled;
}

}  // namespace

ContentStore::ContentStore(fs::path folder, Bytes limit) : folder_(std::move(folder)), limit_(limit.count()) {
  make_cache_folder(folder_);
}

fs::path ContentStore::path_of(const std::string& sha256, bool complete) const {
  return folder_ / (complete ? sha256 : sha256 + ".part");
}

ContentStore::Status ContentStore::find(const std::string& sha256, uint64_t size) const {
  require_hash(sha256);
  // One of another size is damaged, or the caller is wrong about it: then its upload will not have the hash.
  if (size_of(path_of(sha256, true)) == size) return {size, true};
  const uint64_t received = size_of(path_of(sha256, false)).value_or(0);
  return {received > size ? 0 : received, false};
}

ContentStore::Upload ContentStore::put(const std::string& sha256, uint64_t size, uint64_t offset) {
  require_hash(sha256);
  if (size > limit_) fail("the content has {} bytes, the store is for {}", size, limit_);
  {
    const std::lock_guard lock(mutex_);
    if (uploading_.count(sha256) != 0) fail("another upload of {} is under way; wait for it", sha256);
    uint64_t announced = 0;
    for (const auto& [name, upload] : uploading_) announced += upload.size;
    if (size > limit_ - announced) {
      fail("the store's {} bytes are full of uploads that are under way; try again later", limit_);
    }
    uploading_.emplace(sha256, Announced{size, 0});
  }
  try {
    const Status status = find(sha256, size);
    if (status.complete) fail("the content {} is there already", sha256);
    if (offset > size || (offset != status.received && offset != 0)) {
      fail("the upload of {} goes on at byte {}, expected {} or 0", sha256, offset, status.received);
    }
    return {*this, sha256, size, offset};
  } catch (...) {
    const std::lock_guard lock(mutex_);
    uploading_.erase(sha256);
    throw;
  }
}

void ContentStore::make_room(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  struct File {
    fs::file_time_type used;
    fs::path path;
    uint64_t size;
  };
  std::vector<File> files;
  uint64_t total = bytes;
  for (const auto& [name, upload] : uploading_) total += upload.received;
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; entry != end; entry.increment(failed)) {
    std::error_code error;
    const std::string name = entry->path().stem().string();
    const bool is_file = entry->symlink_status(error).type() == fs::file_type::regular;
    const File file{entry->last_write_time(error), entry->path(), is_file ? entry->file_size(error) : 0};
    if (error || !is_sha256(name) || uploading_.count(name) != 0) continue;
    total += file.size;
    files.push_back(file);
  }
  if (failed) disk_failed(folder_, "read", failed);
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= limit_) return;
    std::error_code error;
    fs::remove(file.path, error);
    total -= file.size;
  }
}

void ContentStore::read(const std::string& sha256, const std::function<void(std::span<const std::byte>)>& take) {
  require_hash(sha256);
  const fs::path path = path_of(sha256, true);
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file.get() < 0 && errno != ENOENT) disk_failed(path, "read", last_error());
  if (file.get() < 0) fail("there is no content {}; send it first", sha256);
  std::error_code ignored;  // how long it was unused is all that this says
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  Sha256 hash;
  std::vector<std::byte> buffer(kPiece);
  while (const size_t size = read_piece(file, buffer, path)) {
    const auto piece = std::span(buffer).first(size);
    hash.update(as_text(piece));
    take(piece);
  }
  if (hash.hex() == sha256) return;
  fs::remove(path, ignored);
  fail("the content {} was damaged where the server keeps it, and is removed; send it again", sha256);
}

ContentStore::Upload::Upload(ContentStore& store, std::string sha256, uint64_t size, uint64_t offset)
    : store_(store),
      sha256_(std::move(sha256)),
      size_(size),
      received_(offset),
      room_(offset),
      file_(::open(store.path_of(sha256_, false).c_str(),
                   O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (offset == 0 ? O_TRUNC : 0), 0600)) {
  const fs::path path = store_.path_of(sha256_, false);
  if (file_.get() < 0) disk_failed(path, "written", last_error());
  std::vector<std::byte> buffer(kPiece);
  for (uint64_t left = offset; left > 0;) {
    const auto piece = std::span(buffer).first(std::min<uint64_t>(buffer.size(), left));
    if (read_piece(file_, piece, path) < piece.size()) fail("the first bytes of {} are gone; send it anew", sha256_);
    hash_.update(as_text(piece));
    left -= piece.size();
  }
  const std::lock_guard lock(store_.mutex_);
  store_.uploading_.at(sha256_).received = received_;
}

ContentStore::Upload::~Upload() {
  const std::lock_guard lock(store_.mutex_);
  store_.uploading_.erase(sha256_);
}

void ContentStore::Upload::append(std::string_view bytes) {
  if (bytes.size() > size_ - received_) fail("more than the {} bytes of {} came", size_, sha256_);
  make_room_for(bytes.size());
  const fs::path part = store_.path_of(sha256_, false);
  try {
    write_all(file_, bytes, part);
  } catch (const ServerError&) {
    // A disk that is full stays so with what came of this.
    std::error_code error;
    fs::remove(part, error);
    throw;
  }
  hash_.update(bytes);
  received_ += bytes.size();
  const std::lock_guard lock(store_.mutex_);
  store_.uploading_.at(sha256_).received = received_;
}

// Asked for a piece at a time: looking through the folder takes long.
void ContentStore::Upload::make_room_for(uint64_t bytes) {
  if (received_ + bytes <= room_) return;
  const uint64_t piece = std::min(size_ - received_, std::max(bytes, uint64_t{64} << 20));
  store_.make_room(piece);
  room_ = received_ + piece;
}

ContentStore::Status ContentStore::Upload::finish() {
  if (received_ < size_) return {received_, false};
  const fs::path part = store_.path_of(sha256_, false);
  if (const std::string got = hash_.hex(); got != sha256_) {
    std::error_code error;
    fs::remove(part, error);
    fail("the bytes that came have the hash {}, not {}; send them again", got, sha256_);
  }
  // A name that is complete must not outlive its bytes when the power fails.
  if (::fsync(file_.get()) != 0) disk_failed(part, "written", last_error());
  std::error_code error;
  fs::rename(part, store_.path_of(sha256_, true), error);
  if (error) disk_failed(part, "renamed", error);
  return {received_, true};
}

}  // namespace vantage::rpc
