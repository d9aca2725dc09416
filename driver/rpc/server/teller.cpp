#include "driver/rpc/server/teller.h"

namespace vantage::rpc {

Teller::Teller(std::function<bool(const std::string&)> tell) : tell_(std::move(tell)), thread_([this] { run(); }) {}

Teller::~Teller() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Teller::add(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  changed_.notify_one();
}

void Teller::run() {
  for (bool taken = true; taken;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !lines_.empty(); });
    if (lines_.empty()) return;
    const std::string line = std::move(lines_.front());
    lines_.pop_front();
    lock.unlock();
    try {
      taken = tell_(line);
    } catch (const std::exception&) {
      taken = false;  // the call is cancelled
    }
  }
}

}  // namespace vantage::rpc
