#include "driver/rpc/server/stream_watch.h"

#include <fmt/format.h>

#include "driver/rpc/protocol/errors.h"

namespace vantage::rpc {

using Clock = std::chrono::steady_clock;

bool StreamWatch::wait(grpc::ServerContext& call, const std::function<bool()>& move) {
  std::unique_lock lock(mutex_);
  if (closed_) throw SessionOver("the server is stopping");
  const auto waiting = waiting_.insert(waiting_.end(), {&call, Clock::now()});
  lock.unlock();
  const bool moved = move();
  lock.lock();
  const bool cancelled = waiting->cancelled;
  waiting_.erase(waiting);
  if (closed_) throw SessionOver("the server is stopping");
  if (cancelled) throw CallCancelled(fmt::format("the client moved nothing for {} seconds", idle_seconds_));
  return moved;
}

void StreamWatch::look() {
  const std::lock_guard lock(mutex_);
  for (Waiting& waiting : waiting_) {
    if (waiting.cancelled || std::chrono::duration<double>(Clock::now() - waiting.since).count() < idle_seconds_) {
      continue;
    }
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
