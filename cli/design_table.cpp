#include "cli/design_table.h"

#include <fmt/format.h>

#include "base/json.h"
#include "cli/wrap.h"

namespace vantage::cli {

namespace {

constexpr const char* kDesignColumns =
    "SELECT w.name, r.name, r.memory_name, r.clock_mhz, r.bus_bytes, r.error, r.cycles, r.bound, r.nbytes, r.ms, "
    "r.useful_utilisation, r.left_layers, r.left_ms FROM results r JOIN workloads w ON w.id = r.workload WHERE w.name "
    "= "
    "? AND w.version = ? AND w.effort = ? AND ";

DesignRow read_row(const std::vector<Json>& row) {
  DesignRow r;
  r.workload = row[0];
  r.name = fmt::format("{} {}", row[1].get<std::string>(), row[2].get<std::string>());
  r.config = row[1];
  r.memory = row[2];
  r.clock_mhz = row[3];
  r.bus_bytes = row[4];
  r.left_layers = row[11];
  r.left_ms = row[12];
  if (row[6].is_null()) {
    r.error = row[5].is_null() ? "its programs were not run" : row[5].get<std::string>();
    return r;
  }
  r.cycles = row[6];
  r.bound = row[7];
  r.bytes = row[8];
  r.ms = row[9];
  r.useful_utilisation = row[10];
  return r;
}

}  // namespace

std::vector<DesignRow> fastest(explore::Database& database, const std::vector<std::string>& workloads,
                               const explore::Method& method, uint64_t count) {
  std::vector<DesignRow> rows;
  for (const std::string& workload : workloads) {
    for (const auto& row : database.query(
             std::string(kDesignColumns) + "r.cycles IS NOT NULL ORDER BY r.ms + r.left_ms, r.design LIMIT ?",
             {workload, method.version, method.effort, count})) {
      rows.push_back(read_row(row));
    }
  }
  return rows;
}

std::vector<DesignRow> rows_of(explore::Database& database, int64_t design, const std::vector<std::string>& workloads,
                               const explore::Method& method) {
  std::vector<DesignRow> rows;
  for (const std::string& workload : workloads) {
    for (const auto& row : database.query(std::string(kDesignColumns) + "r.design = ?",
                                          {workload, method.version, method.effort, design})) {
      rows.push_back(read_row(row));
    }
  }
  return rows;
}

std::string table(const std::vector<DesignRow>& rows) {
  std::string text, workload;
  for (const DesignRow& row : rows) {
    if (row.workload != workload) {
      workload = row.workload;
      text += fmt::format("\n{}\n{:<34} {:>4} {:>4} {:>11} {:>9} {:>7} {:>5}\n", workload, "design", "MHz", "bus",
                          "cycles", "ms", "MB", "MACs");
    }
    text += fmt::format("{:<34} {:>4} {:>4} ", row.name, row.clock_mhz, row.bus_bytes);
    text += row.error.empty() ? fmt::format("{:>11} {:>9.3f} {:>7.2f} {:>4.0f}%\n", row.cycles, row.ms,
                                            1e-6 * static_cast<double>(row.bytes), 100 * row.useful_utilisation)
                              : fmt::format("{:>11}\n    {}", "-", wrapped(row.error, 4));
    if (row.left_layers > 0) {
      text += fmt::format("    {} on the processor, some {:.2g} ms\n",
                          row.left_layers == 1 ? "1 layer stays" : fmt::format("{} layers stay", row.left_layers),
                          row.left_ms);
    }
  }
  return text;
}

Json to_json(const std::vector<DesignRow>& rows) {
  Json list = Json::array();
  for (const DesignRow& row : rows) {
    Json json = {{"workload", row.workload},       {"design", row.name},         {"config", row.config},
                 {"memory", row.memory},           {"clock_mhz", row.clock_mhz}, {"bus_bytes", row.bus_bytes},
                 {"left_layers", row.left_layers}, {"left_ms", row.left_ms}};
    if (row.error.empty()) {
      json["cycles"] = row.cycles;
      json["bound"] = row.bound;
      json["ms"] = row.ms;
      json["bytes"] = row.bytes;
      json["useful_utilisation"] = row.useful_utilisation;
    } else {
      json["error"] = row.error;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace vantage::cli
