#include "base/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

#include "base/error.h"

namespace vantage {

namespace {

// Signals are sent to a process, so there is one place in it that they go to. This variable belongs to the
// SignalHandling that main() owns, which sets it and clears it.
std::atomic<SignalHandling*> the_handling{nullptr};

SignalHandling& require_handling() {
  SignalHandling* const handling = the_handling;
  VANTAGE_CHECK(handling != nullptr);
  return *handling;
}

}  // namespace

SignalHandling::SignalHandling() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) sigaddset(&signals_, signal);
  }
  // Blocked in every thread, they come to the file alone.
  ::pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
  signal_file_ = ::signalfd(-1, &signals_, SFD_CLOEXEC);
  end_file_ = ::eventfd(0, EFD_CLOEXEC);
  VANTAGE_CHECK(signal_file_ >= 0 && end_file_ >= 0);
  SignalHandling* none = nullptr;
  VANTAGE_CHECK(the_handling.compare_exchange_strong(none, this));
  waiting_ = std::thread([this] { wait(); });
}

SignalHandling::~SignalHandling() {
  the_handling = nullptr;
  const uint64_t one = 1;
  VANTAGE_CHECK(::write(end_file_, &one, sizeof one) == sizeof one);
  waiting_.join();
  ::close(signal_file_);
  ::close(end_file_);
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void SignalHandling::wait() {
  std::array<pollfd, 2> files = {{{signal_file_, POLLIN, 0}, {end_file_, POLLIN, 0}}};
  while (true) {
    if (::poll(files.data(), files.size(), -1) < 0) continue;  // interrupted
    if (files[1].revents != 0) return;
    signalfd_siginfo info{};
    if (::read(signal_file_, &info, sizeof info) != sizeof info) continue;
    last_ = static_cast<int>(info.ssi_signo);
    if (!stop_in_good_order()) end_by(static_cast<int>(info.ssi_signo));
  }
}

bool SignalHandling::stop_in_good_order() {
  const std::lock_guard lock(mutex_);
  if (!stop_) return false;
  // Not in this thread, which must see the next signal.
  stopping_ = std::thread(std::exchange(stop_, nullptr));
  return true;
}

void SignalHandling::end_by(int signal) {
  const std::lock_guard lock(mutex_);
  std::error_code ignored;
  for (const auto& path : temporaries_) std::filesystem::remove_all(path, ignored);
  // In the way that whoever waits for the program expects.
  ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  ::kill(::getpid(), signal);
  ::_exit(128 + signal);
}

RemovedOnSignal::RemovedOnSignal(std::filesystem::path path) : path_(std::move(path)) {
  SignalHandling* const handling = the_handling;
  if (handling == nullptr) return;
  const std::lock_guard lock(handling->mutex_);
  handling->temporaries_.insert(path_);
}

RemovedOnSignal::~RemovedOnSignal() {
  SignalHandling* const handling = the_handling;
  if (handling == nullptr) return;
  const std::lock_guard lock(handling->mutex_);
  const auto noted = handling->temporaries_.find(path_);
  if (noted != handling->temporaries_.end()) handling->temporaries_.erase(noted);
}

StopOnSignal::StopOnSignal(std::function<void()> stop) : handling_(require_handling()) {
  const std::lock_guard lock(handling_.mutex_);
  VANTAGE_CHECK(!handling_.stop_ && !handling_.stopping_.joinable());
  handling_.stop_ = std::move(stop);
}

int status_of_stop() {
  return 128 + require_handling().last_;
}

StopOnSignal::~StopOnSignal() {
  std::thread stopping;
  {
    const std::lock_guard lock(handling_.mutex_);
    handling_.stop_ = nullptr;
    stopping = std::move(handling_.stopping_);
  }
  if (stopping.joinable()) stopping.join();
}

}  // namespace vantage
