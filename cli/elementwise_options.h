// The options that describe an elementwise layer: for `run elementwise` and `lower elementwise`.
#pragma once

#include <optional>
#include <string>

#include "compiler/ops/elementwise/search.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct ElementwiseOptions {
  int64_t size = 100352;  // an activation of ResNet-18: 128 x 28 x 28
  std::string op = "add";
  std::optional<int> immediate;
  int shift = 0;
  int64_t tile = 0;  // 0: chosen
  int virtual_threads = 0;

  void add_to(CLI::App& app);
  ops::Elementwise layer(const isa::Config& config) const;
  // Throws Error when none is left that fits.
  ops::ElementwiseSearch find(const ops::Elementwise& layer, const isa::Config& config,
                              const MemoryTiming& memory = {}) const;
};

}  // namespace vantage::cli
