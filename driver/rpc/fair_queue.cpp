#include "driver/rpc/fair_queue.h"

#include <algorithm>
#include <utility>

namespace vantage::rpc {

FairQueue::Turn::Turn(FairQueue& queue, Client& client)
    : queue_(&queue), client_(&client), start_(std::chrono::steady_clock::now()) {}

FairQueue::Turn::Turn(Turn&& other) noexcept
    : queue_(std::exchange(other.queue_, nullptr)), client_(other.client_), start_(other.start_) {}

FairQueue::Turn::~Turn() {
  if (queue_ == nullptr) return;
  queue_->leave(*client_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
}

std::optional<FairQueue::Turn> FairQueue::enter(Client& client, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  client.clock_ = std::max(client.clock_, clock_);
  Waiter waiter{&client, {}, false};
  waiting_.push_back(&waiter);
  give_turns();
  if (!waiter.granted_event.wait(lock, stop, [&] { return waiter.granted; })) {
    waiting_.remove(&waiter);
    return std::nullopt;
  }
  return Turn(*this, client);
}

size_t FairQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void FairQueue::give_turns() {
  while (free_ > 0 && !waiting_.empty()) {
    const auto next = std::min_element(waiting_.begin(), waiting_.end(), [](const Waiter* a, const Waiter* b) {
      return a->client->clock_ < b->client->clock_;
    });
    Waiter& waiter = **next;
    waiting_.erase(next);
    --free_;
    clock_ = waiter.client->clock_;
    waiter.granted = true;
    waiter.granted_event.notify_one();
  }
}

void FairQueue::leave(Client& client, double seconds) {
  const std::lock_guard lock(mutex_);
  client.clock_ += seconds;
  ++free_;
  give_turns();
}

}  // namespace vantage::rpc
