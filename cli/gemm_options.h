// The options that describe a matrix multiply: for `run gemm` and `lower gemm`.
#pragma once

#include "compiler/ops/gemm.h"
#include "compiler/ops/layer.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct GemmOptions {
  uint64_t m = 1, k = 1024, n = 1024;
  uint64_t block_m = 0, block_k = 0, block_n = 0;  // 0: chosen
  bool bias = false;
  int shift = 8;
  int virtual_threads = 1;

  void add_to(CLI::App& app);
  // --m, --k and --n alone.
  void add_sizes_to(CLI::App& app);
  // Throws Error for sizes that make tensors of too many values.
  void check_sizes() const;
  compiler::GemmProblem problem(const spec::Config& config) const;
  compiler::GemmBlocks blocks(const spec::Config& config) const;
  compiler::Layer load(const spec::Config& config) const;
};

}  // namespace vantage::cli
