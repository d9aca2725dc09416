// The compute stage: it loads micro-ops and accumulators, and runs GEMM, ALU, resets and FINISH, as docs/hardware.md
// tells. Instructions are checked, issued and retired in program order; in between, three engines work side by side.
// Here it is told only when; the functional kernels compute as an instruction is issued. All cycles are those of the
// run.
//
// Thread safety: none, as of everything that lives in SystemC's kernel.
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "hw/core/nest_engine.h"
#include "sim/systemc/busy_meter.h"
#include "sim/systemc/compute_check.h"
#include "sim/systemc/stage_meter.h"
#include "sim/systemc/token_queue.h"

namespace vantage::systemc {

class ComputeStage : public sc_core::sc_module, public DmaClient {
 public:
  struct Tokens {
    TokenQueue& from_load;
    TokenQueue& from_store;
    TokenQueue& to_load;
    TokenQueue& to_store;
  };

  SC_HAS_PROCESS(ComputeStage);
  ComputeStage(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control, CommandQueue& queue,
               const Tokens& tokens, AxiPort& port);

  // Begins a run with an empty stage. `beat_log`: log2 of the bytes of a beat.
  void restart(unsigned beat_log);

  // For the end of a run, when nothing happens any more: the instruction that waits to be issued, null if there is
  // none; and the first cycle from which on nothing has happened in the stage but that wait.
  const Command* waiting() const { return slot_ ? &slot_->command : nullptr; }
  Cycle quiet_from() const;
  // The stage's cycles in a run that is over at the beginning of cycle `end`, as docs/hardware.md counts them; and the
  // first cycle in which nothing of the stage is under way. REQUIRES: nothing happens any more.
  sim::StageCycles table(Cycle end);
  Cycle free_from() const { return meter_.free_from(); }
  // The first cycle in which none of its transfers is under way.
  Cycle transfers_free_from() const { return transfers_free_from_; }

  // What the stage's DMA tells (DmaClient).
  void all_asked_for(Cycle at) override { clock_.notify(wake_, at + 1); }
  void writes(const Progression& writes) override {
    busy_.writes(writes);
    control_.busy(isa::Stage::kCompute, writes);
  }
  void transfer_ends(Cycle at, Cycle turn) override;

 private:
  // In the check, and where a checked instruction waits to be issued
  struct InCheck {
    Command command;
    Cycle taken;
    std::optional<Checked> checked;
  };
  struct InSlot {
    Command command;
    Checked checked;
    Cycle ready;
  };
  // Issued and not retired
  struct Life {
    Command command;
    Cycle issued;
    bool loads_uops;
    unsigned halves;
    Cycle ends;  // kNever until known
  };
  void on_wake() {
    guard_.run([this] { issue(); });
  }
  void on_end() {
    guard_.run([this] { retire(); });
  }
  void issue();
  void fill_slot();
  void begin_check();
  Cycle tokens_from(const isa::Deps& deps) const;
  Cycle ready_from(Cycle now) const;
  Cycle engine_from(Cycle from) const;
  bool start(Cycle now);
  Cycle run_nest(core::NestEngine& engine, const timing::Pipeline& pipeline, Cycle now);
  void retire();
  void expect_retirement();

  Clock& clock_;
  Guard& guard_;
  RunControl& control_;
  CommandQueue& queue_;
  Tokens tokens_;
  ReadDma dma_;
  sc_core::sc_event wake_, retires_;

  std::optional<InCheck> check_;
  Cycle check_free_;
  std::optional<InSlot> slot_;
  Cycle slot_free_;

  core::NestEngine gemm_, vector_;
  // Loads under way that touch each half, and from when on it is free of others; the same for micro-ops
  std::array<unsigned, 2> loading_halves_{};
  std::array<Cycle, 2> halves_loaded_{};
  unsigned loading_uops_ = 0;
  Cycle uops_loaded_;

  std::deque<Life> lives_;
  Cycle retired_at_ = kNever;
  Cycle transfers_free_from_;
  StageMeter meter_;
  BusyMeter busy_;
};

}  // namespace vantage::systemc
