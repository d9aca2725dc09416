// The load stage: INP and WGT from memory into their scratchpads.
#pragma once

#include "sim/systemc/issued_transfers.h"
#include "sim/systemc/read_dma.h"
#include "sim/systemc/stage_meter.h"
#include "sim/systemc/token_queue.h"
#include "sim/systemc/transfer_slot.h"

namespace vantage::systemc {

class LoadStage : public sc_core::sc_module, public DmaClient {
 public:
  SC_HAS_PROCESS(LoadStage);
  LoadStage(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control, CommandQueue& queue,
            TokenQueue& from_compute, TokenQueue& to_compute, AxiPort& port);

  void restart(unsigned beat_log);

  // Once nothing happens any more: the instruction that waits to be issued; since when nothing else does; and the
  // cycles of a run that took so many.
  const Command* waiting() const { return slot_.waiting(); }
  Cycle quiet_from() const;
  sim::StageCycles table(Cycle cycles);
  Cycle free_from() const { return meter_.free_from(); }

  void all_asked_for(Cycle at) override { clock_.notify(wake_, at); }
  void writes(const Progression& writes) override { meter_.was_busy(writes.count); }
  void transfer_ends(Cycle at) override;

 private:
  void on_wake() {
    guard_.run([this] { issue(); });
  }
  void on_end() {
    guard_.run([this] { retire(); });
  }
  void issue();
  void retire();

  Clock& clock_;
  Guard& guard_;
  RunControl& control_;
  TokenQueue& from_compute_;
  TokenQueue& to_compute_;
  TransferSlot slot_;
  ReadDma dma_;
  sc_core::sc_event wake_, ends_;
  IssuedTransfers issued_;
  StageMeter meter_;
};

}  // namespace vantage::systemc
