#include "driver/rpc/server/stream_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/quota.h"

namespace vantage::rpc {

bool StreamWatch::Stream::wait(const std::function<bool()>& move) {
  const auto begin = Clock::now();
  const double pieces = static_cast<double>(bytes_) / static_cast<double>(kPieceBytes);
  const double left = watch_.idle_seconds_ * (1 + pieces) - waited_;
  std::unique_lock lock(watch_.mutex_);
  if (watch_.closed_) throw SessionOver("the server is stopping");
  const auto until = begin + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(std::min(left, watch_.idle_seconds_)));
  const auto waiting = watch_.waiting_.insert(watch_.waiting_.end(), {&call_, until});
  lock.unlock();
  const bool moved = move();
  lock.lock();
  const bool cancelled = waiting->cancelled;
  watch_.waiting_.erase(waiting);
  if (watch_.closed_) throw SessionOver("the server is stopping");
  if (cancelled) {
    throw CallCancelled(
        fmt::format("the client moved nothing for {} seconds, or too little for longer", watch_.idle_seconds_));
  }
  waited_ += std::chrono::duration<double>(Clock::now() - begin).count();
  return moved;
}

void StreamWatch::look() {
  const std::lock_guard lock(mutex_);
  for (Waiting& waiting : waiting_) {
    if (waiting.cancelled || Clock::now() < waiting.until) continue;
    waiting.cancelled = true;
    waiting.call->TryCancel();
  }
}

void StreamWatch::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (Waiting& waiting : waiting_) waiting.call->TryCancel();
}

}  // namespace vantage::rpc
