// The options that describe a convolution: for `run conv` and `lower conv`.
#pragma once

#include <string>

#include "compiler/ops/conv2d/vta_layer.h"
#include "hw/memory/memory_timing.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct ConvOptions {
  std::string layer;  // a name of workload/resnet18.h
  Conv2dShape shape{1, 64, 56, 56, 64, 3, 3, 1, 1};
  int64_t kernel = 3;
  bool no_bias = false;
  int shift = 8;
  // Of the tiling: 0 is chosen. Channels in tiles of the GEMM core.
  int64_t tile_oc = 0, tile_h = 0, tile_w = 0, tile_ic = 0;
  int virtual_threads = 0;

  void add_to(CLI::App& app);
  // Throws Error when options contradict each other, or when no tiling is left that fits.
  ops::Layer load(const CLI::App& app, const isa::Config& config, const MemoryTiming& memory = {}) const;
};

}  // namespace vantage::cli
