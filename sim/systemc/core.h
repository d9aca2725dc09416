// The VTA core in SystemC: its modules, connected as docs/hardware.md shows them, and a run through them.
//
// A core is elaborated once, as SystemC demands, and then runs any number of programs of any configuration, one after
// another; a run leaves nothing behind. Bind port().read_socket and write_socket to a memory before the first run.
//
// Thread safety: none; SystemC has one kernel for a process.
#pragma once

#include <functional>
#include <string>

#include "sim/systemc/compute_stage.h"
#include "sim/systemc/fetch.h"
#include "sim/systemc/load_stage.h"
#include "sim/systemc/store_stage.h"

namespace vantage::systemc {

class Core : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Core);
  explicit Core(sc_core::sc_module_name name);

  Clock& clock() { return clock_; }
  Guard& guard() { return guard_; }
  AxiPort& port() { return port_; }

  // Runs a program to its end; SystemC's time goes on by its cycles. `begin` is called in cycle 0, before anything
  // happens. Throws what the modules throw.
  sim::RunResult run(const RunContext& context, const std::function<void()>& begin);

  // The instructions, what engines and stages did, and the bursts of the last run, when it was recorded.
  const std::vector<isa::Insn>& insns() const { return control_.insns(); }
  const std::vector<sim::EngineWork>& work() const { return control_.work(); }
  const std::vector<sim::StageBusy>& busy() const { return control_.busy(); }
  const std::vector<sim::TokenWait>& token_waits() const { return control_.token_waits(); }
  const std::vector<sim::ScratchpadUse>& uses() const { return control_.uses(); }
  const std::vector<BurstRecord>& bursts() const { return port_.records(); }

 private:
  std::array<TokenQueue*, 4> token_queues() {
    return {&load_to_compute_, &compute_to_load_, &compute_to_store_, &store_to_compute_};
  }
  std::array<CommandQueue*, 3> command_queues() { return {&load_queue_, &compute_queue_, &store_queue_}; }

  void restart(const RunContext& context);
  bool stands_still() const;
  void explain_deadlock();
  void on_watchdog() {
    guard_.run([this] { watchdog(); });
  }
  void watchdog();
  void time_out(Cycle at);
  Cycle end_of_failed(Cycle stages_ended) const;
  std::string tokens_left() const;

  Clock clock_;
  Guard guard_;
  RunControl control_;
  sc_core::sc_event watchdog_{"watchdog"};
  AxiPort port_;
  TokenQueue load_to_compute_, compute_to_load_, compute_to_store_, store_to_compute_;
  CommandQueue load_queue_, compute_queue_, store_queue_;
  Dispatch dispatch_;
  Fetch fetch_;
  LoadStage load_;
  ComputeStage compute_;
  StoreStage store_;
};

}  // namespace vantage::systemc
