// The options that describe a convolution: for `run conv` and `lower conv`.
#pragma once

#include <string>

#include "cli/search_options.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "hw/memory/memory_timing.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct ConvOptions {
  std::string layer;  // a name of workload/resnet18.h
  Conv2dShape shape{1, 64, 56, 56, 64, 3, 3, 1, 1};
  std::string kernel = "3", stride = "1", pad = "1", dilation = "1";
  bool no_bias = false;
  int shift = 8;
  // Of the tiling: 0 is chosen. Channels in tiles of the GEMM core.
  int64_t tile_oc = 0, tile_h = 0, tile_w = 0, tile_ic = 0;
  int virtual_threads = 0;
  SearchOptions search;

  // `runs`: whether the layer is run, or only lowered.
  void add_to(CLI::App& app, bool runs = true);
  // Those of them that say how it is done, which means something for accelerators alone.
  static std::vector<std::string> mapping_options();
  // What is to be mapped. Throws Error when options contradict each other.
  workload::MappingRequest request(const CLI::App& app, const isa::Config& config,
                                   const MemoryTiming& memory = {}) const;
  // Its mapping. Throws Error when none is left that fits.
  ops::SearchResult find(const workload::MappingRequest& request) const { return search.find(request); }
};

}  // namespace vantage::cli
