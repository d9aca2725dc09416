// Reads the program from memory, in bursts, and hands its instructions to dispatch, as far ahead of time as is known.
#pragma once

#include <array>
#include <deque>

#include "sim/systemc/axi_port.h"
#include "sim/systemc/dispatch.h"

namespace vantage::systemc {

class Fetch : public sc_core::sc_module, public ReadClient {
 public:
  // `queues`: that may stop dispatch, by isa::Stage.
  SC_HAS_PROCESS(Fetch);
  Fetch(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control, Dispatch& dispatch,
        const std::array<CommandQueue*, 3>& queues, AxiPort& port);

  // A run begins: the first burst is shown in cycle 0.
  void restart(unsigned beat_log);

  void granted(Cycle at) override;
  void beats_come(const Progression& beats) override;

  // The run has failed: nothing is handed on from the next cycle on. Happens by itself while SystemC runs.
  void halt();
  // When fetch has thrown away what it had asked for. REQUIRES: the run has failed, and nothing happens any more.
  Cycle idle_from() const;

 private:
  void request();
  Cycle room_for_burst() const;
  void on_room() {
    guard_.run([this] { resume(); });
  }
  void on_fail() {
    guard_.run([this] { fail(); });
  }
  // A run whose end stopped the simulation may leave this for the next one.
  void on_halt() {
    if (control_.failed()) guard_.run([this] { halt(); });
  }
  void resume();
  void fail();
  void progress(Cycle from);
  bool hand_on(Cycle at);
  void pop(Cycle given, Cycle at, bool hands_on);
  uint32_t insns() const;

  Clock& clock_;
  Guard& guard_;
  RunControl& control_;
  Dispatch& dispatch_;
  AxiPort& port_;
  sc_core::sc_event fails_;

  // Bursts
  BurstCutter cutter_;
  bool asking_ = false;
  Cycle asked_from_;
  uint64_t asked_ = 0;
  bool dropped_ = false;  // a burst that was not shown in time
  // From the cycle after this on nothing more is asked for, and beats are thrown away
  Cycle stop_ = kNever;

  // Beats in the buffer or known to come
  std::deque<Progression> beats_;
  struct Pop {
    Cycle given, at;
    bool hands_on;  // with an instruction
  };
  std::array<Pop, timing::kFetchBeats> pops_{};  // the last, a ring
  uint64_t popped_ = 0;
  Cycle next_pop_;

  // Instructions: two beats each, or several in a beat
  unsigned insns_per_beat_ = 0;
  unsigned slot_ = 0;   // in the beat at the head; whether it is an instruction's second
  uint32_t index_ = 0;  // of the next
  Cycle next_dispatch_;
  std::string error_;   // why the bits of the next are none
  bool ended_ = false;  // nothing more is handed on
  bool stuck_ = false;  // the next waits for room in its queue
};

}  // namespace vantage::systemc
