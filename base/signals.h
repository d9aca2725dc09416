// What SIGINT, SIGTERM and SIGHUP do to a program: they end it, but first what it has half made is removed, or it is
// asked to stop in good order.
#pragma once

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

namespace vantage {

// Made first in main(), before there are other threads, and there once: while it lives, the signals that would have
// ended the program are taken by a thread of its own. Those that were ignored, as under nohup, stay so.
class SignalHandling {
 public:
  SignalHandling();
  SignalHandling(const SignalHandling&) = delete;
  SignalHandling& operator=(const SignalHandling&) = delete;
  ~SignalHandling();

 private:
  friend class RemovedOnSignal;
  friend class StopOnSignal;
  friend int status_of_stop();

  void wait();
  bool stop_in_good_order();
  [[noreturn]] void end_by(int signal);

  std::mutex mutex_;  // guards the three that follow
  std::multiset<std::filesystem::path> temporaries_;
  std::function<void()> stop_;
  std::thread stopping_;            // in which stop_ was called
  std::atomic<int> last_ = SIGINT;  // signal that came

  sigset_t signals_{};
  sigset_t mask_before_{};
  int signal_file_;
  int end_file_;  // readable once the object ends
  std::thread waiting_;
};

// While it lives, a signal that ends the program first removes this file, or this folder with all that is in it. Has no
// effect in a program that has no SignalHandling.
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(std::filesystem::path path);
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;
  ~RemovedOnSignal();

 private:
  std::filesystem::path path_;
};

// For programs that have something to end in good order: while it lives, the first signal calls `stop`, from another
// thread, instead of ending the program; the second ends it, also while `stop` has not returned. REQUIRES: there is a
// SignalHandling, which outlives it; there is one of these at a time.
class StopOnSignal {
 public:
  explicit StopOnSignal(std::function<void()> stop);
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal();  // waits for a `stop` that was called

 private:
  SignalHandling& handling_;
};

// The exit status of a program that ends since StopOnSignal told it to, as a shell has it: 128 and the signal's number.
int status_of_stop();

}  // namespace vantage
