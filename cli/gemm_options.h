// The options that describe a matrix multiply: for `run gemm` and `lower gemm`.
#pragma once

#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/matmul/vta_blocks.h"

namespace CLI {
class App;
}

namespace vantage::cli {

struct GemmOptions {
  int64_t m = 1, k = 1024, n = 1024;
  int64_t block_m = 0, block_k = 0, block_n = 0;  // 0: chosen
  bool bias = false;
  int shift = 8;
  int virtual_threads = 1;

  void add_to(CLI::App& app);
  // --m, --k and --n alone.
  void add_sizes_to(CLI::App& app);
  // Throws Error for sizes that make tensors of too many values.
  void check_sizes() const;
  MatmulShape shape() const;
  ops::Epilogue epilogue(const isa::Config& config) const;
  ops::GemmBlocks blocks(const isa::Config& config) const;
  // Says on stderr which virtual threads have nothing to do, if some have.
  void warn_of_idle_threads(const isa::Config& config) const;
  ops::VtaConv2dTiling tiling(const isa::Config& config) const;
  ops::Layer load(const isa::Config& config) const;
};

}  // namespace vantage::cli
