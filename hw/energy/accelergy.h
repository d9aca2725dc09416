// An energy reference table (ERT) of Accelergy's, versions 0.3 and 0.4, and what of it stands for which component here.
// A table has energies in pJ, by component and action; how wide an action's access is it does not say, so the file that
// names the table does (docs/energy.md).
//
// Thread safety: const access from any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "hw/energy/energy.h"

namespace vantage::energy {

// The text of a file that a model names, by the name that it has there. Throws Error.
using ReadTable = std::function<std::string(const std::string& file)>;

class AccelergyTable {
 public:
  // The keys that belong to it, beside an EnergyModel's own.
  static const std::vector<std::string>& keys();
  // Throws Error naming the file, the key or component, what is there and what would be right.
  AccelergyTable(const JsonObject& object, const ReadTable& read);

  EventEnergies of(const isa::Config& config) const;

 private:
  EventEnergies::Access dram_byte_;
  std::array<EventEnergies::Access, kScratchpads.size()> scratchpad_bit_{};
  double mac_ = 0, alu_add_ = 0, alu_mul_ = 0;
  double static_per_cycle_ = 0;
};

}  // namespace vantage::energy
