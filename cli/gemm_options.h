// The options that describe a matrix multiply: for `run gemm`, `compare gemm` and `lower gemm`. Its mapping is searched
// for, or is in blocks, as VTA's own.
#pragma once

#include "cli/search_options.h"
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
  int virtual_threads = 0;  // of blocks; 0: one
  bool in_blocks = false;
  SearchOptions search;

  // `runs`: whether the product is run, or only lowered.
  void add_to(CLI::App& app, bool runs = true);
  // --m, --k and --n alone.
  void add_sizes_to(CLI::App& app);
  // Throws Error for sizes that make tensors of too many values.
  void check_sizes() const;
  MatmulShape shape() const;
  ops::Epilogue epilogue(const isa::Config& config) const;
  // Those of the options that say how it is done, which means something for accelerators alone.
  static std::vector<std::string> mapping_options();
  // Whether it is done in blocks: asked for, or because sides or threads of them are given. Throws Error when a mapping
  // is, too, or how to look for one.
  bool is_blocked() const;
  ops::GemmBlocks blocks(const isa::Config& config) const;
  // Says on stderr which virtual threads have nothing to do, if some have.
  void warn_of_idle_threads(const isa::Config& config) const;
  workload::MappingRequest request(const isa::Config& config, const MemoryTiming& memory = {}) const;
  // What is found, or the blocks, weighed.
  ops::SearchResult find(const workload::MappingRequest& request) const;
};

}  // namespace vantage::cli
