// The energies of a process, as a file has them: a few numbers that were published, each with its source, and laws
// between them (docs/energy.md). configs/energy has some.
//
// Thread safety: const access from any thread.
#pragma once

#include "base/json_object.h"
#include "hw/energy/curve.h"
#include "hw/energy/energy.h"

namespace vantage::energy {

class Technology {
 public:
  // The keys that belong to it, beside an EnergyModel's own.
  static const std::vector<std::string>& keys();
  // Throws Error naming the object, the key, the value and what would be right.
  explicit Technology(const JsonObject& object);

  EventEnergies of(const isa::Config& config) const;

 private:
  EventEnergies::Access dram_byte_;
  Curve read_, write_;    // pJ of an access as wide as width_bits_, by the bytes of the memory
  double width_bits_;     // wider and narrower ones in proportion
  Curve multiply_, add_;  // pJ, by the product of the operands' bits; by bits
  double static_mw_;
};

}  // namespace vantage::energy
