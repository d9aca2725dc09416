// When an AXI memory takes addresses and beats and when it answers: the one model that every timed machine uses. It
// knows bursts, not wires or bytes; a machine asks it what happens when, cycle by cycle or burst by burst.
//
// Reads and writes are independent. Each keeps its order; a burst's beats follow at the rate of the setting.
//
// Thread safety: none. Cycles never go back between calls.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hw/spec/units.h"
#include "sim/memory/memory_timing.h"

namespace vantage::sim {

class AxiMemory {
 public:
  // `beat`: bytes of a beat of the bus.
  AxiMemory(const MemoryTiming& timing, Bytes beat);

  const MemoryTiming& timing() const { return timing_; }

  // Beat i of a burst passes in cycle first + i * step.
  struct Beats {
    uint64_t first;
    uint64_t step;
    uint64_t last;
  };

  // Whether the memory takes a read address in cycle `now`; and what follows when it does.
  bool read_ready(uint64_t now);
  Beats read(uint64_t now, uint64_t address, unsigned beats);

  // Whether it takes a write address, and a beat of data, in cycle `now`. REQUIRES of write_beat: its address came in
  // an earlier cycle.
  bool write_ready(uint64_t now);
  void write(uint64_t now, uint64_t address);
  bool beat_ready(uint64_t now) const { return now >= next_beat_; }
  // The cycle of the response when this was a burst's last beat, otherwise 0.
  uint64_t write_beat(uint64_t now, bool last);

  // As new: nothing under way, all rows closed, cycle 0.
  void reset();

 private:
  struct Bank {
    bool open = false;
    uint64_t row = 0;
    uint64_t ready = 0;  // for the next command
  };

  // Cycles from a command in cycle `now` to its data, beyond the setting's latency.
  uint64_t access(uint64_t now, uint64_t address);
  uint64_t jitter(uint64_t channel, uint64_t burst) const;

  MemoryTiming timing_;
  uint64_t step_;  // cycles per beat

  std::deque<uint64_t> reads_;  // last beats of the bursts under way
  uint64_t read_count_ = 0;
  uint64_t next_read_beat_ = 0;

  std::deque<uint64_t> write_delays_;  // of bursts whose last beat is to come
  std::deque<uint64_t> responses_;     // of those whose response is to come
  uint64_t write_count_ = 0;
  uint64_t next_beat_ = 0;
  uint64_t last_response_ = 0;

  std::vector<Bank> banks_;
  uint64_t refreshes_ = 0;
};

}  // namespace vantage::sim
