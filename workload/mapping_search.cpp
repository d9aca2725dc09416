#include "workload/mapping_search.h"

#include <fmt/format.h>

#include <array>

#include "base/cache.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/sha256.h"
#include "compiler/ops/conv2d/vta_cost.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"
#include "compiler/ops/conv2d/vta_work.h"

namespace vantage::workload {

namespace fs = std::filesystem;

namespace {

using ops::SearchEffort;
using ops::SearchResult;

std::string fingerprint(const MappingRequest& r, const std::string& version) {
  const Conv2dShape& s = r.shape;
  const ops::TilingRequest& t = r.tiling;
  const ops::Epilogue& e = r.epilogue;
  const Json key = {
      {"version", version},
      {"shape",
       {s.batch, s.in_channels, s.height, s.width, s.out_channels, s.kernel_h, s.kernel_w, to_string(s.stride),
        to_string(s.pad), to_string(s.dilation), s.channelwise}},
      // By how much there is to do, whatever the numbers are.
      {"epilogue",
       {ops::channel_vectors(e), ops::first_instructions(e), ops::alu_instructions(e), e.has_addend,
        e.starts_from_addend()}},
      {"config", r.config.to_json()},
      {"memory", r.memory.to_json()},
      {"tiling", {t.n, t.oc, t.h, t.w, t.ic, t.threads}},
  };
  return sha256(key.dump());
}

fs::path file_of(const MappingCache& cache, const std::string& key, SearchEffort effort) {
  constexpr std::array kNames = {"brief", "quick", "thorough"};  // of efforts
  return cache.folder / fmt::format("{}.{}.json", key, kNames.at(static_cast<size_t>(effort)));
}

vta::Bound bound_of(const MappingRequest& r) {
  return vta::bound_of(ops::vta_conv2d_work(r.shape, r.epilogue, r.config), r.config, r.memory);
}

std::string to_text(const SearchResult& found) {
  Json json = {{"cycles", found.cycles}, {"weighed", found.weighed}, {"mapping", ops::to_json(found.mapping)}};
  for (const auto& [weighed, cycles] : found.improvements) json["improvements"].push_back({weighed, cycles});
  if (found.second_cycles != 0) {
    json["second_cycles"] = found.second_cycles;
    json["second"] = ops::to_json(found.second);
  }
  return json_text(json) + "\n";
}

std::optional<SearchResult> kept(const MappingRequest& r, const fs::path& file) {
  constexpr Bytes kLargest{1 << 16};
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return std::nullopt;
  try {
    const std::string source = file.string();
    const Json json = parse_json(read_file(file, kLargest), source);
    const JsonObject object(json, source);
    SearchResult found;
    found.cycles = object.natural("cycles", 1, UINT64_MAX / 2);
    found.weighed = object.natural("weighed", 0, UINT64_MAX / 2);
    found.mapping = ops::parse_mapping(object.value("mapping").dump(), source);
    ops::check_mapping(found.mapping, r.shape, r.epilogue, r.config, source);
    if (object.has("second")) {
      found.second_cycles = object.natural("second_cycles", 1, UINT64_MAX / 2);
      found.second = ops::parse_mapping(object.value("second").dump(), source);
    }
    if (object.has("improvements")) {
      for (const Json& pair : object.array("improvements")) {
        found.improvements.push_back({pair.at(0).get<uint64_t>(), pair.at(1).get<uint64_t>()});
      }
    }
    found.bound = bound_of(r);
    return found;
  } catch (const Error&) {
    return std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void keep(const SearchResult& found, const fs::path& file) {
  try {
    make_cache_folder(file.parent_path());
    write_file(file, to_text(found));
  } catch (const Error&) {
    // The next one searches again.
  }
}

}  // namespace

SearchResult find_mapping(const MappingRequest& r, const std::optional<MappingCache>& cache) {
  const std::string key = cache ? fingerprint(r, cache->version) : std::string();
  for (const SearchEffort effort : {SearchEffort::kThorough, SearchEffort::kQuick}) {
    if (!cache || (effort == SearchEffort::kQuick && r.effort == SearchEffort::kThorough)) break;
    if (auto found = kept(r, file_of(*cache, key, effort))) return std::move(*found);
  }
  SearchResult found = ops::search_vta_conv2d(r.shape, r.epilogue, r.config, r.tiling, r.memory, r.effort);
  if (cache) keep(found, file_of(*cache, key, r.effort));
  return found;
}

SearchResult weigh_mapping(const MappingRequest& r, const ops::VtaConv2dMapping& mapping) {
  SearchResult result;
  result.mapping = mapping;
  auto timed = ops::VtaConv2dCost(r.shape, r.epilogue, r.config, r.memory).weigh(mapping);
  result.cycles = timed->cycles;
  result.program = std::move(timed->program);
  result.bound = bound_of(r);
  result.weighed = 1;
  return result;
}

std::vector<WhatIf> what_ifs(const MappingRequest& r) {
  std::vector<WhatIf> result;
  for (const CoreChange& change : core_changes()) {
    WhatIf what{.change = change.name};
    try {
      MappingRequest other = r;
      other.config = changed(r.config, change);
      other.effort = SearchEffort::kQuick;
      what.cycles = find_mapping(other, std::nullopt).cycles;
    } catch (const Error& error) {
      what.impossible = error.what();
    }
    result.push_back(std::move(what));
  }
  return result;
}

}  // namespace vantage::workload
