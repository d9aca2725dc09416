// This project's registers (hw/isa/register_map.h) in front of any machine. A run has ended before the access that
// follows its start; one that fails shows which instruction failed as the verifier finds it.
#pragma once

#include <memory>

#include "sim/machine.h"
#include "tools/emulated_board/fabric.h"

namespace vantage::emulated {

// The memory must outlive it.
std::unique_ptr<Fabric> machine_registers(std::unique_ptr<sim::Machine> machine, sim::Dram& memory);

}  // namespace vantage::emulated
