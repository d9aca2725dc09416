#include "compiler/ops/conv2d/vta_layer.h"

#include <array>

#include "base/math.h"
#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/ir/verify.h"
#include "compiler/ir/visitor.h"
#include "compiler/ops/conv2d/vta_join.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "compiler/ops/conv2d/vta_tiles.h"

namespace vantage::ops {

namespace {

using ir::Buffer;
using ir::Expr;
using ir::Stmt;

// Statements that write a part's C, which is a box of the whole one.
class IntoWhole final : public ir::Mutator {
 public:
  IntoWhole(const ir::BufferNode* part, Buffer whole, std::array<int64_t, 3> origin)
      : part_(part), whole_(std::move(whole)), origin_(origin) {}
  using Mutator::visit;

 protected:
  Stmt visit_store(const ir::Store& node, const Stmt& self) override {
    if (node.buffer.get() != part_) return Mutator::visit_store(node, self);
    std::vector<Expr> indices = node.indices;
    for (size_t d = 0; d < origin_.size(); ++d) indices[d] = indices[d] + origin_[d];
    return ir::store(whole_, std::move(indices), node.value);
  }

 private:
  const ir::BufferNode* part_;
  Buffer whole_;
  std::array<int64_t, 3> origin_;  // in its first dimensions
};

}  // namespace

schedule::Schedule schedule_part(const Layer& layer, const VtaConv2dPart& part, const isa::Config& config) {
  schedule::Schedule s(vta_conv2d_part(layer.shape, layer.epilogue, config, part), vta::intrinsics(config));
  schedule_vta_conv2d(s, clipped(part, layer.shape, config));
  return s;
}

ir::PrimFunc into_whole(const Layer& layer, const VtaConv2dPart& part, const isa::Config& config,
                        ir::PrimFunc function) {
  if (part == VtaConv2dPart{.tiling = part.tiling}) return function;
  const Buffer box = function.find_buffer("C");
  ir::BufferNode node = *box;
  node.shape[0] = ir::make_int(box->shape[0].dtype(), ceil_div(layer.shape.batch, config.batch()));
  node.shape[1] = ir::make_int(box->shape[1].dtype(), ceil_div(layer.shape.out_channels, config.block_out()));
  node.shape[2] = ir::make_int(box->shape[2].dtype(), layer.shape.out_height());
  const Buffer whole = ir::make_buffer(std::move(node));
  function.body = IntoWhole(box.get(), whole, {part.n.begin, part.oc.begin, part.h.begin}).visit(function.body);
  function.params.back() = whole;
  return function;
}

ir::PrimFunc schedule_layer(const Layer& layer, const isa::Config& config) {
  std::vector<ir::PrimFunc> functions;
  for (const VtaConv2dPart& part : layer.mapping.parts) {
    functions.push_back(into_whole(layer, part, config, schedule_part(layer, part, config).function()));
  }
  ir::PrimFunc whole = join_parts(layer.shape, layer.mapping, functions);
  ir::require_valid(whole);
  return whole;
}

Program compile_layer(const Layer& layer, const isa::Config& config, const passes::Observer& observer) {
  return vta::compile(schedule_layer(layer, config), config, observer);
}

}  // namespace vantage::ops
