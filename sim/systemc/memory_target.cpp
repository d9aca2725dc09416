#include "sim/systemc/memory_target.h"

#include "base/error.h"

namespace vantage::systemc {

namespace {

AxiTiming& timing_of(tlm::tlm_generic_payload& payload) {
  AxiTiming* timing = payload.get_extension<AxiTiming>();
  if (timing == nullptr) fail("this memory needs AxiTiming with every burst (sim/systemc/axi_transport.h)");
  return *timing;
}

}  // namespace

MemoryTarget::MemoryTarget(sc_core::sc_module_name name, const Clock& clock, Guard& guard)
    : sc_module(name),
      read_socket("read"),
      write_socket("write"),
      clock_(clock),
      guard_(guard),
      read_taken_("read_taken"),
      write_taken_("write_taken") {
  read_socket.bind(*this);
  write_socket.bind(*this);
  SC_METHOD(on_read_taken);
  sensitive << read_taken_;
  dont_initialize();
  SC_METHOD(on_write_taken);
  sensitive << write_taken_;
  dont_initialize();
}

void MemoryTarget::restart(const MemoryTiming& timing, Bytes beat) {
  read_taken_.cancel();
  write_taken_.cancel();
  // Of a run that ended without waiting for them
  for (auto* waiting : {&waiting_read_, &waiting_write_}) {
    if (*waiting) (*waiting)->payload->release();
    waiting->reset();
  }
  memory_.emplace(timing, beat);
}

// Banks see addresses in the order of the cycles in which they are taken, a read before a write: a burst that waits is
// taken ahead of one that comes later.

void MemoryTarget::take_read(AxiTiming& timing, uint64_t address, Cycle at) {
  if (waiting_write_ && !waiting_write_->done && waiting_write_->taken < at) take(*waiting_write_);
  const auto beats = memory_->read(at, address, timing.beats);
  timing.known = true;
  timing.taken = at;
  timing.first_beat = beats.first;
  timing.beat_step = beats.step;
}

void MemoryTarget::take_write(AxiTiming& timing, uint64_t address, Cycle at) {
  if (waiting_read_ && !waiting_read_->done && waiting_read_->taken <= at) take(*waiting_read_);
  timing.pause = memory_->write(at, address, timing.beats);
  timing.known = true;
  timing.taken = at;
  timing.beat_step = memory_->step();
}

void MemoryTarget::take(Waiting& waiting) {
  waiting.done = true;
  tlm::tlm_generic_payload& payload = *waiting.payload;
  if (payload.is_read()) {
    take_read(timing_of(payload), payload.get_address(), waiting.taken);
  } else {
    take_write(timing_of(payload), payload.get_address(), waiting.taken);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum MemoryTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                 sc_core::sc_time&) {
  return payload.is_read() ? read(payload) : write(payload, phase);
}

void MemoryTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

tlm::tlm_sync_enum MemoryTarget::read(tlm::tlm_generic_payload& payload) {
  AxiTiming& timing = timing_of(payload);
  const Cycle taken = memory_->read_ready_from(timing.shown);
  if (taken != timing.shown) {
    payload.acquire();
    waiting_read_ = {&payload, taken};
    read_taken_.notify(clock_.until(taken));
    return tlm::TLM_ACCEPTED;
  }
  take_read(timing, payload.get_address(), taken);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return tlm::TLM_COMPLETED;
}

void MemoryTarget::answer_read() {
  if (!waiting_read_->done) take(*waiting_read_);
  tlm::tlm_generic_payload& payload = *waiting_read_->payload;
  waiting_read_.reset();
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.until(timing_of(payload).first_beat);
  read_socket->nb_transport_bw(payload, phase, delay);
  payload.release();
}

tlm::tlm_sync_enum MemoryTarget::write(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  AxiTiming& timing = timing_of(payload);
  if (phase == END_WRITE_DATA) {
    timing.response = memory_->write_beat(timing.shown, true);
    return tlm::TLM_COMPLETED;
  }
  const Cycle taken = memory_->write_ready_from(timing.shown);
  if (taken != timing.shown) {
    payload.acquire();
    waiting_write_ = {&payload, taken};
    write_taken_.notify(clock_.until(taken));
    return tlm::TLM_ACCEPTED;
  }
  take_write(timing, payload.get_address(), taken);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void MemoryTarget::answer_write() {
  // After a read of the same cycle
  if (!waiting_write_->last_in_cycle) {
    waiting_write_->last_in_cycle = true;
    write_taken_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  if (!waiting_write_->done) take(*waiting_write_);
  tlm::tlm_generic_payload& payload = *waiting_write_->payload;
  waiting_write_.reset();
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  write_socket->nb_transport_bw(payload, phase, delay);
  payload.release();
}

}  // namespace vantage::systemc
