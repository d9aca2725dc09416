#include "sim/systemc/axi_port.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::systemc {

std::string_view name(Requester requester) {
  constexpr std::array<std::string_view, kRequesters> kNames = {"fetch", "load", "compute"};
  return kNames[static_cast<size_t>(requester)];
}

AxiPort::Transaction::Transaction(tlm::tlm_command command) {
  payload.set_mm(this);
  payload.set_extension(&timing);
  payload.set_command(command);
  payload.set_data_ptr(no_data.data());
  payload.acquire();  // the port's own reference, for ever
}

AxiPort::Transaction::~Transaction() {
  payload.clear_extension(&timing);
}

AxiPort::AxiPort(sc_core::sc_module_name name, Clock& clock, Guard& guard)
    : sc_module(name), read_socket("read"), write_socket("write"), clock_(clock), guard_(guard), wake_("wake") {
  read_socket.register_nb_transport_bw(this, &AxiPort::answer_read);
  write_socket.register_nb_transport_bw(this, &AxiPort::answer_write);
  SC_METHOD(on_wake);
  sensitive << wake_;
  dont_initialize();
}

void AxiPort::restart(unsigned beat_bytes, bool record) {
  wake_.cancel();
  running_ = false;
  beat_bytes_ = beat_bytes;
  record_ = record;
  records_.clear();
  requested_from_.fill(kNever);
  arbiter_ = {};
  grant_from_ = Cycle();
  read_addresses_ = write_addresses_ = {};
  asking_ = write_asking_ = nullptr;
  open_ = 0;
  open_reads_.clear();
  open_writes_.clear();
  data_free_ = response_free_ = Cycle();
  grants_ = reads_ = 0;
  for (Pool* pool : {&read_pool_, &write_pool_}) {
    for (const auto& t : pool->all) t->open = false;
  }
  write_from_ = kNever;
}

void AxiPort::wake(Cycle at) {
  if (at != kNever) clock_.notify(wake_, std::max(at, clock_.after(sc_core::SC_ZERO_TIME)));
}

// Flattened, because a burst passes through a dozen small functions.
[[gnu::flatten]] void AxiPort::send() {
  running_ = true;
  clock_.look_ahead();
  ahead_at_ = clock_.looked_ahead_at();
  ahead_ = sc_core::SC_ZERO_TIME;
  for (;;) {
    const Cycle limit = open_ == 0 ? clock_.horizon() : clock_.now();
    const Cycle granted = next_grant();
    const Cycle sent = std::max(write_from_, write_addresses_.room_from());
    const Cycle read = asking_ != nullptr || !read_addresses_.has_next() ? kNever : read_addresses_.shown_from();
    const Cycle write =
        write_asking_ != nullptr || !write_addresses_.has_next() ? kNever : write_addresses_.shown_from();
    const Cycle next = std::min({granted, sent, read, write});
    if (next == kNever) break;
    if (next > limit) {
      wake(next);
      break;
    }
    // In one cycle memory sees the read first
    if (next == granted) {
      grant(next);
    } else if (next == sent) {
      send_write_address(next);
    } else if (next == read) {
      send_read(next);
    } else {
      send_write(next);
    }
  }
  running_ = false;
}

// From this moment to cycle `at`, which never goes back while the port works ahead.
sc_core::sc_time AxiPort::delay_to(Cycle at) {
  VANTAGE_CHECK(at >= ahead_at_);
  ahead_ += clock_.cycles(at - ahead_at_);
  ahead_at_ = at;
  return ahead_;
}

// The cycle of the arbiter's next grant, as far as is known.
Cycle AxiPort::next_grant() const {
  const Cycle first = std::min({requested_from_[0], requested_from_[1], requested_from_[2]});
  if (first == kNever) return kNever;
  const Cycle at = std::max({first, grant_from_, read_addresses_.room_from()});
  if (at == kNever || grants_ < timing::kReadBursts) return at;
  const Cycle oldest = last_beats_[grants_ % timing::kReadBursts];
  return oldest == kNever ? kNever : std::max(at, timing::in_buffer(oldest));
}

void AxiPort::grant(Cycle at) {
  const Requester requester = arbiter_.next(requested_from_, at);
  const auto turn = static_cast<size_t>(requester);
  arbiter_.grant(requester);
  grant_from_ = at + 1;
  last_beats_[grants_++ % timing::kReadBursts] = kNever;
  read_addresses_.send({turn, requested_[turn], at});
  requested_from_[turn] = kNever;
  clients_[turn]->granted(at);
}

void AxiPort::send_write_address(Cycle at) {
  write_addresses_.send({0, write_burst_, at});
  write_from_ = kNever;
  write_client_->address_sent(at);
}

AxiPort::Transaction& AxiPort::begin(Pool& pool, Burst burst, Cycle at) {
  Transaction& t = pool.take();
  if (!t.timing.known) {
    // Whatever another memory has added
    t.payload.reset();
    t.payload.set_dmi_allowed(false);
  }
  t.open = true;
  t.burst = burst;
  ++open_;
  t.first = t.taken = t.last_beat = kNever;
  t.timing.shown = at;
  t.timing.beats = burst.beats;
  t.timing.known = false;
  const unsigned bytes = burst.beats * beat_bytes_;
  t.payload.set_address(burst.address);
  t.payload.set_data_length(bytes);
  t.payload.set_streaming_width(bytes);
  t.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  return t;
}

AxiPort::Transaction* AxiPort::Pool::find_idle() {
  const auto idle = std::find_if(all.begin(), all.end(), [](const auto& t) { return t->is_idle(); });
  return idle == all.end() ? all.emplace_back(std::make_unique<Transaction>(command)).get() : idle->get();
}

AxiPort::Transaction* AxiPort::find(const std::deque<Transaction*>& open, const tlm::tlm_generic_payload& payload) {
  const auto found =
      std::find_if(open.begin(), open.end(), [&](const Transaction* t) { return &t->payload == &payload; });
  return found == open.end() ? nullptr : *found;
}

// The base protocol's last word, to a memory that answers in the forward path.
template <typename Socket>
void AxiPort::end_response(Socket& socket, Transaction& t, sc_core::sc_time delay) {
  tlm::tlm_phase phase = tlm::END_RESP;
  socket->nb_transport_fw(t.payload, phase, delay);
}

void AxiPort::refuse_answer(const Transaction& t) {
  const bool is_write = t.payload.is_write();
  fail("memory answers the {} of {} bytes at 0x{:x} with {}", is_write ? "write" : "read", t.payload.get_data_length(),
       t.burst.address, t.payload.get_response_string());
}

// Reads ---------------------------------------------------------------------------------------------------------------

void AxiPort::send_read(Cycle at) {
  const Sent sent = read_addresses_.next();
  read_addresses_.show();
  Transaction& t = begin(read_pool_, sent.burst, at);
  t.requester = sent.requester;
  asking_ = &t;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = delay_to(at);
  const tlm::tlm_sync_enum status = read_socket->nb_transport_fw(t.payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  if (t.timing.known) {
    read_taken(t, t.timing.taken);
    t.first = t.timing.first_beat;
    if (open_reads_.empty()) return deliver(t);
    read_comes(t, t.first);
  } else if (status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) {
    if (status == tlm::TLM_UPDATED) end_response(read_socket, t, delay);
    read_taken(t, at);
    read_comes(t, clock_.after(delay));
  } else {
    VANTAGE_CHECK(phase == tlm::END_REQ);
    read_taken(t, clock_.after(delay));
    open_reads_.push_back(&t);
  }
}

tlm::tlm_sync_enum AxiPort::answer_read(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
  // Phases that others have added are none of the base protocol's
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  const bool completes = phase == tlm::BEGIN_RESP;
  guard_.run([&] {
    const Cycle at = clock_.after(delay);
    if (asking_ != nullptr && &asking_->payload == &payload) {
      Transaction& t = *asking_;
      read_taken(t, t.timing.known ? t.timing.taken : at);
      if (completes) {
        read_comes(t, t.timing.known ? t.timing.first_beat : at);
      } else {
        open_reads_.push_back(&t);
      }
    } else if (Transaction* t = find(open_reads_, payload); t != nullptr && completes) {
      read_comes(*t, at);
    }
    wake(clock_.after(sc_core::SC_ZERO_TIME));
  });
  if (!completes) return tlm::TLM_ACCEPTED;
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

void AxiPort::read_taken(Transaction& t, Cycle at) {
  t.taken = at;
  asking_ = nullptr;
  read_addresses_.taken(at);
  t.slot = reads_++ % timing::kReadBursts;
}

// All bursts have one ID: data come in the order of the addresses.
void AxiPort::read_comes(Transaction& t, Cycle first) {
  t.first = std::max(first, t.taken + 1);
  if (open_reads_.empty()) return deliver(t);
  if (open_reads_.back()->taken < t.taken) open_reads_.push_back(&t);
  while (!open_reads_.empty() && open_reads_.front()->first != kNever) {
    Transaction& next = *open_reads_.front();
    open_reads_.pop_front();
    deliver(next);
  }
}

void AxiPort::deliver(Transaction& t) {
  if (!t.payload.is_response_ok()) refuse_answer(t);
  const uint64_t step = t.timing.known ? t.timing.beat_step : 1;
  const Progression beats{std::max(t.first, data_free_), step, t.timing.beats};
  const Cycle last = beats.last();
  data_free_ = last + 1;
  last_beats_[t.slot] = last;
  if (record_) records_.push_back({beats.first, last, t.timing.beats, false});
  t.open = false;
  --open_;
  clients_[t.requester]->beats_come(beats);
}

// Writes --------------------------------------------------------------------------------------------------------------

void AxiPort::send_write(Cycle at) {
  const Burst burst = write_addresses_.next().burst;
  write_addresses_.show();
  Transaction& t = begin(write_pool_, burst, at);
  write_asking_ = &t;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = delay_to(at);
  const tlm::tlm_sync_enum status = write_socket->nb_transport_fw(t.payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  if (t.timing.known) {
    write_taken(t, t.timing.taken);
  } else if (status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) {
    if (status == tlm::TLM_UPDATED) end_response(write_socket, t, delay);
    write_taken(t, at);
    write_answered(t, clock_.after(delay));
  } else {
    VANTAGE_CHECK(phase == tlm::END_REQ);
    write_taken(t, clock_.after(delay));
  }
}

tlm::tlm_sync_enum AxiPort::answer_write(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  // Phases that others have added are none of the base protocol's
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  const bool completes = phase == tlm::BEGIN_RESP;
  guard_.run([&] {
    const Cycle at = clock_.after(delay);
    Transaction* t = find(open_writes_, payload);
    if (write_asking_ != nullptr && &write_asking_->payload == &payload) {
      t = write_asking_;
      write_taken(*t, t->timing.known ? t->timing.taken : at);
    }
    if (t != nullptr && completes) write_answered(*t, at);
    wake(clock_.after(sc_core::SC_ZERO_TIME));
  });
  if (!completes) return tlm::TLM_ACCEPTED;
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

void AxiPort::write_taken(Transaction& t, Cycle at) {
  t.taken = at;
  write_asking_ = nullptr;
  write_addresses_.taken(at);
  open_writes_.push_back(&t);
  const WriteBeats beats = t.timing.known ? write_client_->address_taken(at, t.timing.beat_step, t.timing.pause)
                                          : write_client_->address_taken(at, 1, 0);
  t.last_beat = beats.last;
  if (record_) records_.push_back({beats.first, beats.last, t.timing.beats, true});
  if (!t.timing.known) return;
  tlm::tlm_phase phase = END_WRITE_DATA;
  sc_core::sc_time delay = clock_.until(beats.last);
  t.timing.shown = beats.last;
  write_socket->nb_transport_fw(t.payload, phase, delay);
  write_answered(t, t.timing.response);
}

void AxiPort::write_answered(Transaction& t, Cycle response) {
  if (!t.payload.is_response_ok()) refuse_answer(t);
  t.first = std::max(response, t.last_beat + 1);
  while (!open_writes_.empty() && open_writes_.front()->first != kNever) {
    Transaction& next = *open_writes_.front();
    open_writes_.pop_front();
    const Cycle at = std::max(next.first, response_free_);
    response_free_ = at + 1;
    next.open = false;
    --open_;
    write_client_->response_comes(at);
  }
}

std::vector<std::string> AxiPort::unanswered() const {
  std::vector<std::string> bursts;
  const auto say = [&](const Transaction& t) {
    const std::string_view who = t.payload.is_write() ? "store" : systemc::name(static_cast<Requester>(t.requester));
    bursts.push_back(fmt::format("{} waits for it to {} a {} of {} bytes at 0x{:x} since cycle {}", who,
                                 t.taken == kNever ? "take the address of" : "answer",
                                 t.payload.is_write() ? "write" : "read", t.payload.get_data_length(), t.burst.address,
                                 (t.taken == kNever ? t.timing.shown : t.taken).number()));
  };
  if (asking_ != nullptr) say(*asking_);
  for (const Transaction* t : open_reads_) say(*t);
  if (write_asking_ != nullptr) say(*write_asking_);
  for (const Transaction* t : open_writes_) say(*t);
  return bursts;
}

}  // namespace vantage::systemc
