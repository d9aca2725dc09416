// The shared timing model of memory (sim/memory) as a TLM-2.0 target: one socket for each direction of AXI. It knows
// AxiTiming, and answers a burst at once unless it has too many under way.
#pragma once

#include <tlm>

#include <optional>

#include "hw/memory/axi_memory.h"
#include "sim/systemc/axi_transport.h"
#include "sim/systemc/guard.h"

namespace vantage::systemc {

class MemoryTarget : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> read_socket;
  tlm::tlm_target_socket<> write_socket;

  SC_HAS_PROCESS(MemoryTarget);
  MemoryTarget(sc_core::sc_module_name name, const Clock& clock, Guard& guard);

  // As new, for a run from cycle 0.
  void restart(const MemoryTiming& timing, Bytes beat);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  // What a timing model of memory has no use for.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

 private:
  // An address that has to wait until memory takes it.
  struct Waiting {
    tlm::tlm_generic_payload* payload = nullptr;
    Cycle taken;
    bool done = false;           // taken already, ahead of time
    bool last_in_cycle = false;  // a write: everything else of its cycle has been seen
  };

  tlm::tlm_sync_enum read(tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum write(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase);
  void take_read(AxiTiming& timing, uint64_t address, Cycle at);
  void take_write(AxiTiming& timing, uint64_t address, Cycle at);
  void take(Waiting& waiting);
  void on_read_taken() {
    guard_.run([this] { answer_read(); });
  }
  void on_write_taken() {
    guard_.run([this] { answer_write(); });
  }
  void answer_read();
  void answer_write();

  const Clock& clock_;
  Guard& guard_;
  std::optional<AxiMemory> memory_;
  std::optional<Waiting> waiting_read_, waiting_write_;
  sc_core::sc_event read_taken_, write_taken_;
};

}  // namespace vantage::systemc
