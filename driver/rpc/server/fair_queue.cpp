#include "driver/rpc/server/fair_queue.h"

#include <algorithm>
#include <utility>

namespace vantage::rpc {

namespace {

// A client on the same network has launched again by then.
constexpr double kLongestHold = 0.02;
// Who was away for so long only sent his next launch, and keeps what he is behind, up to so many seconds.
constexpr auto kShortAbsence = std::chrono::milliseconds(200);
constexpr double kMostCredit = 1;

}  // namespace

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
  Identity& identity = client.identity_;
  const bool was_here = std::chrono::steady_clock::now() - identity.left_ <= kShortAbsence;
  identity.clock_ = std::max(identity.clock_, clock_ - (was_here ? kMostCredit : 0));
  client.clock_ = std::max(client.clock_, identity.client_clock_);
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

std::list<FairQueue::Waiter*>::iterator FairQueue::next() {
  const auto has_held = [&](const Waiter* waiter) {
    return std::any_of(held_.begin(), held_.end(),
                       [&](const Held& held) { return held.identity == &waiter->client->identity_; });
  };
  auto first = waiting_.end();
  for (auto waiter = waiting_.begin(); waiter != waiting_.end(); ++waiter) {
    if (held_.size() >= free_ && !has_held(*waiter)) continue;
    if (first == waiting_.end() || (*waiter)->client->order() < (*first)->client->order()) first = waiter;
  }
  return first;
}

void FairQueue::give_turns() {
  const auto now = std::chrono::steady_clock::now();
  held_.remove_if([&](const Held& held) { return held.until <= now; });
  while (free_ > 0) {
    const auto first = next();
    if (first == waiting_.end()) return;
    Waiter& waiter = **first;
    Identity& identity = waiter.client->identity_;
    waiting_.erase(first);
    const auto held = std::find_if(held_.begin(), held_.end(), [&](const Held& h) { return h.identity == &identity; });
    if (held != held_.end()) held_.erase(held);
    --free_;
    clock_ = std::max(clock_, identity.clock_);
    identity.client_clock_ = waiter.client->clock_;
    waiter.granted = true;
    waiter.granted_event.notify_one();
  }
}

bool FairQueue::is_behind(const Identity& identity) const {
  return !waiting_.empty() && std::all_of(waiting_.begin(), waiting_.end(), [&](const Waiter* waiter) {
    const Identity& other = waiter->client->identity_;
    return &other != &identity && identity.clock_ <= other.clock_;
  });
}

void FairQueue::look() {
  const std::lock_guard lock(mutex_);
  if (!held_.empty()) give_turns();
}

void FairQueue::leave(Client& client, double seconds) {
  const std::lock_guard lock(mutex_);
  Identity& identity = client.identity_;
  client.clock_ += seconds;
  identity.clock_ += seconds;
  identity.seconds_ += seconds;
  identity.left_ = std::chrono::steady_clock::now();
  ++free_;
  // No longer than it ran: what is held in vain is at most half of the time.
  if (is_behind(identity)) {
    const auto hold = std::chrono::duration<double>(std::min(seconds, kLongestHold));
    held_.push_back({&identity, std::chrono::steady_clock::now() +
                                    std::chrono::duration_cast<std::chrono::steady_clock::duration>(hold)});
  }
  give_turns();
}

}  // namespace vantage::rpc
