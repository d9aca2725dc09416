#include "sim/systemc/simulation.h"

#include <sysc/tracing/sc_tracing_ids.h>

// SystemC's library wants this symbol, also from programs that have a main of their own. Weak: a top that has an
// sc_main keeps it.
[[gnu::weak]] int sc_main(int, char*[]) {
  return 0;
}

namespace vantage::systemc {

Simulation::Simulation() {
  // That a time unit was set is nobody's news
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_, sc_core::SC_DO_NOTHING);
  core_.port().read_socket.bind(memory_.read_socket);
  core_.port().write_socket.bind(memory_.write_socket);
}

Simulation& Simulation::of_process() {
  static Simulation& simulation = *new Simulation;
  return simulation;
}

}  // namespace vantage::systemc
