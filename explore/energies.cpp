#include "explore/energies.h"

#include <vector>

#include "base/json.h"
#include "explore/evaluate.h"
#include "explore/schema.h"

namespace vantage::explore {

namespace {

void record_design(Database& database, int64_t design, const isa::Config& config, const SweepResult& sweep,
                   const energy::EnergyModel& model) {
  const energy::EventEnergies events = model.of(config);
  for (const int64_t workload : sweep.workloads) {
    for (const auto& row : database.query("SELECT number, cycles, " + count_columns() +
                                              " FROM layer_results WHERE design = ? AND workload = ? AND cycles IS NOT "
                                              "NULL",
                                          {design, workload})) {
      auto column = row.begin();
      const int64_t number = *column++;
      Evaluation result;
      result.cycles = *column++;
      each_count(result, [&](std::string_view, uint64_t& count) { count = *column++; });
      const energy::Energy spent = events.spent(config, result.counters, result.activity, Cycles(result.cycles));
      database.set_energy(design, workload, number, model.name(), spent.total_pj());
    }
  }
}

}  // namespace

void record_energies(Database& database, const SweepResult& sweep, const energy::EnergyModel& model) {
  Database::Transaction whole(database);
  database.use_energy_model(model.name(), model.content());
  for (const auto& row : database.query(
           "SELECT d.id, d.config FROM points p JOIN designs d ON d.id = p.design WHERE p.sweep = ?", {sweep.sweep})) {
    const isa::Config config = isa::Config::from_json(parse_json(row[1].get<std::string>(), "config"), "config");
    record_design(database, row[0], config, sweep, model);
  }
  whole.commit();
}

}  // namespace vantage::explore
