#include "compiler/ops/elementwise/elementwise.h"

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/scopes.h"

namespace vantage::ops {

using namespace te;
using isa::AluOp;
using isa::Memory;
using schedule::BlockRV;
using schedule::Schedule;
using te::Tensor;  // not the host's

namespace {

Expr combine(AluOp op, const Expr& a, const Expr& b) {
  switch (op) {
    case AluOp::kAdd: return a + b;
    case AluOp::kMul: return a * b;
    case AluOp::kMin: return min(a, b);
    case AluOp::kMax: return max(a, b);
    case AluOp::kShr: break;
  }
  fail("an elementwise layer cannot shift by a tensor; expected add, mul, min or max");
}

}  // namespace

Memory operand_memory(const isa::Config& config) {
  return config.out_bits() == 8 ? Memory::kAcc8 : Memory::kAcc;
}

ir::PrimFunc elementwise(const Elementwise& layer, const isa::Config& config) {
  if (layer.size < 1) fail("an elementwise layer has {} values, expected at least 1", layer.size);
  if (layer.epilogue.bias) fail("an elementwise layer adds no bias; add it as B");
  check_epilogue(layer.epilogue);
  const int64_t lanes = int64_t{config.batch()} * config.block_out();
  const std::vector<Expr> shape = {ceil_div(layer.size, lanes), config.batch(), config.block_out()};
  const DType type = vta::element_type(operand_memory(config), config), acc = vta::element_type(Memory::kAcc, config);
  const te::Tensor a = placeholder(shape, type, "A"), b = placeholder(shape, type, "B");
  const auto widened = [&](const te::Tensor& x, const char* name) {
    return compute(
        shape, [&](Expr i, Expr r, Expr l) { return cast(acc, x(i, r, l)); }, name);
  };
  const te::Tensor left = widened(a, "A_acc");
  if (layer.immediate) {
    const te::Tensor combined = compute(
        shape, [&](Expr i, Expr r, Expr l) { return combine(layer.op, left(i, r, l), cast(acc, *layer.immediate)); },
        "combined");
    return create_prim_func({a, add_epilogue(combined, layer.epilogue, config)}, "elementwise");
  }
  const te::Tensor right = widened(b, "B_acc");
  const te::Tensor combined = compute(
      shape, [&](Expr i, Expr r, Expr l) { return combine(layer.op, left(i, r, l), right(i, r, l)); }, "combined");
  return create_prim_func({a, b, add_epilogue(combined, layer.epilogue, config)}, "elementwise");
}

Schedule schedule_elementwise(const Elementwise& layer, const ElementwiseTiling& t, const isa::Config& config) {
  Schedule s(elementwise(layer, config));
  const BlockRV out = s.get_block("C");
  const auto loops = s.get_loops(out);
  const auto parts = s.split_by_factor(loops[0], t.tiles);
  schedule::LoopRV tile = parts[0];
  if (t.threads > 1) {
    // Each takes every nth tile, so that their transfers follow one another in memory.
    const auto turns = s.split_by_factor(tile, t.threads);
    s.reorder({turns[1], turns[0]});
    s.bind(turns[1], "vthread");
    tile = turns[0];
  }
  for (const char* name : {"clip_max", "clip_min", "shift", "combined", "A_acc", "B_acc"}) {
    if (s.function().find_buffer(name) == nullptr) continue;
    const BlockRV stage = s.get_block(name);
    s.set_scope(stage, std::string(vta::kAccScope));
    s.compute_at(stage, tile);
    if (std::string_view(name).substr(1) != "_acc") continue;
    if (t.double_buffer) s.double_buffer(stage);
    s.pragma(s.get_loops(stage)[t.threads > 1 ? 2 : 1], "dma_copy");
  }
  s.pragma(parts[1], "dma_copy");
  return s;
}

}  // namespace vantage::ops
