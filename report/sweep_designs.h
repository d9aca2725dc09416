// The designs of a page about a sweep: their configurations, key by key, and what is the same of them for each
// workload.
//
// Thread safety: values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "explore/results.h"
#include "report/table_column.h"

namespace vantage::report {

class SweepDesigns {
 public:
  // Those that have been parted for any of these workloads, in the order of their numbers.
  SweepDesigns(explore::Results& results, const std::vector<int64_t>& workloads);

  size_t count() const { return numbers_.size(); }
  // REQUIRES: it is one of them
  size_t place_of(int64_t design) const;
  // Keys of configurations whose values differ, and the columns that the view of results has, too.
  std::vector<std::string> keys() const;
  std::vector<std::string> columns() const;
  // What a column has of a design; NaN: nothing.
  double number(const std::string& column, size_t place) const;

  // {"count", "names", "memories", "common", "order", "keys", "columns"}, as docs/report.md has it.
  Json json() const;

 private:
  using Named = std::pair<std::string, TableColumn>;

  void add_config(const Json& config);

  std::vector<int64_t> numbers_;
  TableColumn names_, memories_;
  std::vector<Named> keys_, columns_;  // of all keys, in the order of the configurations
};

}  // namespace vantage::report
