// The four blocks of the published VTA bitstreams, as a driver sees them, in front of any machine.
//
// Written from their behaviour: the blocks other than fetch restart by themselves, fetch runs once for every start; the
// compute block sets its done output to 0 as it begins an instruction, and to 1 as it ends a FINISH, so it shows the
// previous run's until the first instruction of the next. What is written to done is an input that it does not look at.
#pragma once

#include <memory>

#include "driver/boards/run_protocol.h"
#include "sim/machine.h"
#include "tools/emulated_board/fabric.h"

namespace vantage::emulated {

// `map` says where the registers lie. A run begins some ticks or reads of done after its start, as if it took time: a
// driver that takes what it sees first for this run's is caught. The memory must outlive it.
std::unique_ptr<Fabric> machine_blocks(std::unique_ptr<sim::Machine> machine, sim::Dram& memory,
                                       const boards::RunProtocol& map);

}  // namespace vantage::emulated
