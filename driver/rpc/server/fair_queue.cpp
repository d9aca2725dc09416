#include "driver/rpc/server/fair_queue.h"

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
  client.identity_.clock_ = std::max(client.identity_.clock_, clock_);
  client.clock_ = std::max(client.clock_, client.identity_.client_clock_);
  Waiter waiter{&client, {}, false};
  waiting_.push_back(&waiter);
  give_turns();
  if (!waiter.granted_event.wait(lock, stop, [&] { return waiter.granted; })) {
    waiting_.remove(&waiter);
    return std::nullopt;
  }
  return Turn(*this, client);
}

FairQueue::Identity& FairQueue::identity(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return identities_[name];
}

size_t FairQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

std::map<std::string, double> FairQueue::seconds() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, double> seconds;
  for (const auto& [name, identity] : identities_) seconds[name] = identity.seconds_;
  return seconds;
}

void FairQueue::give_turns() {
  while (free_ > 0 && !waiting_.empty()) {
    const auto next = std::min_element(waiting_.begin(), waiting_.end(), [](const Waiter* a, const Waiter* b) {
      return a->client->order() < b->client->order();
    });
    Waiter& waiter = **next;
    waiting_.erase(next);
    --free_;
    clock_ = waiter.client->identity_.clock_;
    waiter.client->identity_.client_clock_ = waiter.client->clock_;
    waiter.granted = true;
    waiter.granted_event.notify_one();
  }
}

void FairQueue::leave(Client& client, double seconds) {
  const std::lock_guard lock(mutex_);
  client.clock_ += seconds;
  client.identity_.clock_ += seconds;
  client.identity_.seconds_ += seconds;
  ++free_;
  give_turns();
}

}  // namespace vantage::rpc
