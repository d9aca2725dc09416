#include "report/sweep_designs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::report {

namespace {

// What keys of the configuration say as well, or what is no quantity.
bool is_column_of_keys(const std::string& name) {
  return name == "name" || name == "config_hash" || name == "clock_mhz" || name == "memory_name";
}

}  // namespace

SweepDesigns::SweepDesigns(explore::Results& results, const std::vector<int64_t>& workloads) {
  const std::vector<std::string> of_results = results.columns("results");
  std::string more;
  for (const std::string& name : results.columns("designs")) {
    if (is_column_of_keys(name) || std::ranges::find(of_results, name) == of_results.end()) continue;
    columns_.emplace_back(name, TableColumn());
    more += ", d." + name;
  }
  const std::string sql = fmt::format(
      "SELECT d.id, d.name, d.config, d.memory{} FROM designs d WHERE EXISTS (SELECT 1 FROM parted r WHERE r.design = "
      "d.id AND r.workload IN ({})) ORDER BY d.id",
      more, fmt::join(workloads, ", "));
  results.query(sql, {}, [&](const explore::Results::Row& row) {
    numbers_.push_back(row.integer(0));
    names_.add(row.value(1));
    add_config(parse_json(row.text(2), "a design's configuration"));
    memories_.add(row.value(3));
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i].second.add(row.value(4 + static_cast<int>(i)));
  });
}

void SweepDesigns::add_config(const Json& config) {
  const size_t before = numbers_.size() - 1;
  for (const auto& [key, value] : config.items()) {
    auto known = std::ranges::find(keys_, key, &Named::first);
    if (known == keys_.end()) {
      known = keys_.insert(keys_.end(), {key, TableColumn()});
      known->second.add_nothing(before);
    }
    known->second.add(value);
  }
  for (auto& [key, column] : keys_) column.add_nothing(before + 1 - column.rows());
}

size_t SweepDesigns::place_of(int64_t design) const {
  const auto found = std::ranges::lower_bound(numbers_, design);
  VANTAGE_CHECK(found != numbers_.end() && *found == design);
  return static_cast<size_t>(found - numbers_.begin());
}

std::vector<std::string> SweepDesigns::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, column] : keys_) {
    if (column.varies()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> SweepDesigns::columns() const {
  std::vector<std::string> names;
  for (const auto& [name, column] : columns_) names.push_back(name);
  return names;
}

double SweepDesigns::number(const std::string& column, size_t place) const {
  const auto found = std::ranges::find(columns_, column, &Named::first);
  VANTAGE_CHECK(found != columns_.end());
  return found->second.number(place);
}

Json SweepDesigns::json() const {
  Json common = Json::object(), order = Json::array(), keys = Json::array(), columns = Json::array();
  for (const auto& [name, column] : keys_) {
    order.push_back(name);
    if (column.varies()) {
      keys.push_back({{"name", name}, {"column", column.json()}});
    } else {
      common[name] = column.value();
    }
  }
  for (const auto& [name, column] : columns_) columns.push_back({{"name", name}, {"column", column.json()}});
  return {{"count", count()},
          {"names", names_.json()},
          {"memories", memories_.json()},
          {"common", std::move(common)},
          {"order", std::move(order)},
          {"keys", std::move(keys)},
          {"columns", std::move(columns)}};
}

}  // namespace vantage::report
