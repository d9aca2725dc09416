// A lock that is given in the order in which it was asked for: one who lets go of it and asks again at once, run after
// run, keeps nobody waiting.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace vantage::driver {

// As std::mutex, for std::lock_guard.
class FairMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const uint64_t ticket = next_++;
    changed_.wait(lock, [&] { return serving_ == ticket; });
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      ++serving_;
    }
    changed_.notify_all();
  }
  // Threads that have it or wait for it.
  uint64_t users() const {
    const std::lock_guard lock(mutex_);
    return next_ - serving_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_ = 0;     // the next to come gets this ticket
  uint64_t serving_ = 0;  // whose turn it is
};

}  // namespace vantage::driver
