#include "tests/compiler/backend/vta/random_gemm.h"

#include <algorithm>

#include "compiler/backend/vta/intrinsics.h"
#include "compiler/te/te.h"

namespace vantage::test {

using namespace te;
using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;

namespace {

int64_t pick(std::mt19937_64& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

}  // namespace

ir::PrimFunc random_matmul(std::mt19937_64& random, const isa::Config& config) {
  const int batch = config.batch(), in = config.block_in(), out = config.block_out();
  const int64_t m = pick(random, 1, 4), n = pick(random, 1, 6), k = pick(random, 1, 6);
  const DType acc = vta::element_type(isa::Memory::kAcc, config);
  const te::Tensor a = placeholder({m, k, batch, in}, vta::element_type(isa::Memory::kInp, config), "A");
  const te::Tensor b = placeholder({n, k, out, in}, vta::element_type(isa::Memory::kWgt, config), "B");
  const ReduceAxis ko = reduce_axis(k, "ko"), ki = reduce_axis(in, "ki");
  const std::vector<Expr> shape = {m, n, batch, out};
  te::Tensor result = compute(
      shape,
      [&](Expr i, Expr j, Expr r, Expr c) {
        return sum(cast(acc, a(i, ko, r, ki)) * cast(acc, b(j, ko, c, ki)), {ko, ki});
      },
      "sums");
  const auto stage = [&](const char* name, auto f) {
    result = compute(
        shape, [&, x = result](Expr i, Expr j, Expr r, Expr c) { return f(x(i, j, r, c)); }, name);
  };
  const int64_t shift = pick(random, 1, 8);
  if (pick(random, 0, 1) == 0) stage("shifted", [&](Expr x) { return x >> cast(acc, Expr(shift)); });
  if (pick(random, 0, 1) == 0) stage("above", [&](Expr x) { return max(x, cast(acc, Expr(-7))); });
  if (pick(random, 0, 1) == 0) stage("below", [&](Expr x) { return min(x, cast(acc, Expr(100))); });
  const DType type = vta::element_type(isa::Memory::kOut, config);
  const te::Tensor c = compute(
      shape, [&](Expr i, Expr j, Expr r, Expr l) { return cast(type, result(i, j, r, l)); }, "C");
  return create_prim_func({a, b, c}, "matmul");
}

Schedule random_matmul_schedule(const ir::PrimFunc& matmul, std::mt19937_64& random, const isa::Config& config) {
  Schedule s(matmul, vta::intrinsics(config));
  const auto coin = [&] { return pick(random, 0, 1) == 0; };
  const auto split = [&](LoopRV loop) { return s.split_by_factor(loop, pick(random, 1, 4)); };
  std::vector<std::string> stages;
  for (const char* name : {"below", "above", "shifted", "sums"}) {
    if (matmul.find_buffer(name) != nullptr || s.function().find_buffer(name) != nullptr) stages.emplace_back(name);
  }
  const BlockRV out = s.get_block("C"), sums = s.get_block("sums");
  const BlockRV a = s.cache_read(sums, "A", "vta.inp"), b = s.cache_read(sums, "B", "vta.wgt");
  for (const std::string& name : stages) s.set_scope(s.get_block(name), "vta.acc");

  // The result in tiles, in one order or the other.
  const auto loops = s.get_loops(out);
  const auto rows = split(loops[0]), columns = split(loops[1]);
  std::vector<LoopRV> outer = {rows[0], columns[0]}, inner = {rows[1], columns[1]};
  if (coin()) std::swap(outer[0], outer[1]);
  if (coin()) std::swap(inner[0], inner[1]);
  s.reorder({outer[0], outer[1], inner[0], inner[1], loops[2], loops[3]});
  std::vector<LoopRV> around = outer;  // of a tile
  if (coin()) around = {s.fuse(outer)};
  if (coin()) {
    const auto parts = s.split_by_parts(around[0], pick(random, 2, 3));
    s.bind(parts[0], "vthread");
    around[0] = parts[1];
  }
  const LoopRV tile = around.back();
  for (const std::string& name : stages) s.compute_at(s.get_block(name), tile);
  for (const std::string& name : stages) {
    if (pick(random, 0, 2) == 0) s.double_buffer(s.get_block(name), pick(random, 2, 4));
  }

  // The sum in parts, each copy for one part, for a tile, or for more.
  const auto all = s.get_loops(sums);
  const std::vector<LoopRV> own(all.end() - 6, all.end());  // rows columns r c ko ki
  const auto depth = split(own[4]);
  std::vector<LoopRV> order = {own[0], own[1], depth[1]};
  std::shuffle(order.begin(), order.end(), random);
  s.reorder({depth[0], order[0], order[1], order[2], own[2], own[3], own[5]});
  std::vector<LoopRV> places = around;
  places.push_back(depth[0]);
  for (const BlockRV copy : {a, b}) {
    const int64_t place = pick(random, -1, static_cast<int64_t>(places.size()) - 1);
    if (place >= 0) s.compute_at(copy, places[static_cast<size_t>(place)]);
    if (place >= 0 && pick(random, 0, 2) == 0) s.double_buffer(copy, pick(random, 2, 4));
    const auto copied = s.get_loops(copy);
    s.pragma(copied[copied.size() - static_cast<size_t>(pick(random, 3, 4))], "dma_copy");
  }
  if (coin()) s.decompose_reduction(sums, depth[0]);
  s.tensorize(own[2], "vta.gemm");
  s.pragma(inner[0], "dma_copy");
  return s;
}

}  // namespace vantage::test
