// The memory port: reads of fetch, load and compute stage through one arbiter, writes of the store stage; each burst a
// TLM transaction (axi_transport.h).
//
// The port works ahead of simulated time as far as nobody else can interfere, so bursts that follow each other cost no
// event. Once a memory leaves a burst open, to answer it later, the port keeps to the time until it is answered.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/burst_cutter.h"
#include "hw/core/read_arbiter.h"
#include "hw/isa/config.h"
#include "hw/memory/progression.h"
#include "sim/systemc/axi_transport.h"
#include "sim/systemc/clock.h"
#include "sim/systemc/guard.h"

namespace vantage::systemc {

using core::Burst;
using core::BurstCutter;

using core::kRequesters;
using core::Requester;
std::string_view name(Requester requester);  // "fetch", "load", "compute"

// Who reads. Called by the port, in the order of bursts.
class ReadClient {
 public:
  // The arbiter grants the requested burst in cycle `at`; no burst is requested any longer.
  virtual void granted(Cycle at) = 0;
  // When the beats of the oldest burst come whose beats were not known.
  virtual void beats_come(const Progression& beats) = 0;

 protected:
  ~ReadClient() = default;
};

// When a write burst's first and last beat pass.
struct WriteBeats {
  Cycle first, last;
};

class WriteClient {
 public:
  // The requested burst's address is sent in cycle `at`; no burst is requested any longer.
  virtual void address_sent(Cycle at) = 0;
  // Memory takes the oldest address that it had not taken in cycle `at`, and at most a beat every `step` cycles, with
  // `pause` more behind the last.
  virtual WriteBeats address_taken(Cycle at, uint64_t step, uint64_t pause) = 0;
  // The response to the oldest burst without one.
  virtual void response_comes(Cycle at) = 0;

 protected:
  ~WriteClient() = default;
};

// A burst as it passed: for traces.
struct BurstRecord {
  Cycle first, last;  // cycles of its beats
  unsigned beats;
  bool is_write;
};

class AxiPort : public sc_core::sc_module {
 public:
  // Both to be bound, to one memory or to two.
  tlm_utils::simple_initiator_socket<AxiPort> read_socket;
  tlm_utils::simple_initiator_socket<AxiPort> write_socket;

  SC_HAS_PROCESS(AxiPort);
  AxiPort(sc_core::sc_module_name name, Clock& clock, Guard& guard);

  void connect(Requester requester, ReadClient& client) { clients_[static_cast<size_t>(requester)] = &client; }
  void connect(WriteClient& client) { write_client_ = &client; }

  // Asks for a burst from cycle `from` on, in place of one that was asked for; kNever: none.
  void request(Requester requester, Cycle from, Burst burst) {
    requested_from_[static_cast<size_t>(requester)] = from;
    requested_[static_cast<size_t>(requester)] = burst;
    if (!running_) wake(from);
  }
  void request_write(Cycle from, Burst burst) {
    write_from_ = from;
    write_burst_ = burst;
    if (!running_) wake(from);
  }

  // As new, for beats of so many bytes; `record`: keep BurstRecords. Bursts that memory still has are forgotten.
  void restart(unsigned beat_bytes, bool record);

  const std::vector<BurstRecord>& records() const { return records_; }
  // Whether memory has bursts that it has not answered; a line for each of them.
  bool is_open() const { return open_ != 0; }
  std::vector<std::string> unanswered() const;

 private:
  // A burst under way, and the payload that carries it.
  struct Transaction : tlm::tlm_mm_interface {
    explicit Transaction(tlm::tlm_command command);
    ~Transaction() override;
    void free(tlm::tlm_generic_payload*) override {}  // never: the port keeps a reference
    bool is_idle() const { return !open && payload.get_ref_count() == 1; }

    tlm::tlm_generic_payload payload;
    AxiTiming timing;
    bool open = false;  // the port awaits an answer
    Burst burst;
    size_t requester = 0;  // of a read
    size_t slot = 0;       // of a read, in last_beats_
    Cycle taken = kNever;
    Cycle first = kNever;  // a read's first beat, a write's response, as memory says
    Cycle last_beat = kNever;
    std::array<unsigned char, timing::kBurstBeats * isa::kMaxBeat.count()> no_data{};
  };
  // Transactions are used again once nobody holds them.
  struct Pool {
    tlm::tlm_command command;
    std::vector<std::unique_ptr<Transaction>> all{};
    Transaction* last = nullptr;

    Transaction& take() {
      if (last == nullptr || !last->is_idle()) last = find_idle();
      return *last;
    }
    Transaction* find_idle();
  };

  void on_wake() {
    guard_.run([this] { send(); });
  }
  void send();
  Cycle next_grant() const;
  void grant(Cycle at);
  void send_write_address(Cycle at);
  void wake(Cycle at);
  sc_core::sc_time delay_to(Cycle at);

  Transaction& begin(Pool& pool, Burst burst, Cycle at);
  static Transaction* find(const std::deque<Transaction*>& open, const tlm::tlm_generic_payload& payload);
  template <typename Socket>
  static void end_response(Socket& socket, Transaction& t, sc_core::sc_time delay);
  [[noreturn]] static void refuse_answer(const Transaction& t);

  void send_read(Cycle at);
  tlm::tlm_sync_enum answer_read(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void read_taken(Transaction& t, Cycle at);
  void read_comes(Transaction& t, Cycle first);
  void deliver(Transaction& t);

  void send_write(Cycle at);
  tlm::tlm_sync_enum answer_write(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void write_taken(Transaction& t, Cycle at);
  void write_answered(Transaction& t, Cycle response);

  Clock& clock_;
  Guard& guard_;
  sc_core::sc_event wake_;
  bool running_ = false;
  Cycle ahead_at_;  // how far it has worked ahead
  sc_core::sc_time ahead_;
  unsigned beat_bytes_ = 8;
  bool record_ = false;
  std::vector<BurstRecord> records_;

  // Addresses on their way from a grant, or from the store stage, to memory: one that is shown and one behind it.
  struct Sent {
    size_t requester;
    Burst burst;
    Cycle at;
  };
  class Addresses {
   public:
    bool has_next() const { return sent_ != shown_; }
    const Sent& next() const { return ring_[shown_ % kDepth]; }
    // When the next one is shown: behind those that memory has taken. REQUIRES: has_next(), all before are taken
    Cycle shown_from() const { return std::max(timing::address_shown(next().at), free_from_); }
    void show() { ++shown_; }
    void taken(Cycle at) {
      taken_[takes_++ % kDepth] = at;
      free_from_ = at + 1;
    }
    // The first cycle in which another can be sent; kNever while that depends on memory.
    Cycle room_from() const {
      if (sent_ < kDepth) return Cycle();
      return sent_ - takes_ == kDepth ? kNever : taken_[sent_ % kDepth] + 1;
    }
    void send(const Sent& sent) { ring_[sent_++ % kDepth] = sent; }

   private:
    static constexpr uint64_t kDepth = 2;
    std::array<Sent, kDepth> ring_{};
    std::array<Cycle, kDepth> taken_{};
    uint64_t sent_ = 0, shown_ = 0, takes_ = 0;
    Cycle free_from_;
  };

  // Reads
  std::array<ReadClient*, kRequesters> clients_{};
  std::array<Cycle, kRequesters> requested_from_{};
  std::array<Burst, kRequesters> requested_{};
  core::ReadArbiter arbiter_;
  Cycle grant_from_;  // the next
  Addresses read_addresses_;
  unsigned open_ = 0;                    // bursts without an answer, writes as well
  Transaction* asking_ = nullptr;        // shown, and not taken by memory
  std::deque<Transaction*> open_reads_;  // taken, in order, whose beats are not known
  Cycle data_free_;                      // the data channel
  uint64_t grants_ = 0, reads_ = 0;      // bursts that were granted, of which memory has taken the address
  std::array<Cycle, timing::kReadBursts> last_beats_{};  // of the last bursts granted, by their number

  // Writes
  WriteClient* write_client_ = nullptr;
  Cycle write_from_ = kNever;
  Burst write_burst_;
  Addresses write_addresses_;
  Transaction* write_asking_ = nullptr;
  std::deque<Transaction*> open_writes_;  // without a response
  Cycle response_free_;

  Pool read_pool_{tlm::TLM_READ_COMMAND};
  Pool write_pool_{tlm::TLM_WRITE_COMMAND};
};

}  // namespace vantage::systemc
