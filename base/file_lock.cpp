#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace vantage {

FileLock::FileLock(const std::filesystem::path& path) : fd_(open(path.c_str(), O_RDWR | O_CREAT, 0666)) {
  if (fd_ < 0) fail("{}: {}; set VANTAGE_CACHE_DIR to a folder to write to", path.string(), std::strerror(errno));
  while (flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FileLock::~FileLock() {
  close(fd_);
}

}  // namespace vantage
