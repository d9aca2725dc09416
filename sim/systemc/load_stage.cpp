#include "sim/systemc/load_stage.h"

#include <algorithm>

namespace vantage::systemc {

LoadStage::LoadStage(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control, CommandQueue& queue,
                     TokenQueue& from_compute, TokenQueue& to_compute, AxiPort& port)
    : sc_module(name),
      clock_(clock),
      guard_(guard),
      control_(control),
      from_compute_(from_compute),
      to_compute_(to_compute),
      slot_(queue, control, FailureCause::kLoadStage),
      dma_(*this, port, Requester::kLoad),
      wake_("wake"),
      ends_("ends"),
      issued_(clock, ends_) {
  SC_METHOD(on_wake);
  sensitive << wake_ << queue.arrived() << from_compute.available();
  dont_initialize();
  SC_METHOD(on_end);
  sensitive << ends_;
  dont_initialize();
}

void LoadStage::restart(unsigned beat_log) {
  wake_.cancel();
  slot_.restart();
  dma_.restart(beat_log);
  issued_.restart();
  meter_ = {};
  meter_.record(control_.recorded_token_waits(), isa::Stage::kLoad);
}

void LoadStage::issue() {
  if (!slot_.fill()) return;
  const Cycle now = clock_.now();
  if (now < slot_.ready()) return clock_.notify(wake_, slot_.ready());
  if (control_.halted(now) || !slot_.is_legal(now)) return;
  const isa::Deps& deps = isa::deps(slot_.command().insn);
  const Cycle token = deps.pop_next ? from_compute_.available_from() : Cycle();
  if (token > now) return;  // the queue tells when
  const Cycle from = dma_.ready_from(now);
  if (from == kNever) return;  // the DMA tells when
  if (from > now) return clock_.notify(wake_, from);

  if (!control_.execute(slot_.command(), now)) return;
  if (deps.pop_next) from_compute_.pop(now);
  if (issued_.empty()) meter_.waited_for_tokens(slot_.ready(), token);
  const DmaTransfer transfer = DmaTransfer::of(*isa::transfer(slot_.command().insn), control_.context().config);
  issued_.push(slot_.take(now), now);
  dma_.issue(transfer, now);
  if (slot_.fill()) clock_.notify(wake_, slot_.ready());
}

void LoadStage::transfer_ends(Cycle at, Cycle turn) {
  control_.worked(issued_.set_end(at), sim::Engine::kLoadDma, dma_.first_write(), at);
  clock_.notify(wake_, turn + 1);
}

void LoadStage::retire() {
  const Cycle now = clock_.now();
  const IssuedTransfers::Life life = issued_.retire();
  meter_.was_under_way(life.issued, now);
  if (isa::deps(life.command.insn).push_next) to_compute_.push(now);
  control_.retired(life.command, life.issued, now);
}

Cycle LoadStage::quiet_from() const {
  return std::max(meter_.free_from(), slot_.waits_from());
}

sim::StageCycles LoadStage::table(Cycle end) {
  slot_.count_wait(meter_, from_compute_, &isa::Deps::pop_next, end);
  return meter_.table(end);
}

}  // namespace vantage::systemc
