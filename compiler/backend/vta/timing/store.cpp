#include "compiler/backend/vta/timing/store.h"

#include <algorithm>

namespace vantage::vta {

using isa::Cycle;
namespace timing = isa::timing;

Cycle StoreTimeline::ready_from() const {
  return stores_ < kStores ? free_from_ : std::max(free_from_, ends_[stores_ % kStores] + 1);
}

Cycle StoreTimeline::store(const core::DmaTransfer& transfer, Cycle at) {
  if (transfer.rows.rows == 0) return at;
  asked_from_ = timing::first_burst(at);
  next_read_ = std::max(next_read_, timing::first_read(at));
  Cycle ends;
  cutter_.start(transfer.rows);
  for (;; cutter_.next()) {
    ends = burst(cutter_.burst());
    if (cutter_.is_last()) break;
  }
  ends_[stores_++ % kStores] = ends;
  return ends;
}

// When the burst's response ends the store, if it is the last.
Cycle StoreTimeline::burst(const core::Burst& burst) {
  Cycle sent = asked_from_;
  Cycle& response = responses_[bursts_++ % kBursts];
  if (bursts_ > kBursts) sent = std::max(sent, timing::store_ends(response) + 1);
  asked_from_ = sent + 1;
  taken_ = memory_.write_ready_from(std::max(timing::address_shown(sent), taken_ + 1));
  const uint64_t pause = memory_.write(taken_, burst.address, burst.beats);
  // A beat is read as soon as there is room for it, which there always is while memory takes one a cycle; else reading
  // keeps so many beats ahead of what memory takes.
  const Cycle first_sent = std::max({next_send_, timing::after_address(sent), timing::packed(next_read_)});
  const Cycle first = std::max({next_pass_, taken_ + 1, timing::data_shown(first_sent)});
  const Cycle last = first + (burst.beats - 1) * memory_.step();
  next_pass_ = last + memory_.step() + pause;
  const Cycle last_sent = std::max(first_sent + (burst.beats - 1), last - timing::kDataShown);
  next_send_ = last_sent + 1;
  next_read_ = std::max(next_read_ + burst.beats, last_sent - timing::kStorePack);
  free_from_ = std::max(taken_, next_read_ - 1) + 1;
  memory_.write_beat(first, false);
  response = memory_.write_beat(last, true);
  return timing::store_ends(response);
}

}  // namespace vantage::vta
