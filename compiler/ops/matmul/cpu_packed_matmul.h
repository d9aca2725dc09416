// A matrix product over packed operands, as tensor expressions and their schedule.
//
//   pack_a [m tile][depth step] rows x depth, or depth x rows where A is transposed: what lies side by side stays so
//   pack_b [n tile][depth] columns
//   tile   [depth block][m tile][n tile] rows x columns, summed over a block's depth
//   C      the tiles put in their places, blocks of depth added up
#pragma once

#include "compiler/ops/cpu/words.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "compiler/te/te.h"

namespace vantage::ops {

// Depths are packed so many at a time; blocks are multiples of it.
inline constexpr int64_t kDepthStep = 16;

class PackedMatmul {
 public:
  PackedMatmul(const MatmulShape& shape, const CpuMatmulTiling& tiling, const cpu::Target& target);
  schedule::Schedule schedule(int threads) const;

 private:
  using Indices = std::vector<te::Expr>;

  std::vector<te::Expr> sizes(std::vector<int64_t> inner) const;
  te::Expr depth_slice(const te::Tensor& tensor, const Indices& batch, const te::Expr& row, const te::Expr& depth,
                       bool depth_is_last) const;
  te::Tensor define_pack_a() const;
  te::Tensor define_pack_b() const;
  te::Tensor define_column_sums() const;
  te::Tensor define_tile() const;
  te::Tensor define_result() const;
  te::Expr product(const te::Expr& a, const te::Expr& b) const;
  void schedule_pack_a(schedule::Schedule& s, const schedule::LoopRV& block_of_a) const;
  void schedule_pack_b(schedule::Schedule& s, const schedule::LoopRV& block_of_b, int threads) const;

  MatmulShape shape_;
  CpuMatmulTiling t_;
  bool words_;  // int8: four elements of depth are one word
  WordProduct word_product_;
  bool offset_;  // words of A are offset; what that adds is taken off again
  int64_t depth_, depth_blocks_, m_tiles_, n_tiles_;
  size_t batch_rank_;
  te::Tensor a_, b_, pack_a_, pack_b_, sums_, tile_, c_;
};

}  // namespace vantage::ops
