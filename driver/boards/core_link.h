// A core on the FPGA, started and waited for through its registers, whatever their map.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "driver/boards/register_window.h"
#include "driver/boards/run_protocol.h"
#include "hw/isa/config.h"
#include "sim/outcome/outcome.h"

namespace vantage::boards {

class CoreLink : public sim::CoreRegisters {
 public:
  // The core's registers begin at this physical address. Throws Error when they cannot be mapped. System and map must
  // outlive this.
  CoreLink(System& system, const RunProtocol& map, uint64_t address);

  const RunProtocol& map() const { return map_; }
  // "by /dev/uio0 and its interrupt", "by /dev/mem, polled"
  std::string description() const;

  // Throws Error unless the registers say that this is a core of that configuration. REQUIRES: map().is_core
  void require_core(const isa::Config& config);

  // By byte offset.
  uint32_t read(uint32_t offset) override { return window_.read(offset); }
  void write(uint32_t offset, uint32_t value) override { window_.write(offset, value); }

  // Where a program lies, in physical addresses that have 32 bits.
  struct Start {
    uint32_t insn_address;
    uint32_t insn_count;
    uint32_t memory_last;  // the last byte that it may touch
  };
  // Takes back what the run before left, and starts. False when done cannot be taken back by writing: then a run of one
  // instruction that does nothing must come first, by start_anyway(), until is_done() is false.
  bool start(const Start& start);
  void start_anyway(const Start& start);
  // Takes back that a run has ended: its interrupt goes with that.
  void acknowledge() { apply(map_.clear, {}); }
  bool is_done() { return map_.done.holds(read(map_.done.offset)); }
  // Whether nothing runs, as far as the map can tell.
  bool is_idle() { return !map_.idle || map_.idle->holds(read(map_.idle->offset)); }

  // Whether a run was started whose end nobody has seen.
  bool may_run() const { return may_run_; }
  // Waits until nothing runs; false when something still does after so long.
  bool wait_idle(double seconds);
  // Ends what runs, if the map says how: within milliseconds, unless the memory does not answer. False when it still
  // runs after a second, or the map does not say.
  bool abort();

  enum class End { kDone, kError, kTimedOut, kStopped };
  // Until the run that was started ends. After kStopped and kTimedOut it goes on.
  End wait(double seconds, const std::stop_token& stop);

  // Waits in which the run ended and no interrupt had come. After a few, interrupts are no longer waited for.
  int lost_interrupts() const { return lost_interrupts_; }

 private:
  void apply(const std::vector<RunProtocol::Write>& writes, const Start& start);
  bool uses_interrupt() const;
  std::chrono::steady_clock::time_point after(double seconds) const;
  void pause(int times, std::chrono::steady_clock::time_point end);

  System& system_;
  const RunProtocol& map_;
  RegisterWindow window_;
  int lost_interrupts_ = 0;
  bool may_run_ = false;
  bool waited_in_vain_ = false;  // for the interrupt of this run
};

}  // namespace vantage::boards
