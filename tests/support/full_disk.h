// Files of this process grow to so many bytes and no further while this exists, as on a full disk: what is beyond is
// refused with "File too large". Not for threads.
#pragma once

#include <sys/resource.h>

#include <csignal>
#include <cstdint>

#include "base/error.h"

namespace vantage::test {

class FullDisk {
 public:
  explicit FullDisk(uint64_t most_bytes) : told_(std::signal(SIGXFSZ, SIG_IGN)) {
    VANTAGE_CHECK(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const struct rlimit full = {most_bytes, before_.rlim_max};
    VANTAGE_CHECK(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, told_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  struct rlimit before_ = {};
  void (*told_)(int);
};

}  // namespace vantage::test
