#include "driver/rpc/content_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "hw/spec/cache.h"
#include "hw/spec/error.h"

namespace vantage::rpc {

namespace fs = std::filesystem;

namespace {

constexpr size_t kPiece = size_t{1} << 20;

bool is_hash(const std::string& name) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() == 64 && std::all_of(name.begin(), name.end(), is_digit);
}

void require_hash(const std::string& sha256) {
  if (is_hash(sha256)) return;
  fail("a content is named by its SHA-256, 64 lower-case hexadecimal digits, not by '{}'", sha256.substr(0, 80));
}

std::string error_text() {
  return std::generic_category().message(errno);
}

void write_all(int file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("{}: cannot be written: {}", path.string(), error_text());
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

ContentStore::ContentStore(fs::path folder, Bytes limit) : folder_(std::move(folder)), limit_(limit.count()) {
  make_cache_folder(folder_);
}

fs::path ContentStore::path_of(const std::string& sha256, bool complete) const {
  return folder_ / (complete ? sha256 : sha256 + ".part");
}

ContentStore::Status ContentStore::find(const std::string& sha256) {
  require_hash(sha256);
  std::error_code error;
  if (const auto size = fs::file_size(path_of(sha256, true), error); !error) return {size, true};
  const auto size = fs::file_size(path_of(sha256, false), error);
  return {error ? 0 : size, false};
}

ContentStore::Upload ContentStore::put(const std::string& sha256, uint64_t size, uint64_t offset) {
  require_hash(sha256);
  if (size > limit_) fail("the content has {} bytes, the store is for {}", size, limit_);
  {
    const std::lock_guard lock(mutex_);
    if (!uploading_.emplace(sha256, size).second) fail("another upload of {} is under way; wait for it", sha256);
  }
  try {
    const Status status = find(sha256);
    if (status.complete) fail("the content {} is there already", sha256);
    if (offset > size || (offset != status.received && offset != 0)) {
      fail("the upload of {} goes on at byte {}, expected {} or 0", sha256, offset, status.received);
    }
    make_room();
    return {*this, sha256, size, offset};
  } catch (...) {
    const std::lock_guard lock(mutex_);
    uploading_.erase(sha256);
    throw;
  }
}

// Uploads count as what they announced, whatever has come of it.
void ContentStore::make_room() {
  const std::lock_guard lock(mutex_);
  struct File {
    fs::file_time_type used;
    fs::path path;
    uint64_t size;
  };
  std::vector<File> files;
  uint64_t total = 0;
  for (const auto& [name, size] : uploading_) total += size;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    std::error_code error;
    const std::string name = entry.path().stem().string();
    const File file{entry.last_write_time(error), entry.path(),
                    entry.is_regular_file(error) ? entry.file_size(error) : 0};
    if (error || !is_hash(name) || uploading_.count(name) != 0) continue;
    total += file.size;
    files.push_back(file);
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= limit_) return;
    std::error_code error;
    fs::remove(file.path, error);
    total -= file.size;
  }
  if (total > limit_) fail("the store's {} bytes are full of uploads that are under way; try again later", limit_);
}

void ContentStore::read(const std::string& sha256, const std::function<void(std::span<const std::byte>)>& take) {
  require_hash(sha256);
  const fs::path path = path_of(sha256, true);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("there is no content {}; send it first", sha256);
  const auto close_file = [](const int* f) { ::close(*f); };
  const std::unique_ptr<const int, decltype(close_file)> closer(&file, close_file);
  std::error_code ignored;  // how long it was unused is all that this says
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  std::vector<std::byte> piece(kPiece);
  for (;;) {
    const ssize_t size = ::read(file, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail("{}: cannot be read: {}", path.string(), error_text());
    if (size == 0) return;
    take(std::span(piece).first(static_cast<size_t>(size)));
  }
}

ContentStore::Upload::Upload(ContentStore& store, std::string sha256, uint64_t size, uint64_t offset)
    : store_(store), sha256_(std::move(sha256)), size_(size), received_(offset) {
  const fs::path path = store_.path_of(sha256_, false);
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (offset == 0 ? O_TRUNC : 0), 0600);
  if (file_ < 0) fail("{}: cannot be written: {}", path.string(), error_text());
  std::vector<char> piece(kPiece);
  for (uint64_t at = 0; at < offset;) {
    const ssize_t n = ::read(file_, piece.data(), std::min<uint64_t>(piece.size(), offset - at));
    if (n <= 0) {
      ::close(file_);
      fail("{}: cannot be read: {}", path.string(), error_text());
    }
    hash_.update({piece.data(), static_cast<size_t>(n)});
    at += static_cast<uint64_t>(n);
  }
}

ContentStore::Upload::~Upload() {
  if (file_ >= 0) ::close(file_);
  const std::lock_guard lock(store_.mutex_);
  store_.uploading_.erase(sha256_);
}

void ContentStore::Upload::append(std::string_view bytes) {
  if (bytes.size() > size_ - received_) fail("more than the {} bytes of {} came", size_, sha256_);
  write_all(file_, bytes, store_.path_of(sha256_, false));
  hash_.update(bytes);
  received_ += bytes.size();
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
  if (::fsync(file_) != 0) fail("the content cannot be kept: {}", error_text());
  fs::rename(part, store_.path_of(sha256_, true));
  return {received_, true};
}

}  // namespace vantage::rpc
