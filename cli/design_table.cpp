#include "cli/design_table.h"

#include <fmt/format.h>

#include "base/json.h"

namespace vantage::cli {

namespace {

struct Row {
  std::string name, memory;
  int64_t clock_mhz = 0, bus_bytes = 0;
  uint64_t cycles = 0, bytes = 0;
  double ms = 0, left_ms = 0, useful = 0, bound = 0;
  int64_t left = 0;
};

std::vector<Row> fastest(explore::Database& database, const std::string& workload, const std::string& version,
                         const std::string& effort, uint64_t count) {
  std::vector<Row> rows;
  for (const auto& row : database.query(
           "SELECT r.name, r.memory_name, r.clock_mhz, r.bus_bytes, r.cycles, r.nbytes, r.ms, r.left_ms, "
           "r.useful_utilisation, r.bound, r.left_layers FROM results r JOIN workloads w ON w.id = r.workload WHERE "
           "w.name = ? AND w.version = ? AND w.effort = ? AND r.cycles IS NOT NULL ORDER BY r.ms + r.left_ms, r.design "
           "LIMIT ?",
           {workload, version, effort, count})) {
    rows.push_back({row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10]});
  }
  return rows;
}

}  // namespace

std::string fastest_table(explore::Database& database, const std::vector<std::string>& workloads,
                          const std::string& version, const std::string& effort, uint64_t count) {
  std::string text;
  for (const std::string& workload : workloads) {
    const std::vector<Row> rows = fastest(database, workload, version, effort, count);
    if (rows.empty()) continue;
    text += fmt::format("\n{}\n{:<34} {:>4} {:>4} {:>11} {:>9} {:>7} {:>5}\n", workload, "design", "MHz", "bus",
                        "cycles", "ms", "MB", "MACs");
    for (const Row& row : rows) {
      text += fmt::format("{:<34} {:>4} {:>4} {:>11} {:>9.3f} {:>7.2f} {:>4.0f}%\n", row.name + " " + row.memory,
                          row.clock_mhz, row.bus_bytes, row.cycles, row.ms, 1e-6 * static_cast<double>(row.bytes),
                          100 * row.useful);
    }
  }
  return text;
}

Json fastest_json(explore::Database& database, const std::vector<std::string>& workloads, const std::string& version,
                  const std::string& effort, uint64_t count) {
  Json all = Json::object();
  for (const std::string& workload : workloads) {
    Json& list = all[workload] = Json::array();
    for (const Row& row : fastest(database, workload, version, effort, count)) {
      list.push_back({{"design", row.name},
                      {"memory", row.memory},
                      {"clock_mhz", row.clock_mhz},
                      {"bus_bytes", row.bus_bytes},
                      {"cycles", row.cycles},
                      {"bound", row.bound},
                      {"ms", row.ms},
                      {"bytes", row.bytes},
                      {"useful_utilisation", row.useful},
                      {"left_layers", row.left},
                      {"left_ms", row.left_ms}});
    }
  }
  return all;
}

}  // namespace vantage::cli
