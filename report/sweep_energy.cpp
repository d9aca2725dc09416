#include "report/sweep_energy.h"

#include "explore/evaluate.h"

namespace vantage::report {

energy::Energy energy_of(const explore::Results::Row& row, int counts, Cycles cycles, const isa::Config& config,
                         const energy::EnergyModel& model) {
  explore::Evaluation all;
  explore::each_count(all,
                      [&](std::string_view, uint64_t& count) { count = static_cast<uint64_t>(row.integer(counts++)); });
  return model.spent(config, all.counters, all.activity, cycles);
}

}  // namespace vantage::report
