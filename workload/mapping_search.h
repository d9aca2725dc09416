// Mappings that were found are kept, so that a layer is searched for once.
//
// Thread safety: functions may be called from any thread; processes may share a cache.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ops/conv2d/vta_search.h"
#include "workload/what_if.h"

namespace vantage::workload {

struct MappingRequest {
  Conv2dShape shape;
  ops::Epilogue epilogue;
  isa::Config config;
  MemoryTiming memory = {};
  ops::TilingRequest tiling = {};
  ops::SearchEffort effort = ops::SearchEffort::kQuick;
};

// A file for each request, named by a fingerprint of all of it and of the version, which is another one for every build
// that may find another mapping.
struct MappingCache {
  std::filesystem::path folder;
  std::string version;
};

// What search_vta_conv2d() finds, or found before. A thorough search's result serves where a quick one is asked for.
// What the cache cannot keep, or holds and cannot be read, is as if it were not there. Throws as the search does.
ops::SearchResult find_mapping(const MappingRequest& request, const std::optional<MappingCache>& cache);

// A mapping of one's own, weighed like those that are searched for. REQUIRES: check_mapping() takes it.
ops::SearchResult weigh_mapping(const MappingRequest& request, const ops::VtaConv2dMapping& mapping);

// What the layer would take on cores with twice as much of something, quickly searched for.
std::vector<WhatIf> what_ifs(const MappingRequest& request);

}  // namespace vantage::workload
