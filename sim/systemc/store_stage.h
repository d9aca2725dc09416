// The store stage: it brings OUT elements from the scratchpad to memory, as docs/hardware.md tells. Addresses, beats
// and responses go their ways side by side, each in the order of the stores. Here it is told only when; the functional
// kernels move the elements as an instruction is issued. All cycles are those of the run.
//
// Thread safety: none, as of everything that lives in SystemC's kernel.
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "sim/systemc/axi_port.h"
#include "sim/systemc/issued_transfers.h"
#include "sim/systemc/stage_meter.h"
#include "sim/systemc/token_queue.h"
#include "sim/systemc/transfer_slot.h"

namespace vantage::systemc {

class StoreStage : public sc_core::sc_module, public WriteClient {
 public:
  SC_HAS_PROCESS(StoreStage);
  StoreStage(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control, CommandQueue& queue,
             TokenQueue& from_compute, TokenQueue& to_compute, AxiPort& port);

  // Begins a run with an empty stage. `beat_log`: log2 of the bytes of a beat.
  void restart(unsigned beat_log);

  // For the end of a run, when nothing happens any more: the instruction that waits to be issued, null if there is
  // none; and the first cycle from which on nothing has happened in the stage but that wait.
  const Command* waiting() const { return slot_.waiting(); }
  Cycle quiet_from() const;
  // The stage's cycles in a run that is over at the beginning of cycle `end`, as docs/hardware.md counts them; and the
  // first cycle in which nothing of the stage is under way. REQUIRES: nothing happens any more.
  sim::StageCycles table(Cycle end);
  Cycle free_from() const { return meter_.free_from(); }

  // What the port tells (WriteClient).
  void address_sent(Cycle at) override;
  WriteBeats address_taken(Cycle at, uint64_t step, uint64_t pause) override;
  void response_comes(Cycle at) override;

 private:
  void on_wake() {
    guard_.run([this] { issue(); });
  }
  void on_end() {
    guard_.run([this] { retire(); });
  }
  void issue();
  void retire();
  void retire(const Command& command, Cycle issued, Cycle now);
  Cycle ready_from(Cycle now, bool moves_nothing) const;
  void request();

  Clock& clock_;
  Guard& guard_;
  RunControl& control_;
  TokenQueue& from_compute_;
  TokenQueue& to_compute_;
  AxiPort& port_;
  TransferSlot slot_;
  sc_core::sc_event wake_, ends_;
  IssuedTransfers issued_;
  Cycle retired_at_ = kNever;
  StageMeter meter_;

  // Addresses
  BurstCutter cutter_;
  bool asking_ = false;    // addresses of the last store are to be sent, or to be taken by memory
  bool all_sent_ = false;  // they are sent
  Cycle asked_from_;
  Cycle free_from_;                  // for the next store, unless asking_
  std::optional<Cycle> first_sent_;  // the first beat of the store whose addresses are sent
  // Bursts whose address is sent and not taken by memory
  struct Burst {
    Cycle sent;
    unsigned beats;
    bool last;
  };
  std::deque<Burst> bursts_;
  uint64_t addresses_ = 0, responses_ = 0;
  std::array<Cycle, timing::kWriteBursts> response_cycles_{};  // a ring
  std::deque<bool> ends_store_;                                // of the bursts without a response

  // Beats: sent into a register that shows one and holds one behind it
  static constexpr size_t kShownBeats = 2;
  uint64_t beats_ = 0;
  Cycle next_read_;
  Cycle next_send_;
  Cycle next_pass_;                                // of a beat to memory
  std::array<Cycle, timing::kStoreBeats> sent_{};  // a ring
  std::array<Cycle, kShownBeats> passed_{};        // another
};

}  // namespace vantage::systemc
