#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <random>

#include "base/error.h"
#include "base/replace_file.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

std::string error_text() {
  return std::strerror(errno);
}

void refuse_directory(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("{}: is a directory, expected a file", path.string());
}

// Devices and pipes (/dev/null, /dev/stdout) are written through; replacing them by a file would be a disaster.
bool is_device(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::is_other(status);
}

}  // namespace

fs::path file_behind_links(fs::path path) {
  constexpr int kMaxLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, error); ++i) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

fs::path unused_name_beside(const fs::path& path) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<size_t> letter(0, kLetters.size() - 1);
  std::array<char, 8> end{};
  std::generate(end.begin(), end.end(), [&] { return kLetters[letter(random)]; });
  return fmt::format("{}.{}", path.string(), std::string_view(end.data(), end.size()));
}

std::string read_file(const fs::path& path, Bytes limit) {
  refuse_directory(path);
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("{}: cannot be read: {}", path.string(), error_text());
  return read_open_file(file, path, limit);
}

std::string read_open_file(const OpenFile& file, const fs::path& path, Bytes limit) {
  const auto refuse_size = [&] {
    fail("{}: larger than the {} bytes that such a file may have", path.string(), limit.count());
  };
  struct stat status {};
  const bool is_plain = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  if (is_plain && static_cast<uint64_t>(status.st_size) > limit.count()) refuse_size();
  std::string contents;
  constexpr size_t kChunk = 1 << 16;
  if (is_plain) contents.reserve(static_cast<size_t>(status.st_size) + kChunk);
  while (true) {
    const size_t old_size = contents.size();
    contents.resize(old_size + kChunk);
    const ssize_t got = ::read(file.get(), contents.data() + old_size, kChunk);
    if (got < 0 && errno == EINTR) {
      contents.resize(old_size);
      continue;
    }
    if (got < 0) fail("{}: cannot be read: {}", path.string(), error_text());
    contents.resize(old_size + static_cast<size_t>(got));
    if (got == 0) return contents;
    if (contents.size() > limit.count()) refuse_size();
  }
}

void require_writable(const fs::path& path) {
  if (is_device(path)) return;
  refuse_directory(path);
  const fs::path target = file_behind_links(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    fail("{}: cannot be written: the folder {} does not exist; create it first", path.string(), folder.string());
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail("{}: cannot be written: folder {}: {}", path.string(), folder.string(), error_text());
  }
  // A rename would not ask the file that it replaces.
  if (::access(target.c_str(), W_OK) != 0 && errno != ENOENT) {
    fail("{}: cannot be written: {}", path.string(), error_text());
  }
}

void require_new_directory(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    fail("{}: exists already and is not overwritten; name another directory or remove it", path.string());
  }
  require_writable(path.has_filename() ? path : path.parent_path());  // "DIR/" names DIR
}

void require_new_file(const fs::path& path) {
  if (is_device(path)) fail("{}: is a device, expected a file's name", path.string());
  require_writable(path);
}

void write_file(const fs::path& path, std::string_view contents) {
  FileCalls calls;
  if (is_device(path)) {
    const OpenFile device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) fail("{}: cannot be written: {}", path.string(), error_text());
    write_all(calls, device.get(), path, contents);
    return;
  }
  require_writable(path);
  const fs::path target = file_behind_links(path);
  Replacement how{.temporary = unused_name_beside(target), .to_disk = true};
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) {
    how.mode = old.st_mode & 07777;
    how.exact_mode = true;
  }
  replace_file(calls, target, contents, how);
}

}  // namespace vantage
