#include "sim/systemc/core.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>

#include "hw/isa/tokens.h"

namespace vantage::systemc {

using isa::Stage;
using sim::RunStatus;

namespace {

// In cycles: a memory that has events of its own and has not answered for so long never will.
constexpr uint64_t kPatience = 20'000'000;

}  // namespace

Core::Core(sc_core::sc_module_name name)
    : sc_module(name),
      port_("port", clock_, guard_),
      load_to_compute_("load_to_compute", clock_),
      compute_to_load_("compute_to_load", clock_),
      compute_to_store_("compute_to_store", clock_),
      store_to_compute_("store_to_compute", clock_),
      load_queue_("load_queue", clock_),
      compute_queue_("compute_queue", clock_),
      store_queue_("store_queue", clock_),
      dispatch_("dispatch", control_, {&load_queue_, &compute_queue_, &store_queue_}),
      fetch_("fetch", clock_, guard_, control_, dispatch_, {&load_queue_, &compute_queue_, &store_queue_}, port_),
      load_("load", clock_, guard_, control_, load_queue_, compute_to_load_, load_to_compute_, port_),
      compute_("compute", clock_, guard_, control_, compute_queue_,
               {load_to_compute_, store_to_compute_, compute_to_load_, compute_to_store_}, port_),
      store_("store", clock_, guard_, control_, store_queue_, compute_to_store_, store_to_compute_, port_) {
  SC_METHOD(on_watchdog);
  sensitive << watchdog_;
  dont_initialize();
}

void Core::restart(const RunContext& context) {
  const auto beat_bytes = static_cast<unsigned>(context.config.bus_width().count());
  const auto beat_log = static_cast<unsigned>(std::countr_zero(beat_bytes));
  clock_.restart(context.config.clock_mhz());
  guard_.restart();
  control_.restart(context);
  port_.restart(beat_bytes, context.record);
  for (TokenQueue* queue : token_queues()) queue->restart();
  for (CommandQueue* queue : command_queues()) queue->restart();
  dispatch_.restart();
  load_.restart(beat_log);
  compute_.restart(beat_log);
  store_.restart(beat_log);
  fetch_.restart(beat_log);
  // Not by the clock: nothing of the core happens then.
  watchdog_.cancel();
  const uint64_t limit = context.options.max_cycles;
  if (limit <= UINT32_MAX) watchdog_.notify(clock_.until(Cycle(limit)));
}

// The run goes on in the cycle behind its last. One that stands still since before is a deadlock.
void Core::watchdog() {
  if (control_.complete() || (clock_.latest() < clock_.now() && !port_.is_open())) return;
  time_out(clock_.now());
}

void Core::time_out(Cycle at) {
  control_.fail(FailureCause::kWatchdog, at, RunStatus::kTimedOut, sim::timed_out_message(control_.context().options));
}

sim::RunResult Core::run(const RunContext& context, const std::function<void()>& begin) {
  restart(context);
  begin();
  while (!control_.complete() && !guard_.failed() && sc_core::sc_pending_activity() && !stands_still()) {
    // Time stays where it is when nothing is to happen for longer: while a nest takes its many steps, say.
    const sc_core::sc_time next = sc_core::sc_time_to_pending_activity() + clock_.cycles(1);
    sc_core::sc_start(std::max(clock_.cycles(kPatience), next), sc_core::SC_EXIT_ON_STARVATION);
  }
  guard_.rethrow();
  if (!control_.complete() && port_.is_open()) fail("the memory hangs: {}", fmt::join(port_.unanswered(), "; "));
  if (!control_.complete() && !control_.failed()) {
    explain_deadlock();
    fetch_.halt();
  }

  const Cycle ended = std::max({load_.free_from(), compute_.free_from(), store_.free_from()});  // all stages
  // FINISH has retired in the cycle of the watchdog
  const uint64_t limit = context.options.max_cycles;
  if (control_.complete() && !control_.failed() && ended.number() > limit) time_out(Cycle(limit));
  sim::RunResult result = control_.take_result();
  Cycle end = ended;
  if (control_.failed()) {
    result.failed_at = Cycles(control_.failed_at().number());
    end = end_of_failed(ended);
  } else if (const std::string left = tokens_left(); !left.empty()) {
    result.warnings.push_back(fmt::format("tokens are left over at FINISH: {}", left));
  }
  result.cycles = Cycles(end.number());
  result.stages = {load_.table(end), compute_.table(end), store_.table(end)};
  return result;
}

// What is under way ends, but for nests that are dropped; fetch throws away what it has asked for, and the core is idle
// a cycle later. Cycles are not counted once FINISH has retired with all before it, be it too late.
Cycle Core::end_of_failed(Cycle stages_ended) const {
  const Cycle transfers = std::max({load_.free_from(), compute_.transfers_free_from(), store_.free_from()});
  const Cycle last = control_.drops() ? transfers : stages_ended;
  const Cycle idle = std::max({last, timing::stops_after(control_.failed_at()), fetch_.idle_from()}) + 1;
  return control_.complete() ? std::min(idle, stages_ended) : idle;
}

std::string Core::tokens_left() const {
  return isa::TokenCounts(
             {load_to_compute_.count(), compute_to_load_.count(), compute_to_store_.count(), store_to_compute_.count()})
      .leftover();
}

// Nothing will happen any more, whatever a memory with events of its own still does.
bool Core::stands_still() const {
  const Cycle quiet_from = clock_.latest() + (port_.is_open() ? kPatience : 1);
  return clock_.now() > quiet_from;
}

// Nothing happens any more, memory has answered, and the program is not done: tokens are missing.
void Core::explain_deadlock() {
  const auto blocked = [](Stage stage, const Command& command, const TokenQueue& prev) {
    const isa::Deps& deps = isa::deps(command.insn);
    const bool for_prev = deps.pop_prev && isa::pop_prev_queue(stage) && prev.count() == 0;
    return isa::BlockedStage{stage, command.index,
                             for_prev ? *isa::pop_prev_queue(stage) : *isa::pop_next_queue(stage)};
  };
  isa::Deadlock deadlock;
  std::map<size_t, isa::Insn> insns;
  const auto waits = [&](Stage stage, const Command* command, const TokenQueue& prev) {
    if (command == nullptr) return;
    deadlock.stages.push_back(blocked(stage, *command, prev));
    insns[command->index] = command->insn;
  };
  waits(Stage::kLoad, load_.waiting(), load_to_compute_);
  waits(Stage::kCompute, compute_.waiting(), load_to_compute_);
  waits(Stage::kStore, store_.waiting(), compute_to_store_);
  VANTAGE_CHECK(!deadlock.stages.empty());
  Cycle since = std::max({load_.quiet_from(), compute_.quiet_from(), store_.quiet_from()});
  if (const auto& stuck = dispatch_.stuck()) {
    since = std::max(since, stuck->since);
    deadlock.stuck_insn = stuck->command.index;
    insns[stuck->command.index] = stuck->command.insn;
  } else {
    VANTAGE_CHECK(control_.finish_dispatched());
    since = std::max(since, *control_.finish_dispatched() + 1);
  }
  control_.fail(FailureCause::kDeadlock, since, RunStatus::kDeadlock,
                isa::deadlock_message(deadlock, [&](size_t index) -> const isa::Insn& { return insns.at(index); }));
}

}  // namespace vantage::systemc
