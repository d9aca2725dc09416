#include "sim/systemc/store_stage.h"

#include <algorithm>

namespace vantage::systemc {

StoreStage::StoreStage(sc_core::sc_module_name name, Clock& clock, Guard& guard, RunControl& control,
                       CommandQueue& queue, TokenQueue& from_compute, TokenQueue& to_compute, AxiPort& port)
    : sc_module(name),
      clock_(clock),
      guard_(guard),
      control_(control),
      from_compute_(from_compute),
      to_compute_(to_compute),
      port_(port),
      slot_(queue, control, FailureCause::kStoreStage),
      wake_("wake"),
      ends_("ends"),
      issued_(clock, ends_) {
  port.connect(*this);
  SC_METHOD(on_wake);
  sensitive << wake_ << queue.arrived() << from_compute.available();
  dont_initialize();
  SC_METHOD(on_end);
  sensitive << ends_;
  dont_initialize();
}

void StoreStage::restart(unsigned beat_log) {
  wake_.cancel();
  slot_.restart();
  issued_.restart();
  retired_at_ = kNever;
  meter_ = {};
  meter_.record(control_.recorded_token_waits(), isa::Stage::kStore);
  cutter_ = BurstCutter(beat_log);
  asking_ = false;
  asked_from_ = free_from_ = Cycle();
  addresses_ = responses_ = 0;
  ends_store_.clear();
  bursts_.clear();
  beats_ = 0;
  next_read_ = next_send_ = next_pass_ = Cycle();
}

// When a store can be issued; kNever: not before something that is to come, which wakes the stage.
Cycle StoreStage::ready_from(Cycle now, bool moves_nothing) const {
  if (moves_nothing) return issued_.empty() ? std::max(now, meter_.free_from()) : kNever;
  // What retires in this cycle still counts
  const size_t under_way = issued_.size() + (retired_at_ == now ? 1 : 0);
  if (asking_ || issued_.size() >= timing::kStores) return kNever;
  if (under_way >= timing::kStores) return now + 1;
  return std::max(now, free_from_);
}

void StoreStage::issue() {
  if (!slot_.fill()) return;
  const Cycle now = clock_.now();
  if (now < slot_.ready()) return clock_.notify(wake_, slot_.ready());
  if (control_.halted(now) || !slot_.is_legal(now)) return;
  const isa::Deps& deps = isa::deps(slot_.command().insn);
  const isa::Transfer& transfer = *isa::transfer(slot_.command().insn);
  const Cycle token = deps.pop_prev ? from_compute_.available_from() : Cycle();
  if (token > now) return;  // the queue tells when
  const Cycle from = ready_from(now, transfer.moves_nothing());
  if (from == kNever) return;
  if (from > now) return clock_.notify(wake_, from);

  if (!control_.execute(slot_.command(), now)) return;
  if (deps.pop_prev) from_compute_.pop(now);
  if (issued_.empty()) meter_.waited_for_tokens(slot_.ready(), token);
  const isa::Config& config = control_.context().config;
  if (transfer.moves_nothing()) {
    retire(slot_.take(now), now, now);
  } else {
    const auto element = static_cast<uint32_t>(config.element_size(transfer.memory).count());
    const bool adjoining = transfer.x_stride == transfer.x_size;
    cutter_.start({transfer.dram_base * element, transfer.x_size * element * (adjoining ? transfer.y_size : 1),
                   adjoining ? 1 : transfer.y_size, transfer.x_stride * element});
    issued_.push(slot_.take(now), now);
    asking_ = true;
    all_sent_ = false;
    first_sent_.reset();
    asked_from_ = timing::first_burst(now);
    next_read_ = std::max(next_read_, timing::first_read(now));
    request();
  }
  if (slot_.fill()) clock_.notify(wake_, slot_.ready());
}

// Sends the next address, once there is room for its response.
void StoreStage::request() {
  Cycle from = asked_from_;
  if (addresses_ >= timing::kWriteBursts) {
    const uint64_t needed = addresses_ - timing::kWriteBursts;
    if (needed >= responses_) return;
    from = std::max(from, timing::store_ends(response_cycles_[needed % timing::kWriteBursts]) + 1);
  }
  port_.request_write(from, cutter_.burst());
}

void StoreStage::address_sent(Cycle at) {
  const bool last = cutter_.is_last();
  bursts_.push_back({at, cutter_.beats(), last});
  ends_store_.push_back(last);
  cutter_.next();
  ++addresses_;
  asked_from_ = at + 1;
  all_sent_ = last;
  if (!last) request();
}

WriteBeats StoreStage::address_taken(Cycle at, uint64_t step, uint64_t pause) {
  const Burst burst = bursts_.front();
  bursts_.pop_front();
  WriteBeats passes{};
  Cycle read, first, send = std::max(next_send_, timing::after_address(burst.sent)),
                     pass = std::max(next_pass_, at + 1);
  for (unsigned i = 0; i < burst.beats; ++i) {
    Cycle& sent = sent_[beats_ % timing::kStoreBeats];  // of the beat whose place this one takes, there and behind
    Cycle& passed = passed_[beats_ % kShownBeats];
    read = beats_ < timing::kStoreBeats ? next_read_ : std::max(next_read_, sent + 1);
    send = std::max(send, timing::packed(read));
    if (beats_ >= kShownBeats) send = std::max(send, passed + 1);
    pass = std::max(pass, timing::data_shown(send));
    if (i == 0) passes.first = pass, first = send;
    sent = send;
    control_.busy(isa::Stage::kStore, {send, 1, 1});
    passed = passes.last = pass;
    next_read_ = read + 1;
    send += 1;
    pass += step;
    ++beats_;
  }
  next_send_ = send;
  next_pass_ = pass + pause;
  meter_.was_busy(burst.beats);

  if (!first_sent_) first_sent_ = first;
  if (burst.last) {
    control_.worked(issued_.newest(), sim::Engine::kStore, *first_sent_, send - 1);
    asking_ = false;
    free_from_ = std::max(at, read) + 1;
    clock_.notify(wake_, free_from_);
  }
  return passes;
}

void StoreStage::response_comes(Cycle at) {
  response_cycles_[responses_++ % timing::kWriteBursts] = at;
  const bool ends_store = ends_store_.front();
  ends_store_.pop_front();
  if (ends_store) {
    issued_.set_end(timing::store_ends(at));
  }
  if (asking_ && !all_sent_) request();
}

void StoreStage::retire() {
  const Cycle now = clock_.now();
  const IssuedTransfers::Life life = issued_.retire();
  retired_at_ = now;
  retire(life.command, life.issued, now);
  if (slot_.waiting()) clock_.notify(wake_, now + 1);
}

void StoreStage::retire(const Command& command, Cycle issued, Cycle now) {
  meter_.was_under_way(issued, now);
  if (isa::deps(command.insn).push_prev) to_compute_.push(now);
  control_.retired(command, issued, now);
}

Cycle StoreStage::quiet_from() const {
  return std::max(meter_.free_from(), slot_.waits_from());
}

sim::StageCycles StoreStage::table(Cycle end) {
  slot_.count_wait(meter_, from_compute_, &isa::Deps::pop_prev, end);
  return meter_.table(end);
}

}  // namespace vantage::systemc
