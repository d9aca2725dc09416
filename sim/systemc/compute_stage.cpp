#include "sim/systemc/compute_stage.h"

#include <algorithm>

namespace vantage::systemc {

ComputeStage::ComputeStage(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control,
                           CommandQueue& queue, const Tokens& tokens, AxiPort& port)
    : sc_module(name),
      clock_(clock),
      guard_(guard),
      control_(control),
      queue_(queue),
      tokens_(tokens),
      dma_(*this, port, Requester::kCompute),
      wake_("wake"),
      retires_("retires") {
  SC_METHOD(on_wake);
  sensitive << wake_ << queue.arrived() << tokens.from_load.available() << tokens.from_store.available();
  dont_initialize();
  SC_METHOD(on_end);
  sensitive << retires_;
  dont_initialize();
}

void ComputeStage::restart(unsigned beat_log) {
  wake_.cancel();
  retires_.cancel();
  dma_.restart(beat_log);
  check_.reset();
  slot_.reset();
  check_free_ = slot_free_ = Cycle();
  gemm_ = vector_ = {};
  loading_halves_ = {};
  halves_loaded_ = {};
  loading_uops_ = 0;
  uops_loaded_ = Cycle();
  lives_.clear();
  retired_at_ = kNever;
  transfers_free_from_ = Cycle();
  meter_ = {};
  meter_.record(control_.recorded_token_waits(), isa::Stage::kCompute);
  busy_ = {};
}

// Check ---------------------------------------------------------------------------------------------------------------

// Brings the next instructions into the check and from there into the slot, as far as is known when they get there.
void ComputeStage::fill_slot() {
  for (;;) {
    if (!check_ && !queue_.empty()) {
      const Cycle leaves = timing::leaves_queue(queue_.front().dispatched);
      check_ = {queue_.pop(), std::max(leaves, check_free_), std::nullopt};
    }
    if (!check_) return;
    if (!check_->checked) begin_check();
    if (!check_->checked || slot_) return;
    check_free_ = std::max(check_->checked->done, slot_free_);
    slot_ = {std::move(check_->command), std::move(*check_->checked), timing::issued_after_check(check_free_)};
    check_.reset();
  }
}

void ComputeStage::begin_check() {
  Cycle begun = timing::check_begins(check_->taken);
  if (reads_uops(check_->command.insn)) {
    if (loading_uops_ != 0 || (slot_ && slot_->checked.is_uop_load)) return;
    begun = std::max(begun, uops_loaded_);
  }
  check_->checked = check_compute(check_->command.insn, control_.context(), begun);
}

// Issue ---------------------------------------------------------------------------------------------------------------

Cycle ComputeStage::tokens_from(const isa::Deps& deps) const {
  return std::max(deps.pop_prev ? tokens_.from_load.available_from() : Cycle(),
                  deps.pop_next ? tokens_.from_store.available_from() : Cycle());
}

// When the slot's instruction can be issued; kNever: not before something that is to come, which wakes the stage.
Cycle ComputeStage::ready_from(Cycle now) const {
  const Cycle tokens = tokens_from(isa::deps(slot_->command.insn));
  if (tokens > now) return kNever;
  if (lives_.size() >= timing::kComputeInsns) return kNever;
  // What retires in this cycle still counts
  const bool full = retired_at_ == now && lives_.size() + 1 >= timing::kComputeInsns;
  return engine_from(full ? now + 1 : now);
}

Cycle ComputeStage::engine_from(Cycle from) const {
  const Checked& c = slot_->checked;
  const auto after_loads = [&] {
    for (unsigned h = 0; h < 2; ++h) {
      if (((c.halves >> h) & 1) && loading_halves_[h] != 0) return kNever;
    }
    return core::latest_of(c.halves, halves_loaded_);
  };
  switch (c.engine) {
    case Engine::kNone: break;
    case Engine::kDma:
      if (c.is_uop_load) return dma_.ready_from(std::max({from, gemm_.has_read(c.uops), vector_.has_read(c.uops)}));
      return dma_.ready_from(std::max({from, gemm_.frees(c.halves), vector_.frees(c.halves)}));
    case Engine::kGemm: return std::max({from, gemm_.takes_next_from(), vector_.frees(c.halves), after_loads()});
    case Engine::kVector: return std::max({from, vector_.takes_next_from(), gemm_.frees(c.halves), after_loads()});
  }
  return from;
}

void ComputeStage::issue() {
  fill_slot();
  if (!slot_) return;
  const Cycle now = clock_.now();
  if (now < slot_->ready) return clock_.notify(wake_, slot_->ready);
  if (control_.halted(now)) return;
  if (slot_->checked.illegal) {
    return control_.refuse(FailureCause::kComputeStage, now, slot_->command, *slot_->checked.illegal);
  }
  const Cycle from = ready_from(now);
  if (from == kNever) return;
  if (from > now) return clock_.notify(wake_, from);
  if (!start(now)) return;
  fill_slot();
  if (slot_) clock_.notify(wake_, slot_->ready);
}

// False when the run's limit of steps forbids it.
bool ComputeStage::start(Cycle now) {
  const Checked& c = slot_->checked;
  if (!control_.execute(slot_->command, now)) return false;
  const isa::Deps deps = isa::deps(slot_->command.insn);
  if (lives_.empty()) meter_.waited_for_tokens(slot_->ready, tokens_from(deps));
  if (deps.pop_prev) tokens_.from_load.pop(now);
  if (deps.pop_next) tokens_.from_store.pop(now);
  Cycle ends = kNever;
  switch (c.engine) {
    case Engine::kNone: ends = timing::nothing_ends(now); break;
    case Engine::kGemm: ends = run_nest(gemm_, timing::kGemm, now); break;
    case Engine::kVector: ends = run_nest(vector_, timing::kVector, now); break;
    case Engine::kDma:
      if (c.is_uop_load) ++loading_uops_;
      for (unsigned h = 0; h < 2; ++h) loading_halves_[h] += (c.halves >> h) & 1;
      break;
  }
  lives_.push_back({std::move(slot_->command), now, c.is_uop_load, c.halves, ends});
  const Checked started = std::move(slot_->checked);
  slot_.reset();
  slot_free_ = now;
  queue_.issued();
  const Command& command = lives_.back().command;
  if (started.engine == Engine::kGemm)
    control_.worked(command, sim::Engine::kGemm, gemm_.first_step(), gemm_.last_step());
  if (started.engine == Engine::kVector) {
    control_.worked(command, sim::Engine::kAlu, vector_.first_step(), vector_.last_step());
  }
  if (started.engine == Engine::kDma) dma_.issue(started.transfer, now);
  if (lives_.size() == 1) expect_retirement();
  return true;
}

// The nest's end.
Cycle ComputeStage::run_nest(core::NestEngine& engine, const timing::Pipeline& pipeline, Cycle now) {
  const Checked& c = slot_->checked;
  const Cycle ends = engine.run(pipeline, c.steps, c.halves, c.uops, now);
  busy_.holds(now, ends);
  control_.busy(isa::Stage::kCompute, {now + 1, 1, ends - now});
  return ends;
}

// Ends ----------------------------------------------------------------------------------------------------------------

void ComputeStage::transfer_ends(Cycle at, Cycle turn) {
  const auto life = std::find_if(lives_.begin(), lives_.end(), [](const Life& l) { return l.ends == kNever; });
  life->ends = at;
  transfers_free_from_ = at + 1;
  control_.worked(life->command, sim::Engine::kComputeDma, dma_.first_write(), at);
  const Cycle after = timing::after_load(at);
  if (life->loads_uops) {
    --loading_uops_;
    uops_loaded_ = after;
  }
  for (unsigned h = 0; h < 2; ++h) {
    if (((life->halves >> h) & 1) == 0) continue;
    --loading_halves_[h];
    halves_loaded_[h] = after;
  }
  if (life == lives_.begin()) expect_retirement();
  // A load that waits for a place behind the next one's turn goes first
  clock_.notify(wake_, slot_ && slot_->checked.engine == Engine::kDma ? turn + 1 : after);
}

void ComputeStage::expect_retirement() {
  if (lives_.empty() || lives_.front().ends == kNever) return;
  const Cycle after_last = retired_at_ == kNever ? Cycle() : retired_at_ + 1;
  clock_.notify(retires_, std::max(lives_.front().ends, after_last));
}

void ComputeStage::retire() {
  const Cycle now = clock_.now();
  const Life life = std::move(lives_.front());
  lives_.pop_front();
  retired_at_ = now;
  expect_retirement();
  busy_.settle(now);
  meter_.was_under_way(life.issued, now);
  const isa::Deps& deps = isa::deps(life.command.insn);
  if (deps.push_prev) tokens_.to_load.push(now);
  if (deps.push_next) tokens_.to_store.push(now);
  control_.retired(life.command, life.issued, now);
  if (slot_) clock_.notify(wake_, now + 1);
}

Cycle ComputeStage::quiet_from() const {
  return std::max(meter_.free_from(), slot_ ? slot_->ready : Cycle());
}

sim::StageCycles ComputeStage::table(Cycle end) {
  busy_.settle(kNever);
  meter_.was_busy(busy_.cycles(end));
  if (slot_ && slot_->command.dispatched <= control_.failed_at() && slot_->ready < end && !slot_->checked.illegal) {
    meter_.waited_for_tokens(slot_->ready, std::min(end, tokens_from(isa::deps(slot_->command.insn))));
  }
  return meter_.table(end);
}

}  // namespace vantage::systemc
