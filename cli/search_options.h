// How a layer's mapping is come by: searched for, or read from a file; and what is told of it.
#pragma once

#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "compiler/ops/elementwise/search.h"
#include "report/report.h"
#include "workload/mapping_search.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct SearchOptions {
  std::string effort;   // empty: quick
  std::string mapping;  // a file; empty: search
  std::string save_mapping;
  bool explain = false;

  // --search, --mapping, --save-mapping and --explain; of these only the first two where nothing is run.
  void add_to(CLI::App& app, bool runs = true);

  // Throws Error when the file holds no mapping of this layer, or when nothing fits. Found mappings are kept in the
  // cache.
  ops::SearchResult find(const workload::MappingRequest& request) const;

  // Writes --save-mapping, where that was given.
  void save(const ops::VtaConv2dMapping& found) const;

  // What twice the hardware would give, held against what a search finds without it: also where the mapping was given,
  // by --mapping or, `is_blocked`, by other options.
  report::WhatIfs what_ifs(const workload::MappingRequest& request, const ops::SearchResult& found,
                           bool is_blocked = false) const;

  // With --explain: why this mapping, what binds, what came second, and the what-ifs; else nothing. At most 80 columns,
  // each line with its end.
  std::string explanation(const ops::SearchResult& found, const std::optional<report::WhatIfs>& what_ifs,
                          bool is_blocked = false) const;

 private:
  workload::MappingRequest with_effort(workload::MappingRequest request) const;
};

// Where mappings are kept; nothing where there is no place.
std::optional<workload::MappingCache> mapping_cache();

// What a search has found, for the member "search" of a run's JSON, and as lines of an explanation.
Json search_json(const ops::SearchResult& found);
Json search_json(const ops::ElementwiseSearch& found);
std::string search_text(const ops::ElementwiseSearch& found);

// Of all parts, for people: one line, or one for each part.
std::string mapping_text(const ops::VtaConv2dMapping& mapping);

}  // namespace vantage::cli
