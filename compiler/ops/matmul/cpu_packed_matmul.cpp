#include "compiler/ops/matmul/cpu_packed_matmul.h"

#include "base/math.h"
#include "compiler/ops/cpu/tile.h"

namespace vantage::ops {

using namespace te;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using te::Tensor;  // not the host's

namespace {

// All indices but the last `inner` ones.
std::vector<Expr> outer(const std::vector<Var>& x, size_t inner) {
  return {x.begin(), x.end() - static_cast<std::ptrdiff_t>(inner)};
}

template <typename... Indices>
Expr at(const Tensor& t, std::vector<Expr> indices, const Indices&... more) {
  (indices.push_back(Expr(more)), ...);
  return t.at(std::move(indices));
}

// A value inside of a range, zero beyond its end; no condition where nothing is beyond.
Expr or_zero(const Expr& condition, const Expr& value) {
  return condition.defined() ? if_then_else(condition, value, ir::make_zero(value.dtype())) : value;
}

Expr below(const Expr& index, int64_t size, int64_t padded) {
  return size == padded ? Expr() : index < Expr(size);
}

Expr both(const Expr& a, const Expr& b) {
  if (!a.defined()) return b;
  return b.defined() ? a && b : a;
}

}  // namespace

PackedMatmul::PackedMatmul(const MatmulShape& shape, const CpuMatmulTiling& tiling, const cpu::Target& target)
    : shape_(shape),
      t_(tiling),
      words_(shape.dtype == kInt8),
      word_product_(target),
      offset_(words_ && word_product_.offset),
      depth_(words_ ? ceil_div(shape.k, 4) : shape.k),
      depth_blocks_(ceil_div(depth_, tiling.block_k)),
      m_tiles_(ceil_div(shape.m, tiling.tile_m)),
      n_tiles_(ceil_div(shape.n, tiling.tile_n)),
      batch_rank_(shape.batch ? 1 : 0) {
  const auto [m, n, k] = std::tuple(shape.m, shape.n, shape.k);
  a_ = placeholder(shape.transpose_a ? sizes({k, m}) : sizes({m, k}), shape.dtype, "A");
  b_ = placeholder(shape.transpose_b ? sizes({n, k}) : sizes({k, n}), shape.dtype, "B");
  pack_a_ = define_pack_a();
  pack_b_ = define_pack_b();
  if (offset_) sums_ = define_column_sums();
  tile_ = define_tile();
  c_ = define_result();
}

std::vector<Expr> PackedMatmul::sizes(std::vector<int64_t> inner) const {
  std::vector<Expr> all;
  if (shape_.batch) all.emplace_back(*shape_.batch);
  all.insert(all.end(), inner.begin(), inner.end());
  return all;
}

// One step of depth of an operand as it is packed: a number in single precision, or four bytes in a word.
Expr PackedMatmul::depth_slice(const Tensor& tensor, const Indices& batch, const Expr& row, const Expr& depth,
                               bool depth_is_last) const {
  const auto element = [&](const Expr& k) {
    return depth_is_last ? at(tensor, batch, row, k) : at(tensor, batch, k, row);
  };
  return words_ ? pack_word(depth, shape_.k, element) : cast(kFloat32, element(depth));
}

Tensor PackedMatmul::define_pack_a() const {
  const int64_t steps = depth_blocks_ * t_.block_k / kDepthStep;
  const bool ta = shape_.transpose_a;
  const auto shape =
      ta ? sizes({m_tiles_, steps, kDepthStep, t_.tile_m}) : sizes({m_tiles_, steps, t_.tile_m, kDepthStep});
  return compute(
      shape,
      [&](const std::vector<Var>& x) {
        const size_t r = batch_rank_;
        const Expr row = x[r] * Expr(t_.tile_m) + (ta ? x[r + 3] : x[r + 2]);
        const Expr depth = x[r + 1] * Expr(kDepthStep) + (ta ? x[r + 2] : x[r + 3]);
        Expr value = depth_slice(a_, outer(x, 4), row, depth, !ta);
        if (words_) value = word_product_.pack_offset(value);
        return or_zero(both(below(row, shape_.m, m_tiles_ * t_.tile_m), below(depth, depth_, steps * kDepthStep)),
                       value);
      },
      "pack_a");
}

Tensor PackedMatmul::define_pack_b() const {
  const int64_t padded = depth_blocks_ * t_.block_k;
  return compute(
      sizes({n_tiles_, padded, t_.tile_n}),
      [&](const std::vector<Var>& x) {
        const size_t r = batch_rank_;
        const Expr column = x[r] * Expr(t_.tile_n) + x[r + 2], depth = x[r + 1];
        const Expr value = depth_slice(b_, outer(x, 3), column, depth, shape_.transpose_b);
        return or_zero(both(below(column, shape_.n, n_tiles_ * t_.tile_n), below(depth, depth_, padded)), value);
      },
      "pack_b");
}

// What the offset of A's bytes adds to a column of C.
Tensor PackedMatmul::define_column_sums() const {
  const ReduceAxis k = reduce_axis(Expr(t_.block_k), "k");
  return compute(
      sizes({depth_blocks_, n_tiles_, t_.tile_n}),
      [&](const std::vector<Var>& x) {
        const size_t r = batch_rank_;
        const Expr word = at(pack_b_, outer(x, 3), x[r + 1], x[r] * Expr(t_.block_k) + k, x[r + 2]);
        return sum(word_product_.of_offset(word), {k});
      },
      "column_sums");
}

Expr PackedMatmul::product(const Expr& a, const Expr& b) const {
  return words_ ? word_product_(a, b) : a * b;
}

Tensor PackedMatmul::define_tile() const {
  const ReduceAxis k = reduce_axis(Expr(t_.block_k), "k");
  return compute(
      sizes({depth_blocks_, m_tiles_, n_tiles_, t_.tile_m, t_.tile_n}),
      [&](const std::vector<Var>& x) {
        const size_t r = batch_rank_;
        const Expr depth = x[r] * Expr(t_.block_k) + k;
        const Expr step = floor_div(depth, Expr(kDepthStep)), in_step = floor_mod(depth, Expr(kDepthStep));
        const Indices b = outer(x, 5);
        const Expr row = x[r + 3];
        const Expr left = shape_.transpose_a ? at(pack_a_, b, x[r + 1], step, in_step, row)
                                             : at(pack_a_, b, x[r + 1], step, row, in_step);
        return sum(product(left, at(pack_b_, b, x[r + 2], depth, x[r + 4])), {k});
      },
      "tile");
}

Tensor PackedMatmul::define_result() const {
  const ReduceAxis block = reduce_axis(Expr(depth_blocks_), "depth_block");
  const auto value = [&](const std::vector<Var>& x, const Expr& b) {
    const Expr i = x[batch_rank_], j = x[batch_rank_ + 1];
    const Expr tile_m(t_.tile_m), tile_n(t_.tile_n);
    const Indices batch = outer(x, 2);
    const Expr n_tile = floor_div(j, tile_n), column = floor_mod(j, tile_n);
    const Expr sum_of_tile = at(tile_, batch, b, floor_div(i, tile_m), n_tile, floor_mod(i, tile_m), column);
    return offset_ ? sum_of_tile - at(sums_, batch, b, n_tile, column) : sum_of_tile;
  };
  const auto shape = sizes({shape_.m, shape_.n});
  const DType sum_type = words_ ? kInt32 : kFloat32;
  if (depth_blocks_ == 1) {
    return compute(
        shape, [&](const std::vector<Var>& x) { return cast(shape_.result(), value(x, 0)); }, "C");
  }
  const bool direct = shape_.result() == sum_type;
  const Tensor added = compute(
      shape, [&](const std::vector<Var>& x) { return sum(value(x, block), {block}); }, direct ? "C" : "sum");
  if (direct) return added;
  return compute(
      shape,
      [&](const std::vector<Var>& x) { return cast(shape_.result(), added.at(std::vector<Expr>(x.begin(), x.end()))); },
      "C");
}

void PackedMatmul::schedule_pack_a(Schedule& s, const LoopRV& block_of_a) const {
  const BlockRV pack_a = s.get_block("pack_a");
  s.compute_at(pack_a, block_of_a);
  if (words_ && !shape_.transpose_a) {
    // Four neighbouring bytes are one load, but not four vectors of them.
    s.unroll(s.get_loops(pack_a).back());
  } else {
    s.vectorize(s.get_loops(pack_a).back());
  }
}

void PackedMatmul::schedule_pack_b(Schedule& s, const LoopRV& block_of_b, int threads) const {
  const BlockRV pack_b = s.get_block("pack_b");
  // With one row of tiles every panel of B is read once, which is as well done where it lies.
  if (m_tiles_ == 1 && !words_ && !shape_.transpose_b && depth_blocks_ * t_.block_k == depth_) {
    s.compute_inline(pack_b);
    return;
  }
  s.compute_at(pack_b, block_of_b);
  const std::vector<LoopRV> inner = s.get_loops(pack_b);
  const size_t n = inner.size();
  if (shape_.transpose_b) {
    // Turned around in squares: lines of what is read and of what is written stay near for as long as it takes.
    const auto depth = s.split(inner[n - 2], {std::nullopt, kDepthStep});
    s.reorder({depth[0], inner[n - 1], depth[1]});
  } else {
    s.vectorize(inner[n - 1]);
  }
  if (threads > 1) s.parallel(inner[n - 3]);
}

Schedule PackedMatmul::schedule(int threads) const {
  Schedule s(create_prim_func({a_, b_, c_}, "matmul"));
  const size_t r = batch_rank_;
  const bool added = depth_blocks_ > 1;
  const bool converted = added && shape_.result() != (words_ ? kInt32 : kFloat32);
  const BlockRV result = s.get_block(converted ? "sum" : "C");
  const std::vector<LoopRV> loops = s.get_loops(result);
  const auto rows = s.split(loops[r], {std::nullopt, t_.block_m / t_.tile_m, t_.tile_m});
  const auto columns = s.split(loops[r + 1], {std::nullopt, t_.block_n / t_.tile_n, t_.tile_n});
  std::vector<LoopRV> order = {columns[0]};
  if (added) order.push_back(loops[r + 2]);
  order.insert(order.end(), {rows[0], columns[1], rows[1], rows[2], columns[2]});
  s.reorder(order);
  s.unroll(rows[2]);
  s.vectorize(columns[2]);
  const LoopRV block_of_b = added ? loops[r + 2] : columns[0];

  const BlockRV tile = s.get_block("tile");
  s.compute_at(tile, rows[1]);
  s.set_scope(tile, "local");
  const std::vector<LoopRV> inner = s.get_loops(tile);
  const size_t n = inner.size();
  const auto depth = s.split(inner[n - 1], {std::nullopt, kDepthStep});
  schedule_register_tile(s, tile, {depth[0], depth[1]}, inner[n - 3], inner[n - 2]);

  schedule_pack_a(s, rows[0]);
  if (offset_) {
    const BlockRV sums = s.get_block("column_sums");
    s.compute_at(sums, block_of_b);
    const std::vector<LoopRV> of = s.get_loops(sums);
    schedule_lane_sums(s, sums, {of.back()}, of[of.size() - 2]);
  }
  schedule_pack_b(s, block_of_b, threads);
  if (threads > 1) {
    // What there is enough of: products, blocks of rows, or else blocks of columns.
    const bool many_products = shape_.batch.value_or(1) >= threads;
    const bool many_rows = ceil_div(m_tiles_ * t_.tile_m, t_.block_m) >= threads;
    s.parallel(many_products ? loops[0] : many_rows ? rows[0] : columns[0]);
  }
  if (converted) {
    const std::vector<LoopRV> last = s.get_loops(s.get_block("C"));
    if (threads > 1) s.parallel(last[r]);
    s.vectorize(s.split(last[r + 1], {std::nullopt, t_.tile_n})[1]);
  }
  return s;
}

}  // namespace vantage::ops
