#include "driver/boards/system.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

#include "hw/spec/error.h"

namespace vantage::boards {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLargestAttribute = 4096;  // a page, by the kernel's rule

std::string text_of(int error) {
  return std::generic_category().message(error);
}

// An open file that is closed with the object.
class File {
 public:
  File(System& system, const fs::path& path, int flags, unsigned mode = 0)
      : system_(system), path_(path), file_(system.open(path, flags, mode)) {
    if (file_ < 0) fail("{}: cannot be opened: {}", path.string(), text_of(errno));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (file_ >= 0) system_.close(file_);
  }

  int get() const { return file_; }
  // What was written may be refused only now.
  void close() {
    if (system_.close(std::exchange(file_, -1)) != 0) fail("{}: cannot be written: {}", path_.string(), text_of(errno));
  }

 private:
  System& system_;
  const fs::path path_;
  int file_;
};

}  // namespace

fs::path System::below_root(const fs::path& path) const {
  return root_ / path.relative_path();
}

int System::open(const fs::path& path, int flags, unsigned mode) {
  return ::open(below_root(path).c_str(), flags | O_CLOEXEC, mode);
}

ssize_t System::read(int file, void* bytes, size_t size) {
  return ::read(file, bytes, size);
}

ssize_t System::write(int file, const void* bytes, size_t size) {
  return ::write(file, bytes, size);
}

int System::close(int file) {
  return ::close(file);
}

bool System::exists(const fs::path& path) const {
  std::error_code error;
  return fs::exists(below_root(path), error);
}

std::vector<std::string> System::list(const fs::path& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(below_root(folder), error)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void System::sleep(std::chrono::milliseconds time) const {
  std::this_thread::sleep_for(time);
}

std::string read_attribute(System& system, const fs::path& path) {
  const File file(system, path, O_RDONLY);
  std::array<char, kLargestAttribute> bytes{};
  ssize_t size = -1;
  do {
    size = system.read(file.get(), bytes.data(), bytes.size());
  } while (size < 0 && errno == EINTR);
  if (size < 0) fail("{}: cannot be read: {}", path.string(), text_of(errno));
  std::string text(bytes.data(), static_cast<size_t>(size));
  text.resize(text.find_last_not_of("\n\0 ") + 1);
  return text;
}

int write_attribute(System& system, const fs::path& path, std::string_view text) {
  const File file(system, path, O_WRONLY);
  const ssize_t size = system.write(file.get(), text.data(), text.size());
  if (size < 0) return errno;
  if (static_cast<size_t>(size) != text.size()) {
    fail("{}: the kernel took {} of {} bytes", path.string(), size, text.size());
  }
  return 0;
}

void write_whole(System& system, const fs::path& path, std::string_view contents) {
  File file(system, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  while (!contents.empty()) {
    const ssize_t size = system.write(file.get(), contents.data(), contents.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail("{}: cannot be written: {}", path.string(), text_of(errno));
    if (size == 0) fail("{}: nothing more can be written", path.string());
    contents.remove_prefix(static_cast<size_t>(size));
  }
  file.close();
}

}  // namespace vantage::boards
