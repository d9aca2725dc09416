// When an AXI memory takes addresses and beats and when it answers: the one model that every timed machine uses. It
// knows bursts, not wires or bytes; a machine asks it what happens when, cycle by cycle or burst by burst.
//
// Reads and writes are independent. Each keeps its order; a burst's beats follow at the rate of the setting. Where a
// beat takes no whole number of cycles, beats follow each other in the whole part, and what is left over is made up for
// by a pause behind the burst, so that a stream of bursts passes at exactly that rate.
//
// Thread safety: none. Cycles never go back between the calls for addresses (reads and writes together, banks are
// shared), nor between those for the beats of writes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "hw/memory/memory_timing.h"
#include "hw/memory/progression.h"

namespace vantage {

class AxiMemory {
 public:
  using Cycle = isa::Cycle;

  // `beat`: bytes of a beat of the bus.
  AxiMemory(const MemoryTiming& timing, Bytes beat);

  const MemoryTiming& timing() const { return timing_; }
  Bytes beat() const { return beat_; }
  // Cycles from beat to beat of a burst.
  uint64_t step() const { return step_; }

  // The first cycle from `now` on in which the memory takes a read address, and whether it is `now`; what follows when
  // it does: the cycles in which the burst's beats pass.
  Cycle read_ready_from(Cycle now) const {
    if (timing_.max_reads == 0 || read_count_ < timing_.max_reads) return now;
    return std::max(now, reads_[read_slot_] + 1);
  }
  bool read_ready(Cycle now) const { return read_ready_from(now) == now; }
  Progression read(Cycle now, uint64_t address, unsigned beats) {
    goes_on(now);
    const uint64_t latency = timing_.read_latency.count() + extra_latency(now, address, 0, read_count_++);
    // The beat takes `step_` cycles on the memory's side and passes in the last of them.
    const Cycle begin = std::max(now + std::max<uint64_t>(1, latency), next_read_beat_);
    const Progression passes{begin + step_ - 1, step_, beats};
    next_read_beat_ = passes.last() + 1 + read_pauses_.behind(beats);
    if (timing_.max_reads != 0) {
      reads_[read_slot_] = passes.last();
      if (++read_slot_ == timing_.max_reads) read_slot_ = 0;
    }
    return passes;
  }

  // The same for a write address, which says how many cycles more than step() follow the burst's last beat; and whether
  // memory takes a beat of data in cycle `now`. REQUIRES of write_beat: write() was told of its address, in an
  // earlier cycle unless the data were taken ahead of it. No cycle is known, isa::kNever, while it depends on beats
  // that are to come.
  Cycle write_ready_from(Cycle now) const;
  bool write_ready(Cycle now) const { return write_ready_from(now) == now; }
  uint64_t write(Cycle now, uint64_t address, unsigned beats);
  bool beat_ready(Cycle now) const { return now >= next_beat_; }
  // The cycle of the response when this was a burst's last beat, otherwise isa::kNever.
  Cycle write_beat(Cycle now, bool last);

  // As new: nothing under way, all rows closed, cycle 0.
  void reset();

 private:
  // Adds up the fractions of cycles that beats take beyond step(), and says when they are whole ones.
  struct Pauses {
    uint64_t numerator = 0, denominator = 1;
    uint64_t left = 0;

    uint64_t behind(unsigned beats) {
      left += numerator * beats;
      const uint64_t pause = left / denominator;
      left %= denominator;
      return pause;
    }
  };
  struct WriteBurst {
    uint64_t delay;  // beyond the latency
    uint64_t pause;  // behind its last beat
  };
  struct Bank {
    bool open = false;
    uint64_t row = 0;
    Cycle ready;  // for the next command
  };

  // Checks the order of addresses.
  void goes_on(Cycle now) {
    VANTAGE_CHECK(now >= last_address_);
    last_address_ = now;
  }
  // Cycles from a command in cycle `now` to its data, beyond the setting's latency: for its bank and by chance.
  uint64_t extra_latency(Cycle now, uint64_t address, uint64_t channel, uint64_t burst) {
    return (timing_.banks ? access(now, address) : 0) + (timing_.max_jitter.count() != 0 ? jitter(channel, burst) : 0);
  }
  // REQUIRES: the setting has banks.
  uint64_t access(Cycle now, uint64_t address);
  // REQUIRES: the setting has jitter.
  uint64_t jitter(uint64_t channel, uint64_t burst) const;

  MemoryTiming timing_;
  Bytes beat_;
  uint64_t step_;
  Pauses read_pauses_, write_pauses_;

  Cycle last_address_;
  uint64_t read_count_ = 0;
  std::vector<Cycle> reads_;  // last beats of the last max_reads bursts, by their number modulo that
  uint64_t read_slot_ = 0;    // of the next
  Cycle next_read_beat_;

  uint64_t write_count_ = 0;
  uint64_t response_count_ = 0;
  std::vector<Cycle> responses_;    // of the last max_writes bursts that have one, like reads_
  std::deque<WriteBurst> writing_;  // bursts whose last beat is to come
  Cycle next_beat_;
  Cycle last_response_;

  std::vector<Bank> banks_;
  uint64_t refreshes_ = 0;
};

}  // namespace vantage
