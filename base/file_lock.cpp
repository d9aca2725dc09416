#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace vantage {

namespace {

// 0, or what went wrong.
int lock(int fd, int how) {
  while (flock(fd, how) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace

// Not closed on exec: tools that are started belong to what is locked.
FileLock::FileLock(const std::filesystem::path& path, const std::function<void(const std::string&)>& tell)
    : fd_(open(path.c_str(), O_RDWR | O_CREAT, 0666)) {
  if (fd_ < 0) fail("{}: {}; set VANTAGE_CACHE_DIR to a folder to write to", path.string(), std::strerror(errno));
  int error = lock(fd_, LOCK_EX | LOCK_NB);
  if (error == EWOULDBLOCK) {
    if (tell) tell("waiting for another process that makes the same");
    error = lock(fd_, LOCK_EX);
  }
  if (error == 0) return;
  close(fd_);
  fail("{}: cannot be locked: {}; set VANTAGE_CACHE_DIR to a folder of a local disk", path.string(),
       std::strerror(error));
}

FileLock::~FileLock() {
  close(fd_);
}

}  // namespace vantage
