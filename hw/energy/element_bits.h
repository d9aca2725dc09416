// Which memory a part of the energy is.
//
// Thread safety: functions without state.
#pragma once

#include "base/error.h"
#include "hw/energy/energy.h"

namespace vantage::energy {

// REQUIRES: a scratchpad.
inline isa::Memory memory_of(Part scratchpad) {
  switch (scratchpad) {
    case Part::kUop: return isa::Memory::kUop;
    case Part::kInp: return isa::Memory::kInp;
    case Part::kWgt: return isa::Memory::kWgt;
    case Part::kAcc: return isa::Memory::kAcc;
    case Part::kOut: return isa::Memory::kOut;
    default: break;
  }
  VANTAGE_CHECK(false);
  return {};
}

// Of an element of a scratchpad.
inline double element_bits(Part scratchpad, const isa::Config& config) {
  return 8 * static_cast<double>(config.element_size(memory_of(scratchpad)).count());
}

}  // namespace vantage::energy
