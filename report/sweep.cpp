#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/json.h"
#include "base/suggest.h"
#include "explore/objectives.h"
#include "explore/schema.h"
#include "report/packed.h"
#include "report/sweep_designs.h"
#include "report/sweep_energy.h"
#include "report/sweep_layers.h"

namespace vantage::report {

namespace {

// Of all workloads together.
constexpr size_t kMostLayers = 60'000;
constexpr size_t kMostReasons = 20;
// Spaces may have lists of points
constexpr size_t kLargestSpace = 20'000;

struct SweptWorkload {
  int64_t number;
  std::string name, version, effort, content;
};

std::vector<SweptWorkload> wanted_workloads(explore::Results& results, const SweepRequest& request) {
  std::vector<SweptWorkload> all;
  results.query(
      "SELECT id, name, version, effort, content FROM workloads w WHERE EXISTS (SELECT 1 FROM parted r WHERE "
      "r.workload = w.id) ORDER BY id",
      {}, [&](const explore::Results::Row& row) {
        all.push_back({row.integer(0), std::string(row.text(1)), std::string(row.text(2)), std::string(row.text(3)),
                       std::string(row.text(4))});
      });
  if (all.empty()) fail("{}: has no results; `vantage sweep SPACE --db {}` makes some", request.file, request.file);
  std::vector<std::string> names;
  for (const SweptWorkload& workload : all) names.push_back(workload.name);
  // Of one name the latest comes first, as another version of the tool, or another search, found it
  std::ranges::stable_sort(all, {}, [&](const SweptWorkload& workload) {
    return std::pair(std::ranges::find(names, workload.name) - names.begin(), -workload.number);
  });
  for (const std::string& name : request.workloads) {
    if (std::ranges::find(names, name) == names.end()) {
      fail("--workload: {} has no workload '{}'{}", request.file, name, did_you_mean(name, names));
    }
  }
  if (request.workloads.empty()) return all;
  std::erase_if(all, [&](const SweptWorkload& workload) {
    return std::ranges::find(request.workloads, workload.name) == request.workloads.end();
  });
  return all;
}

// A column of the view of results that is a quantity of a design and a workload.
bool is_quantity(const std::string& name, const std::vector<std::string>& of_designs) {
  constexpr std::array<std::string_view, 10> kOthers = {"design",      "workload", "workload_name", "version",
                                                        "effort",      "name",     "config_hash",   "clock_mhz",
                                                        "memory_name", "error"};
  return std::ranges::find(kOthers, name) == kOthers.end() && std::ranges::find(of_designs, name) == of_designs.end();
}

bool is_better_large(const std::string& name) {
  return name.ends_with("utilisation");
}

bool is_time(const std::string& name) {
  return name == "cycles" || name == "ms" || name == "total_ms";
}

// Its name, what it is, and what of it is better.
Json axis_json(const std::string& name) {
  Json json = {{"name", name}, {"meaning", ""}, {"better", is_better_large(name) ? "more" : "less"}};
  const auto known = std::ranges::find(explore::objectives(), name, &explore::Objective::name);
  // "Likewise" is said of the one before, and here time is of one workload
  const bool is_objective = known != explore::objectives().end();
  const bool speaks = is_objective && !known->meaning.ends_with("likewise") && !is_time(name) && !known->is_of_energy;
  if (speaks) json["meaning"] = known->meaning;
  if (name == "energy_mj") json["meaning"] = "millijoules, by the energy model";
  if (name == "edp") json["meaning"] = "energy by time, in joule-seconds";
  if (name == "programs") json["better"] = nullptr;
  return json;
}

// Reasons that differ in their numbers only count as one.
std::string without_numbers(std::string_view text) {
  std::string form;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) form += c;
    if (is_digit && !form.ends_with('#')) form += '#';
  }
  return form;
}

struct FailureCount {
  std::string example;
  uint64_t designs = 0;
};

Json failures_json(const std::map<std::string, FailureCount>& failures) {
  std::vector<FailureCount> all;
  for (const auto& [form, count] : failures) all.push_back(count);
  std::ranges::stable_sort(all, std::greater(), &FailureCount::designs);
  Json list = Json::array();
  for (const FailureCount& count : all) {
    if (list.size() == kMostReasons) break;
    list.push_back({{"reason", count.example}, {"designs", count.designs}});
  }
  return list;
}

// What follows from an energy model.
constexpr std::array<std::string_view, 3> kSpent = {"energy_mj", "watts", "edp"};
using Spent = std::array<Json, kSpent.size()>;

// `counts`: the column at which those begin.
Spent values_spent(const energy::EnergyModel& model, const isa::Config& config, const explore::Results::Row& row,
                   int counts) {
  const energy::Energy spent = energy_of(row, counts, Cycles(static_cast<uint64_t>(row.integer(2))), config, model);
  return {1e-9 * spent.total_pj(), spent.watts().value_or(0), spent.edp().value_or(0)};
}

// What a workload came to on each design that was parted for it.
class SweptResults {
 public:
  SweptResults(explore::Results& results, const SweptWorkload& workload, const SweepDesigns& designs,
               const energy::EnergyModel* model) {
    const std::vector<std::string> of_designs = designs.columns();
    std::string columns;
    for (const std::string& name : results.columns("results")) {
      if (!is_quantity(name, of_designs)) continue;
      columns_.emplace_back(name, TableColumn());
      columns += ", r." + name;
    }
    const size_t read = columns_.size();
    // Those that the view lacks follow from the configuration and the cycles.
    std::vector<explore::Objective> computed;
    for (const explore::Objective& objective : explore::objectives()) {
      if (std::ranges::find(columns_, objective.name, &Named::first) != columns_.end()) continue;
      if (objective.is_of_energy || std::ranges::find(of_designs, objective.name) != of_designs.end()) continue;
      computed.push_back(objective);
      columns_.emplace_back(objective.name, TableColumn());
    }
    const size_t spent = columns_.size();
    std::string counts;
    if (model != nullptr) {
      for (const std::string_view name : kSpent) columns_.emplace_back(name, TableColumn());
      columns += ", " + explore::count_columns("c.");
      counts = "LEFT JOIN result_counts c ON c.design = r.design AND c.workload = r.workload ";
    }
    const std::string sql = "SELECT r.design, r.error, r.cycles, d.config, d.memory" + columns +
                            " FROM results r JOIN designs d ON d.id = r.design " + counts +
                            "WHERE r.workload = ? ORDER BY r.design";
    results.query(sql, {workload.number}, [&](const explore::Results::Row& row) {
      designs_.push_back({row.integer(0), designs.place_of(row.integer(0))});
      const bool is_there = !row.is_null(2);
      if (!is_there && row.is_null(1)) ++not_run_;
      if (!is_there && !row.is_null(1)) {
        FailureCount& count = failures_[without_numbers(row.text(1))];
        if (count.designs++ == 0) count.example = row.text(1);
      }
      for (size_t i = 0; i < read; ++i) {
        // Without all of its cycles a sum is of some layers alone
        columns_[i].second.add(is_there ? row.value(5 + static_cast<int>(i)) : Json());
      }
      if (computed.empty() && model == nullptr) return;
      const explore::Design design = explore::parse_design(
          {{"config", parse_json(row.text(3), "a design")}, {"memory", parse_json(row.text(4), "a memory")}},
          "a design");
      for (size_t i = 0; i < computed.size(); ++i) {
        columns_[read + i].second.add(is_there ? Json(computed[i].value(design, {row.number(2)})) : Json());
      }
      if (model == nullptr) return;
      const auto values = is_there ? values_spent(*model, design.config, row, 5 + static_cast<int>(read)) : Spent();
      for (size_t i = 0; i < kSpent.size(); ++i) columns_[spent + i].second.add(values.at(i));
    });
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, column] : columns_) names.push_back(name);
    return names;
  }

  // Designs whose layers are worth the room, first the best.
  std::vector<NumberedDesign> wanted(const SweepDesigns& designs) const {
    std::vector<double> time(designs_.size());
    std::vector<std::vector<double>> others;
    for (const auto& [name, column] : columns_) {
      std::vector<double> numbers(designs_.size());
      const double sign = is_better_large(name) ? -1 : 1;
      for (size_t row = 0; row < numbers.size(); ++row) numbers[row] = sign * column.number(row);
      if (name == "ms") {
        time = std::move(numbers);
      } else {
        others.push_back(std::move(numbers));
      }
    }
    for (const std::string& name : designs.columns()) {
      std::vector<double>& numbers = others.emplace_back(designs_.size());
      for (size_t row = 0; row < numbers.size(); ++row) numbers[row] = designs.number(name, designs_[row].place);
    }
    std::vector<NumberedDesign> wanted;
    for (const size_t row : most_wanted(time, others)) wanted.push_back(designs_[row]);
    return wanted;
  }

  Json json() const {
    Json columns = Json::array();
    for (const auto& [name, column] : columns_) columns.push_back({{"name", name}, {"column", column.json()}});
    Column places;
    size_t next = 0;
    for (const NumberedDesign& design : designs_) {
      places.add(static_cast<int64_t>(design.place - next));
      next = design.place + 1;
    }
    return {{"count", designs_.size()},
            {"places", places.packed()},
            {"columns", std::move(columns)},
            {"failed", failures_json(failures_)},
            {"not_run", not_run_}};
  }

 private:
  using Named = std::pair<std::string, TableColumn>;

  std::vector<NumberedDesign> designs_;
  std::vector<Named> columns_;
  std::map<std::string, FailureCount> failures_;  // by what they have in common
  uint64_t not_run_ = 0;
};

Json sweeps_json(explore::Results& results) {
  Json sweeps = Json::array();
  results.query("SELECT id, space, workloads, version, started FROM sweeps ORDER BY id", {},
                [&](const explore::Results::Row& row) {
                  sweeps.push_back({{"id", row.integer(0)},
                                    {"space", row.text(1).size() > kLargestSpace ? Json() : row.value(1)},
                                    {"workloads", parse_json(row.text(2), "the workloads of a sweep")},
                                    {"version", row.value(3)},
                                    {"started", row.value(4)},
                                    {"rejections", Json::array()}});
                });
  for (Json& sweep : sweeps) {
    results.query("SELECT reason, points, example FROM rejections WHERE sweep = ? ORDER BY points DESC",
                  {sweep["id"].get<int64_t>()}, [&](const explore::Results::Row& row) {
                    sweep["rejections"].push_back(
                        {{"reason", row.value(0)}, {"points", row.value(1)}, {"example", row.value(2)}});
                  });
    sweep.erase("id");
  }
  return sweeps;
}

// The axes that are drawn at first.
void check_axis(const char* option, const std::string& name, const std::vector<std::string>& known) {
  if (name.empty() || std::ranges::find(known, name) != known.end()) return;
  if (std::ranges::find(kSpent, name) != kSpent.end()) {
    fail("{}: {} is by an energy model; name one, such as --energy 45nm", option, name);
  }
  fail("{}: no axis is called '{}'{}", option, name, did_you_mean(name, known));
}

}  // namespace

Json sweep_document(explore::Results& results, const SweepRequest& request) {
  const std::vector<SweptWorkload> workloads = wanted_workloads(results, request);
  std::vector<int64_t> numbers;
  for (const SweptWorkload& workload : workloads) numbers.push_back(workload.number);
  const auto begin = [&](const std::string& what) {
    if (request.progress) request.progress(what);
  };
  begin("reading designs");
  const SweepDesigns designs(results, numbers);
  std::vector<std::string> names = designs.columns();
  Json list = Json::array();
  for (const SweptWorkload& workload : workloads) {
    begin("reading what " + workload.name + " came to");
    const SweptResults swept(results, workload, designs, request.energy);
    Json json = {{"name", workload.name},
                 {"version", workload.version},
                 {"effort", workload.effort},
                 {"content", workload.content}};
    json.update(swept.json());
    json["layers"] =
        sweep_layers(results, workload.number, swept.wanted(designs), kMostLayers / workloads.size(), request.energy);
    list.push_back(std::move(json));
    for (const std::string& name : swept.names()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  // What can be minimized comes first, in its own order.
  const auto rank = [](const std::string& name) {
    const auto& all = explore::objectives();
    return std::ranges::find(all, name, &explore::Objective::name) - all.begin();
  };
  std::ranges::stable_sort(names, {}, rank);
  Json axes = Json::array();
  for (const std::string& name : names) axes.push_back(axis_json(name));
  const std::vector<std::string> keys = designs.keys();
  names.insert(names.end(), keys.begin(), keys.end());
  check_axis("--x", request.x, names);
  check_axis("--y", request.y, names);
  return {{"format", "vantage sweep"},
          {"version", 1},
          {"title", std::filesystem::path(request.file).filename().string()},
          {"made_by", request.made_by},
          {"x", request.x.empty() ? "luts" : request.x},
          {"y", request.y.empty() ? "ms" : request.y},
          {"axes", std::move(axes)},
          {"designs", designs.json()},
          {"workloads", std::move(list)},
          {"sweeps", sweeps_json(results)}};
}

}  // namespace vantage::report
