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
// In seconds: short beside what people measure, long beside most runs, so that few wait for it.
constexpr double kLongestLead = 0.05;

double elapsed(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

FairQueue::Turn::Turn(Turn&& other) noexcept
    : queue_(std::exchange(other.queue_, nullptr)), client_(other.client_), start_(other.start_) {}

FairQueue::Turn::~Turn() {
  if (queue_ == nullptr) return;
  queue_->leave(*client_, start_);
}

std::optional<FairQueue::Turn> FairQueue::enter(Client& client, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  Identity& identity = client.identity_;
  const bool was_here = std::chrono::steady_clock::now() - identity.left_ <= kShortAbsence;
  identity.clock_ = std::max(identity.clock_, clock_ - (was_here ? kMostCredit : 0));
  client.clock_ = std::max(client.clock_, identity.client_clock_);
  Waiter waiter{&client, {}, false, {}};
  waiting_.push_back(&waiter);
  give_turns();
  if (!waiter.granted_event.wait(lock, stop, [&] { return waiter.granted; })) {
    waiting_.remove(&waiter);
    return std::nullopt;
  }
  return Turn(*this, client, waiter.start);
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
  const auto order = [&](const Waiter* waiter) {
    return std::pair(clock_of(waiter->client->identity_), waiter->client->clock_);
  };
  auto first = waiting_.end();
  for (auto waiter = waiting_.begin(); waiter != waiting_.end(); ++waiter) {
    if (held_.size() >= free_ && !has_held(*waiter)) continue;
    if (is_too_far_ahead((*waiter)->client->identity_)) continue;
    if (first == waiting_.end() || order(*waiter) < order(*first)) first = waiter;
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
    waiter.start = now;
    running_.push_back({&identity, now});
    waiter.granted_event.notify_one();
  }
}

double FairQueue::clock_of(const Identity& identity) const {
  double clock = identity.clock_;
  for (const Running& turn : running_) {
    if (turn.identity == &identity) clock += elapsed(turn.start);
  }
  return clock;
}

bool FairQueue::is_too_far_ahead(const Identity& identity) const {
  const double limit = clock_of(identity) - kLongestLead;
  const auto is_behind_that = [&](const auto& other) {
    return other.identity != &identity && clock_of(*other.identity) < limit;
  };
  return std::any_of(running_.begin(), running_.end(), is_behind_that) ||
         std::any_of(held_.begin(), held_.end(), is_behind_that);
}

bool FairQueue::is_behind(const Identity& identity) const {
  return !waiting_.empty() && std::all_of(waiting_.begin(), waiting_.end(), [&](const Waiter* waiter) {
    const Identity& other = waiter->client->identity_;
    return &other != &identity && clock_of(identity) <= clock_of(other);
  });
}

void FairQueue::look() {
  const std::lock_guard lock(mutex_);
  give_turns();
}

void FairQueue::leave(Client& client, std::chrono::steady_clock::time_point start) {
  const std::lock_guard lock(mutex_);
  Identity& identity = client.identity_;
  const double seconds = elapsed(start);
  running_.erase(std::find_if(running_.begin(), running_.end(),
                              [&](const Running& turn) { return turn.identity == &identity && turn.start == start; }));
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
