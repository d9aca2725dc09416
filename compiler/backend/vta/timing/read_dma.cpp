#include "compiler/backend/vta/timing/read_dma.h"

#include "base/error.h"

namespace vantage::vta {

using isa::Cycle;
namespace timing = isa::timing;

Cycle DmaTimeline::ready_from() const {
  VANTAGE_CHECK(!asking_);
  // No more than so many wait behind the one whose turn it is
  return turn_count_ < kWaiting ? free_from_ : std::max(free_from_, turns_[turn_count_ % kWaiting] + 1);
}

void DmaTimeline::issue(const core::DmaTransfer& transfer, Cycle at) {
  current_ = transfer;
  const Cycle turn = std::max(timing::turn(at), last_end_);
  turns_[turn_count_++ % kWaiting] = turn;
  next_walk_ = timing::first_walk(turn);
  if (transfer.rows.rows == 0) {
    last_end_ = next_walk_;
    return;
  }
  next_walk_ += transfer.zeros_first;
  cutter_.start(transfer.rows);
  asking_ = true;
  asked_from_ = timing::first_burst(at);
}

Cycle DmaTimeline::room_for_burst() {
  if (asked_ + timing::kBurstBeats <= timing::kDmaBeats) return Cycle();
  // The beat that must have left the buffer
  const uint64_t last = asked_ + timing::kBurstBeats - timing::kDmaBeats - 1;
  while (pops_[pops_begin_ % kPops].begin + pops_[pops_begin_ % kPops].cycles.count <= last) ++pops_begin_;
  const Pops& pops = pops_[pops_begin_ % kPops];
  return pops.cycles.at(last - pops.begin) + 1;
}

Cycle DmaTimeline::next_request() {
  return std::max(asked_from_, room_for_burst());
}

void DmaTimeline::ask() {
  const ReadPort::Answer answer = port_.read(requester_, next_request(), cutter_.burst());
  asked_ += cutter_.beats();
  asked_from_ = answer.granted + 1;
  const Progression& beats = answer.beats;
  const Drained walked = drained({timing::in_buffer(beats.first), beats.step, beats.count}, next_walk_);
  if (walked.at_once.count != 0) walk(walked.at_once);
  if (walked.as_they_come.count != 0) walk(walked.as_they_come);
  const bool ends_row = cutter_.ends_row(), last = cutter_.is_last();
  cutter_.next();
  if (last) {
    next_walk_ += current_.zeros_last;
    last_end_ = next_walk_ - 1;
    asking_ = false;
    free_from_ = asked_from_;
  } else if (ends_row) {
    next_walk_ += current_.zeros_between;
  }
}

void DmaTimeline::walk(const Progression& beats) {
  VANTAGE_CHECK(pops_end_ - pops_begin_ < kPops);
  pops_[pops_end_++ % kPops] = {popped_, beats};
  popped_ += beats.count;
  next_walk_ = beats.last() + 1;
}

}  // namespace vantage::vta
