#include "cli/search_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/cache.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/version.h"
#include "cli/wrap.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"

namespace vantage::cli {

namespace {

constexpr Bytes kLargestMapping{1 << 20};

std::string share(double part) {
  return fmt::format("{:.1f} %", 100 * part);
}

std::string line(std::string_view name, const std::string& what) {
  return fmt::format("{:>18} ", name) + wrapped(what, 19);
}

// What searches of any kind of layer find.
template <typename Found>
std::string found_text(const Found& found) {
  const vta::Bound& bound = found.bound;
  return line("takes",
              fmt::format("{} cycles as estimated; no schedule of this layer takes fewer than {}, so it is within {} "
                          "of the best there is",
                          found.cycles, bound.cycles(), share(found.gap()))) +
         line("bound by",
              fmt::format("{}: at least {} cycles for the GEMM core, {} for the ALU, {} for reads, {} for writes",
                          bound.binds(), bound.gemm, bound.vector, bound.read, bound.store));
}
std::string weighed_text(uint64_t programs) {
  return line("searched", fmt::format("{} program{} weighed", programs, programs == 1 ? "" : "s"));
}

template <typename Found>
Json found_json(const Found& found) {
  const vta::Bound& bound = found.bound;
  return {{"cycles", found.cycles},
          {"weighed", found.weighed},
          {"bound", bound.cycles()},
          {"binds", bound.binds()},
          {"bounds", {{"gemm", bound.gemm}, {"alu", bound.vector}, {"reads", bound.read}, {"writes", bound.store}}},
          {"gap", found.gap()}};
}

}  // namespace

void SearchOptions::add_to(CLI::App& app, bool runs) {
  auto* search = app.add_option("--search", effort, "how long to look for a mapping: quick (0.1 s) or thorough (5 s)")
                     ->type_name("EFFORT")
                     ->check(one_of({"quick", "thorough"}))
                     ->default_str("quick");
  app.add_option("--mapping", mapping, "take this mapping instead (docs/mappings.md)")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(search);
  if (!runs) return;
  app.add_option("--save-mapping", save_mapping, "write the mapping here")->type_name("FILE")->check(not_empty());
  app.add_flag("--explain", explain, "say why this mapping, what binds, and what twice the hardware would give");
}

workload::MappingRequest SearchOptions::with_effort(workload::MappingRequest request) const {
  request.effort = effort == "thorough" ? ops::SearchEffort::kThorough : ops::SearchEffort::kQuick;
  return request;
}

ops::SearchResult SearchOptions::find(const workload::MappingRequest& request) const {
  if (mapping.empty()) return workload::find_mapping(with_effort(request), mapping_cache());
  const ops::VtaConv2dMapping given = ops::parse_mapping(read_file(mapping, kLargestMapping), mapping);
  ops::check_mapping(given, request.shape, request.epilogue, request.config, mapping);
  return workload::weigh_mapping(request, given);
}

void SearchOptions::save(const ops::VtaConv2dMapping& found) const {
  if (!save_mapping.empty()) write_file(save_mapping, json_text(ops::to_json(found)) + "\n");
}

report::WhatIfs SearchOptions::what_ifs(const workload::MappingRequest& request, const ops::SearchResult& found,
                                        bool is_blocked) const {
  const bool is_found = mapping.empty() && !is_blocked;
  report::WhatIfs all{.cycles = is_found ? found.cycles : 0, .all = workload::what_ifs(request)};
  if (!is_found) all.cycles = workload::find_mapping(with_effort(request), mapping_cache()).cycles;
  return all;
}

std::string SearchOptions::explanation(const ops::SearchResult& found, const std::optional<report::WhatIfs>& what_ifs,
                                       bool is_blocked) const {
  if (!explain) return {};
  std::string text = "\n" + line("mapping", mapping_text(found.mapping));
  const bool is_found = mapping.empty() && !is_blocked;
  text += is_found
              ? weighed_text(found.weighed)
              : line("searched", fmt::format("no: it was given; a search finds one of {} cycles", what_ifs->cycles));
  text += found_text(found);
  if (found.second_cycles != 0) {
    text += line("second",
                 fmt::format("{} cycles ({} more): {}", found.second_cycles,
                             share(static_cast<double>(found.second_cycles) / static_cast<double>(found.cycles) - 1),
                             mapping_text(found.second)));
  }
  const std::string as_fast_as = is_found ? "" : fmt::format(" as those {}", what_ifs->cycles);
  for (const workload::WhatIf& what : what_ifs->all) {
    const double ratio = static_cast<double>(what_ifs->cycles) / static_cast<double>(what.cycles);
    text += line("with", what.cycles == 0 ? fmt::format("{}: there is no such core ({})", what.change, what.impossible)
                                          : fmt::format("{}: {} cycles, {:.2f} times as fast{}", what.change,
                                                        what.cycles, ratio, as_fast_as));
  }
  return text;
}

std::optional<workload::MappingCache> mapping_cache() {
  try {
    // Another build of the tool may find another mapping.
    std::error_code none;
    const std::filesystem::path tool = "/proc/self/exe";
    const auto built = std::filesystem::last_write_time(tool, none).time_since_epoch().count();
    return workload::MappingCache{default_cache() / "mappings",
                                  fmt::format("{} {} {}", version(), std::filesystem::file_size(tool, none), built)};
  } catch (const Error&) {
    return std::nullopt;  // there is no folder, so nothing is kept
  }
}

Json search_json(const ops::SearchResult& found) {
  Json json = found_json(found);
  for (const auto& [weighed, cycles] : found.improvements) json["improvements"].push_back({weighed, cycles});
  if (found.second_cycles != 0) {
    json["second"] = {{"cycles", found.second_cycles}, {"mapping", ops::to_json(found.second)}};
  }
  return json;
}

Json search_json(const ops::ElementwiseSearch& found) {
  return found_json(found);
}

std::string search_text(const ops::ElementwiseSearch& found) {
  return "\n" + weighed_text(found.weighed) + found_text(found);
}

std::string mapping_text(const ops::VtaConv2dMapping& mapping) {
  std::string order = mapping.in_slices ? "; begins and ends in slices" : "";
  if (mapping.fills_waits) order += "; fills waits";
  if (mapping.parts.size() == 1) return ops::describe(mapping.parts[0].tiling) + order;
  std::string text = fmt::format("{} parts", mapping.parts.size());
  for (const ops::VtaConv2dPart& part : mapping.parts) text += "; " + ops::describe(part.tiling);
  text += order;
  return text;
}

}  // namespace vantage::cli
