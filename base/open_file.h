// A file descriptor that is closed with the object.
#pragma once

#include <unistd.h>

#include <utility>

namespace vantage {

class OpenFile {
 public:
  // Takes over what open() gave, also when that is -1.
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept : fd_(other.release()) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const { return fd_; }
  // The caller's from here on.
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace vantage
