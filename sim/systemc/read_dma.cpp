#include "sim/systemc/read_dma.h"

#include "base/error.h"

namespace vantage::systemc {

void ReadDma::restart(unsigned beat_log) {
  cutter_ = BurstCutter(beat_log);
  asking_ = false;
  asked_from_ = free_from_ = Cycle();
  asked_ = popped_ = 0;
  row_ends_ = open_ = 0;
  pops_begin_ = pops_end_ = 0;
  pops_go_on_ = kNever;
  waiting_.clear();
  walking_ = false;
  next_walk_ = last_end_ = Cycle();
  turn_count_ = 0;
}

Cycle ReadDma::ready_from(Cycle at) const {
  if (asking_) return kNever;
  at = std::max(at, free_from_);
  // Room behind the transfer whose turn it is: of those waiting, and those whose turn came no earlier than `at`
  const size_t unknown = waiting_.size();
  if (unknown >= timing::kWaitingLoads) return kNever;
  const uint64_t may_wait = timing::kWaitingLoads - unknown;
  if (turn_count_ >= may_wait) at = std::max(at, turns_[(turn_count_ - may_wait) % turns_.size()] + 1);
  return at;
}

void ReadDma::issue(const DmaTransfer& transfer, Cycle at) {
  waiting_.push_back({at, transfer});
  if (transfer.rows.rows != 0) {
    cutter_.start(transfer.rows);
    asking_ = true;
    asked_from_ = timing::first_burst(at);
    request(asked_from_);
  }
  if (!walking_) begin_turn();
}

// Asks for the next burst from `from` on, once the buffer has room for the longest.
void ReadDma::request(Cycle from) {
  const Cycle room = room_for_burst();
  waits_for_room_ = room == kNever;
  port_.request(requester_, std::max(from, room), cutter_.burst());
}

// From when on the buffer has that room; kNever while that is not known.
Cycle ReadDma::room_for_burst() {
  if (asked_ + timing::kBurstBeats <= timing::kDmaBeats) return Cycle();
  // The beat that must have left it
  const uint64_t last = asked_ + timing::kBurstBeats - timing::kDmaBeats - 1;
  if (last >= popped_) return kNever;
  while (pops_[pops_begin_ % kPops].begin + pops_[pops_begin_ % kPops].cycles.count <= last) ++pops_begin_;
  const Pops& pops = pops_[pops_begin_ % kPops];
  return pops.cycles.at(last - pops.begin) + 1;
}

void ReadDma::granted(Cycle at) {
  asked_ += cutter_.beats();
  row_ends_ |= uint32_t{cutter_.ends_row()} << open_++;
  const bool last = cutter_.is_last();
  cutter_.next();
  asked_from_ = at + 1;
  if (!last) return request(asked_from_);
  asking_ = false;
  free_from_ = at + 1;
  client_.all_asked_for(at);
}

void ReadDma::beats_come(const Progression& beats) {
  const Drained walked = drained({timing::in_buffer(beats.first), beats.step, beats.count}, next_walk_);
  if (walked.at_once.count != 0) walk(walked.at_once);
  if (walked.as_they_come.count != 0) walk(walked.as_they_come);
  const bool ends_row = (row_ends_ & 1) != 0;
  row_ends_ >>= 1;
  --open_;
  if (ends_row) {
    if (--rows_left_ != 0) {
      walk_zeros(current_.zeros_between);
    } else {
      walk_zeros(current_.zeros_last);
      end_turn(next_walk_ - 1);
    }
  }
  if (asking_ && waits_for_room_) request(asked_from_);
}

// Beats leave the buffer.
void ReadDma::walk(const Progression& beats) {
  if (beats.step == 1 && beats.first == pops_go_on_) {
    pops_[(pops_end_ - 1) % kPops].cycles.count += beats.count;
  } else {
    VANTAGE_CHECK(pops_end_ - pops_begin_ < kPops);
    pops_[pops_end_++ % kPops] = {popped_, beats};
  }
  next_walk_ = beats.last() + 1;
  pops_go_on_ = beats.step == 1 ? next_walk_ : kNever;
  popped_ += beats.count;
  tell(beats);
}

void ReadDma::walk_zeros(uint64_t count) {
  if (count == 0) return;
  tell({next_walk_, 1, count});
  next_walk_ += count;
}

void ReadDma::tell(Progression walked) {
  walked.first = timing::written(walked.first);
  client_.writes(walked);
}

void ReadDma::begin_turn() {
  const Turn& next = waiting_.front();
  const Cycle turn = std::max(timing::turn(next.issued), last_end_);
  turns_[turn_count_++ % turns_.size()] = turn;
  current_ = next.transfer;
  waiting_.pop_front();
  walking_ = true;
  rows_left_ = current_.rows.rows;
  next_walk_ = timing::first_walk(turn);
  if (rows_left_ == 0) return end_turn(next_walk_);
  walk_zeros(current_.zeros_first);
}

void ReadDma::end_turn(Cycle at) {
  last_end_ = at;
  walking_ = false;
  client_.transfer_ends(timing::written(at), at);
  if (!waiting_.empty()) begin_turn();
}

}  // namespace vantage::systemc
