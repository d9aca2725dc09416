#include "cli/design_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "cli/part_table.h"
#include "cli/wrap.h"
#include "explore/schema.h"
#include "hw/energy/energy_json.h"

namespace vantage::cli {

namespace {

constexpr const char* kDesignColumns =
    "SELECT r.workload_name, r.name, r.memory_name, r.clock_mhz, r.bus_bytes, r.error, r.cycles, r.bound, r.nbytes, "
    "r.ms, r.useful_utilisation, r.left_layers, r.left_ms, r.design, r.workload FROM results r ";

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
  r.design = row[13];
  r.workload_id = row[14];
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

// Of useful operations.
double tops_per_watt(const DesignRow& row) {
  return row.energy->tops_per_watt(2 * row.useful).value_or(0);
}

std::string energy_cells(const DesignRow& row) {
  if (!row.energy) return "";
  return fmt::format(" {:>9.3f} {:>7.3f} {:>7.4f}", 1e-9 * row.energy->total_pj(), row.energy->watts().value_or(0),
                     tops_per_watt(row));
}

isa::Config config_in(explore::Database& database, int64_t design) {
  const auto found = database.query("SELECT config FROM designs WHERE id = ?", {design});
  return isa::Config::from_json(parse_json(found.at(0).at(0).get<std::string>(), "config"), "config");
}

}  // namespace

std::vector<DesignRow> fastest(explore::Database& database, const explore::SweepResult& sweep, uint64_t count) {
  std::vector<DesignRow> rows;
  for (const int64_t workload : sweep.workloads) {
    for (const auto& row : database.query(std::string(kDesignColumns) +
                                              "JOIN points p ON p.design = r.design WHERE p.sweep = ? AND r.workload = "
                                              "? AND r.cycles IS NOT NULL ORDER BY r.total_ms, r.design LIMIT ?",
                                          {sweep.sweep, workload, count})) {
      rows.push_back(read_row(row));
    }
  }
  return rows;
}

std::vector<Unable> unable(explore::Database& database, const explore::SweepResult& sweep) {
  std::vector<Unable> all;
  for (const auto& row : database.query("SELECT MIN(r.error), COUNT(*) FROM parted r JOIN points p ON p.design = "
                                        "r.design JOIN designs d ON d.id = r.design WHERE p.sweep = ? AND r.error IS "
                                        "NOT NULL AND r.workload IN (SELECT value FROM json_each(?)) GROUP BY "
                                        "REPLACE(r.error, d.name, '') ORDER BY COUNT(*) DESC, MIN(r.error)",
                                        {sweep.sweep, Json(sweep.workloads).dump()})) {
    all.push_back({row[0], row[1]});
  }
  return all;
}

DesignRow row_of(explore::Database& database, int64_t design, int64_t workload) {
  return read_row(
      database.query(std::string(kDesignColumns) + "WHERE r.design = ? AND r.workload = ?", {design, workload}).at(0));
}

void add_fits(explore::Database& database, const fpga::PartFit* part, std::vector<DesignRow>& rows) {
  if (part == nullptr) return;
  for (DesignRow& row : rows) row.fit = fit_of(*part, config_in(database, row.design));
}

void add_energy(explore::Database& database, const EnergyOption& option, std::vector<DesignRow>& rows) {
  if (!option.given()) return;
  for (DesignRow& row : rows) {
    if (!row.error.empty()) continue;
    explore::Evaluation all;
    const auto found = database.query("SELECT c.useful, " + explore::count_columns("c.") +
                                          ", d.config FROM result_counts c JOIN designs d ON d.id = c.design WHERE "
                                          "c.design = ? AND c.workload = ?",
                                      {row.design, row.workload_id});
    auto column = found.at(0).begin();
    row.useful = *column++;
    explore::each_count(all, [&](std::string_view, uint64_t& count) { count = *column++; });
    const isa::Config config = isa::Config::from_json(parse_json(column->get<std::string>(), "config"), "config");
    sim::RunResult result;
    result.counters = all.counters;
    result.activity = all.activity;
    result.cycles = Cycles(row.cycles);
    row.energy = option.energy_of(config, result);
    row.technology = option.technology();
  }
}

std::string table(const std::vector<DesignRow>& rows) {
  std::string text, workload;
  const bool has_energy = std::ranges::any_of(rows, [](const DesignRow& row) { return row.energy.has_value(); });
  const bool has_fits = std::ranges::any_of(rows, [](const DesignRow& row) { return row.fit.has_value(); });
  const bool has_star =
      std::ranges::any_of(rows, [](const DesignRow& row) { return row.fit && row.fit->is_extrapolated; });
  for (const DesignRow& row : rows) {
    if (row.workload != workload) {
      workload = row.workload;
      text += fmt::format("\n{}\n{:<34} {:>4} {:>4} {:>11} {:>9} {:>7} {:>5}{}{}\n", workload, "design", "MHz", "bus",
                          "cycles", "ms", "MB", "MACs", has_energy ? "        mJ       W  TOPS/W" : "",
                          has_fits ? "  fits" : "");
    }
    text += fmt::format("{:<34} {:>4} {:>4} ", row.name, row.clock_mhz, row.bus_bytes);
    text += row.error.empty() ? fmt::format("{:>11} {:>9.3f} {:>7.2f} {:>4.0f}%{}{}\n", row.cycles, row.ms,
                                            1e-6 * static_cast<double>(row.bytes), 100 * row.useful_utilisation,
                                            energy_cells(row), row.fit ? "  " + row.fit->text : "")
                              : fmt::format("{:>11}\n    {}", "-", wrapped(row.error, 4));
    if (row.left_layers > 0) {
      text += fmt::format("    {} on the processor, some {:.2g} ms\n",
                          row.left_layers == 1 ? "1 layer stays" : fmt::format("{} layers stay", row.left_layers),
                          row.left_ms);
    }
  }
  if (has_star) text += "\n" + star_note();
  return text;
}

Json to_json(const std::vector<DesignRow>& rows) {
  Json list = Json::array();
  for (const DesignRow& row : rows) {
    Json json = {{"workload", row.workload},       {"design", row.name},         {"config", row.config},
                 {"memory", row.memory},           {"clock_mhz", row.clock_mhz}, {"bus_bytes", row.bus_bytes},
                 {"left_layers", row.left_layers}, {"left_ms", row.left_ms}};
    if (row.fit) {
      json["fits"] = row.fit->fits;
      json["used"] = used_json(row.fit->used);
      json["extrapolated"] = row.fit->is_extrapolated;
    }
    if (row.error.empty()) {
      json["cycles"] = row.cycles;
      json["bound"] = row.bound;
      json["ms"] = row.ms;
      json["bytes"] = row.bytes;
      json["useful_utilisation"] = row.useful_utilisation;
      if (row.energy) json["energy"] = energy::to_json(row.technology, *row.energy, 2 * row.useful);
    } else {
      json["error"] = row.error;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace vantage::cli
