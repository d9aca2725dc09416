// The memory side of a core's pins: an AxiMemory decides when, a Dram holds the bytes. Bytes are read when their beat
// passes and written when theirs does, or, for data that were taken ahead of their address, with that.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "hw/memory/axi_memory.h"
#include "sim/memory/dram.h"
#include "sim/rtl/back_pressure.h"
#include "sim/rtl/model_abi.h"

namespace vantage::sim {

class AxiPort {
 public:
  // `back_pressure`: the seed of stalls on every channel, if there are to be any.
  AxiPort(const MemoryTiming& timing, Bytes beat, std::optional<uint64_t> back_pressure = std::nullopt);

  // Sets the inputs of cycle `now`; then, once the core has answered, takes what it sent. Says whether anything passed.
  void before(isa::Cycle now, const Dram& dram, vantage_rtl_pins& pins);
  bool after(isa::Cycle now, Dram& dram, const vantage_rtl_pins& pins);
  // What the core took from memory in that cycle, if it did. The bytes lie in the pins.
  struct Beat {
    uint64_t address;
    std::span<const std::byte> bytes;
  };
  const std::optional<Beat>& beat_read() const { return beat_read_; }

  // A new run: cycles begin at 0 again. REQUIRES: idle()
  void restart() { memory_.reset(); }
  bool idle() const { return reads_.empty() && writes_.empty() && ahead_.empty() && responses_.empty(); }
  // Drops what is under way, as when the core is reset.
  void abandon();

 private:
  struct Read {
    uint64_t address;
    Progression beats;  // to come
  };
  struct Write {
    uint64_t address;
    unsigned beats;
    bool failed;
  };
  struct Response {
    isa::Cycle cycle;
    bool failed;
  };

  // What the core sent ahead of its address.
  struct WriteBeat {
    std::array<uint64_t, 8> data;
    uint64_t strobes;
    bool last;
  };

  // Closes channels that would be open in this cycle, but for what is shown already.
  void stall(vantage_rtl_pins& pins, bool read_waits, bool response_waits);
  // A beat of the first of writes_.
  void write_beat(isa::Cycle now, Dram& dram, const uint64_t* data, uint64_t strobes, bool last);

  AxiMemory memory_;
  uint64_t beat_;  // bytes
  std::optional<BackPressure> back_pressure_;
  std::optional<Beat> beat_read_;
  std::deque<Read> reads_;
  std::deque<Write> writes_;
  std::deque<WriteBeat> ahead_;  // with back-pressure; none while there are writes_
  std::deque<Response> responses_;
  bool address_waits_ = false, data_wait_ = false;  // of writes, in the last cycle
};

}  // namespace vantage::sim
