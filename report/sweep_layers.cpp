#include "report/sweep_layers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/json.h"
#include "explore/schema.h"
#include "hw/isa/config.h"
#include "report/packed.h"
#include "report/sweep_energy.h"

namespace vantage::report {

std::vector<size_t> most_wanted(const std::vector<double>& time, const std::vector<std::vector<double>>& others) {
  std::vector<size_t> rows(time.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::erase_if(rows, [&](size_t row) { return std::isnan(time[row]); });
  std::ranges::stable_sort(rows, {}, [&](size_t row) { return time[row]; });
  std::vector<bool> on_front(time.size(), false);
  for (const std::vector<double>& other : others) {
    double least = INFINITY;
    for (size_t begin = 0, end; begin < rows.size(); begin = end) {
      // Of those that take the same time only the least counts
      for (end = begin; end < rows.size() && time[rows[end]] == time[rows[begin]];) ++end;
      const auto best = std::min_element(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                         rows.begin() + static_cast<std::ptrdiff_t>(end),
                                         [&](size_t a, size_t b) { return other[a] < other[b]; });
      if (!(other[*best] < least)) continue;
      least = other[*best];
      on_front[*best] = true;
    }
  }
  std::stable_partition(rows.begin(), rows.end(), [&](size_t row) { return on_front[row]; });
  return rows;
}

namespace {

isa::Config config_of(explore::Results& results, int64_t design) {
  std::string text;
  results.query("SELECT config FROM designs WHERE id = ?", {design},
                [&](const explore::Results::Row& row) { text = row.text(0); });
  return isa::Config::from_json(parse_json(text, "a design"), "a design");
}

}  // namespace

Json sweep_layers(explore::Results& results, int64_t workload, const std::vector<NumberedDesign>& designs, size_t most,
                  const energy::EnergyModel* model) {
  struct Values {
    int64_t cycles = -1, bytes = -1, pj = -1;
  };
  const std::string sql = "SELECT name, repeats, useful, cycles, nbytes" +
                          (model != nullptr ? ", " + explore::count_columns() : "") +
                          " FROM layer_results WHERE design = ? AND workload = ? ORDER BY number";
  std::map<std::string, size_t> lists;  // of names, how often, and useful multiplications
  Json list_texts = Json::array();
  Column places, list_of, cycles, bytes, pj;
  size_t left = most, kept = 0, last = 0;
  for (const auto& [number, place] : designs) {
    Json list = Json::array();
    std::vector<Values> values;
    std::optional<isa::Config> config;
    if (model != nullptr) config = config_of(results, number);
    results.query(sql, {number, workload}, [&](const explore::Results::Row& row) {
      list.push_back({row.value(0), row.value(1), row.value(2)});
      Values& layer = values.emplace_back();
      if (!row.is_null(4)) layer.bytes = row.integer(4);
      if (row.is_null(3)) return;
      layer.cycles = row.integer(3);
      if (!config) return;
      const Cycles taken(static_cast<uint64_t>(layer.cycles));
      layer.pj = std::llround(energy_of(row, 5, taken, *config, *model).total_pj());
    });
    if (values.size() > left) break;
    left -= values.size();
    ++kept;
    const auto [known, is_new] = lists.try_emplace(json_line(list), lists.size());
    if (is_new) list_texts.push_back(std::move(list));
    places.add(static_cast<int64_t>(place) - static_cast<int64_t>(std::exchange(last, place)));
    list_of.add(static_cast<int64_t>(known->second));
    for (const Values& layer : values) {
      cycles.add(layer.cycles);
      bytes.add(layer.bytes);
      pj.add(layer.pj);
    }
  }
  Json json = {{"count", kept},
               {"places", places.packed()},
               {"lists", packed(json_line(list_texts))},
               {"list", list_of.packed()},
               {"cycles", cycles.packed()},
               {"bytes", bytes.packed()}};
  if (model != nullptr) json["pj"] = pj.packed();
  return json;
}

}  // namespace vantage::report
