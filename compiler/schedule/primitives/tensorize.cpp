#include <algorithm>

#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/block_nest.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/match_intrinsic.h"

namespace vantage::schedule {

namespace {

// The implementation on the function's buffers.
class PlaceBuffers final : public ir::Mutator {
 public:
  explicit PlaceBuffers(const Places& places) : places_(places) {}
  using Mutator::visit;

 protected:
  Expr visit_view(const ir::View& node, const Expr& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_view(node, self);
    const auto& [buffer, base] = found->second;
    std::vector<ir::Range> box;
    const size_t leading = base.size() - node.box.size();
    for (size_t d = 0; d < base.size(); ++d) {
      if (d < leading) {
        box.push_back({base[d], ir::make_int(base[d].dtype(), 1)});
      } else {
        box.push_back({base[d] + visit(node.box[d - leading].min), visit(node.box[d - leading].extent)});
      }
    }
    return Expr(std::make_shared<ir::View>(buffer, std::move(box), node.touch));
  }
  Expr visit_load(const ir::Load& node, const Expr& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_load(node, self);
    return ir::load(found->second.buffer, indices(found->second, node.indices));
  }
  Stmt visit_store(const ir::Store& node, const Stmt& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_store(node, self);
    return ir::store(found->second.buffer, indices(found->second, node.indices), visit(node.value));
  }

 private:
  std::vector<Expr> indices(const Place& place, const std::vector<Expr>& given) {
    std::vector<Expr> result = place.base;
    const size_t leading = place.base.size() - given.size();
    for (size_t d = 0; d < given.size(); ++d) result[leading + d] = result[leading + d] + visit(given[d]);
    return result;
  }

  const Places& places_;
};

// The implementation in the place of all that a block holds.
void put_in(PrimFunc& function, const std::string& name, const TensorIntrinsic& part, const std::string& note) {
  const Path path = path_to_block(function, name);
  const Block& block = block_at(path);
  const BlockNest nest = flatten(block.body);
  VANTAGE_CHECK(nest.block != nullptr);
  const Places places = match_intrinsic(part, nest);
  Block result = block;
  result.body = PlaceBuffers(places).visit(ir::fresh_copy(part.implementation().body));
  result.annotations["tensor_intrinsic"] = ir::make_string(note);
  replace(function, path.back(), make_stmt(std::move(result)));
}

// What a loop holds, and how the loops around it carry a reduction.
struct Target {
  std::string block;
  bool initialises = false, reduces = false;
  Var around;   // outermost loop around the one given that carries a part of the reduction; null when none does
  Var repeats;  // the same, of more than one iteration
};

Target look_at(const PrimFunc& function, const Var& loop) {
  Stmt inner = path_to_loop(function, loop).back();
  while (const auto* node = inner.as<For>()) inner = node->body;
  const auto* block = inner.as<Block>();
  if (block == nullptr) fail("tensorize: the loop {} holds more than one block", loop.name());
  Target target;
  target.block = block->name;
  target.initialises = static_cast<bool>(block->init);
  target.reduces = is_reduction(*block);
  for (const Stmt& stmt : loops_of(path_to_block(function, block->name))) {
    const For& around = *stmt.as<For>();
    if (around.var.same_as(loop)) break;
    if (!binds(*block, around.var, ir::AxisKind::kReduce)) continue;
    if (!target.around.defined()) target.around = around.var;
    if (!target.repeats.defined() && !ir::is_int(around.extent, 1)) target.repeats = around.var;
  }
  return target;
}

// The part that does what is left of a block without its initial values.
const TensorIntrinsic& part_for(const Target& target, const Intrinsic& intrinsic) {
  if (!target.reduces && intrinsic.reset() != nullptr) return *intrinsic.reset();
  if (intrinsic.update() != nullptr) return *intrinsic.update();
  if (!intrinsic.reduces()) return *intrinsic.compute();
  if (!target.reduces) fail("tensorize: the block {} reduces nothing, and {} does", target.block, intrinsic.name());
  fail(
      "tensorize: the block {} adds to what is there, which {} would overwrite: it has a compute and no update; "
      "tensorize before decompose_reduction, or give {} an update",
      target.block, intrinsic.name(), intrinsic.name());
}

// An update, with the initial values in front of all of the reduction, by the intrinsic if it can make them.
void reset_and_update(PrimFunc& function, const Target& target, const Var& loop, const Intrinsic& intrinsic) {
  const Var before = target.around.defined() ? target.around : loop;
  size_t inside = 0;  // of the loops that the intrinsic replaces, those that the initial values have
  bool replaced = false;
  const Path path = path_to_block(function, target.block);
  for (const Stmt& stmt : loops_of(path)) {
    const Var& var = stmt.as<For>()->var;
    replaced = replaced || var.same_as(loop);
    if (replaced && selects(block_at(path), var)) ++inside;
  }
  const std::string reset = decompose_reduction(function, target.block, before);
  put_in(function, blockize(function, loop), *intrinsic.update(), intrinsic.name());
  if (intrinsic.reset() == nullptr) return;
  try {
    const std::vector<Stmt> loops = loops_of(path_to_block(function, reset));
    const std::string block =
        inside == 0 ? blockize(function, reset) : blockize(function, loops[loops.size() - inside].as<For>()->var);
    put_in(function, block, *intrinsic.reset(), intrinsic.name());
  } catch (const Error& error) {
    fail("{}; decompose_reduction({}, {}) leaves the initial values as plain stores", error.what(), target.block,
         before.name());
  }
}

// The same of what blockize has made of a part of a reduction: the block around the update has the initial values.
void reset_around(PrimFunc& function, const Var& loop, const Intrinsic& intrinsic) {
  const Path path = path_to_loop(function, loop);
  const auto around = std::find_if(path.rbegin(), path.rend(), [](const Stmt& s) { return s.as<Block>() != nullptr; });
  if (around == path.rend() || !around->as<Block>()->init) return;
  const Block& outer = *around->as<Block>();
  for (const Stmt& stmt : loops_of(path_to_block(function, outer.name))) {
    const Var& var = stmt.as<For>()->var;
    if (!binds(outer, var, ir::AxisKind::kReduce)) continue;
    const std::string reset = decompose_reduction(function, outer.name, var);
    if (intrinsic.reset() != nullptr) put_in(function, reset, *intrinsic.reset(), intrinsic.name());
    return;
  }
}

}  // namespace

void tensorize(PrimFunc& function, const Var& loop, const Intrinsic& intrinsic) {
  PrimFunc result = function;
  const Target target = look_at(function, loop);
  if (!target.initialises) {
    const TensorIntrinsic& part = part_for(target, intrinsic);
    if (&part == intrinsic.update()) reset_around(result, loop, intrinsic);
    put_in(result, blockize(result, loop), part, intrinsic.name());
  } else if (!intrinsic.reduces()) {
    fail("tensorize: the block {} reduces, and {} does not", target.block, intrinsic.name());
  } else if (intrinsic.compute() != nullptr && !target.repeats.defined()) {
    put_in(result, blockize(result, loop), *intrinsic.compute(), intrinsic.name());
  } else if (intrinsic.update() != nullptr) {
    reset_and_update(result, target, loop, intrinsic);
  } else {
    fail(
        "tensorize: the loop {} of the reduction of {} stands outside of {}, and {} begins anew each time, so that "
        "what was there would be lost: it has a compute and no update; tensorize all of the reduction at once, or "
        "give {} an update",
        target.repeats.name(), target.block, loop.name(), intrinsic.name(), intrinsic.name());
  }
  function = std::move(result);
}

}  // namespace vantage::schedule
