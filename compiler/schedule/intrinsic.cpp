#include "compiler/schedule/intrinsic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/dependence.h"

namespace vantage::schedule {

namespace {

// The definition with its parameters in the memories that are given.
PrimFunc in_scopes(const PrimFunc& definition, const std::map<std::string, std::string>& scopes,
                   const std::string& name) {
  PrimFunc result = definition;
  ir::BufferMap moved;
  for (const auto& [parameter, scope] : scopes) {
    const Buffer buffer = definition.find_buffer(parameter);
    if (buffer == nullptr) fail("the intrinsic {} has no parameter {}, for which it names a memory", name, parameter);
    ir::BufferNode node = *buffer;
    node.scope = scope;
    moved[buffer.get()] = ir::make_buffer(std::move(node));
  }
  for (ir::Param& param : result.params) {
    if (auto* buffer = std::get_if<Buffer>(&param); buffer != nullptr && moved.count(buffer->get()) > 0) {
      *buffer = moved.at(buffer->get());
    }
  }
  result.body = ir::substitute(definition.body, {}, moved);
  return result;
}

// The loops of a nest, as far as `keep` has them, around another block.
Stmt around(const Stmt& nest, const Block& block, const std::function<bool(const Var&)>& keep) {
  const auto* loop = nest.as<For>();
  if (loop == nullptr) return make_stmt(Block(block));
  const Stmt body = around(loop->body, block, keep);
  if (!keep(loop->var)) return body;
  For result = *loop;
  result.body = body;
  return make_stmt(std::move(result));
}

Stmt reset_of(const Stmt& nest, const Block& block) {
  Block reset;
  reset.name = block.name;
  reset.body = block.init;
  for (size_t i = 0; i < block.axes.size(); ++i) {
    if (block.axes[i].kind == ir::AxisKind::kReduce) continue;
    reset.axes.push_back(block.axes[i]);
    reset.bindings.push_back(block.bindings[i]);
  }
  return ir::fresh_copy(around(nest, reset, [&](const Var& v) { return !binds(block, v, ir::AxisKind::kReduce); }));
}

Stmt update_of(const Stmt& nest, const Block& block) {
  Block update = block;
  update.init = {};
  return ir::fresh_copy(around(nest, update, [](const Var&) { return true; }));
}

TensorIntrinsic make_part(const std::string& name, const PrimFunc& definition, const Stmt& description,
                          const Implementations::Body& implementation, const Externs& externs) {
  PrimFunc described;
  described.name = definition.name;
  described.body = description;
  for (const Buffer& buffer : definition.buffers()) {
    if (ir::touches(description, buffer)) described.params.emplace_back(buffer);
  }
  PrimFunc implemented = described;
  implemented.name = name;
  implemented.body = implementation(Operands(name, described.buffers()));
  return {std::move(described), std::move(implemented), externs};
}

}  // namespace

Operands::Operands(std::string part, std::vector<Buffer> buffers)
    : part_(std::move(part)), buffers_(std::move(buffers)) {}

const Buffer& Operands::operator[](std::string_view name) const {
  std::vector<std::string> names;
  for (const Buffer& buffer : buffers_) {
    if (buffer->name == name) return buffer;
    names.push_back(buffer->name);
  }
  fail("{} has no operand '{}'; it has {}", part_, name, fmt::join(names, ", "));
}

Stmt instruction(std::string function, std::vector<Expr> arguments) {
  return ir::evaluate(Expr(std::make_shared<ir::Call>(ir::kVoid, std::move(function), std::move(arguments))));
}

Intrinsic::Intrinsic(std::string name, const PrimFunc& definition, const Implementations& implementations,
                     const Externs& externs)
    : name_(std::move(name)) {
  ir::require_valid(definition);
  const PrimFunc placed = in_scopes(definition, implementations.scopes, name_);
  const Block& block = described_block(placed, name_);
  const auto& [compute, reset, update, scopes] = implementations;
  if (!block.init && (reset || update)) {
    fail("the intrinsic {} reduces nothing, so there is no {} of it; give it a compute alone", name_,
         reset ? "reset" : "update");
  }
  if (!compute && !update) {
    fail("the intrinsic {} has no compute{}; give it one", name_, block.init ? " and no update" : "");
  }
  if (compute) compute_ = make_part(name_ + ".compute", placed, placed.body, compute, externs);
  if (reset) reset_ = make_part(name_ + ".reset", placed, reset_of(placed.body, block), reset, externs);
  if (update) update_ = make_part(name_ + ".update", placed, update_of(placed.body, block), update, externs);
}

Intrinsic::Intrinsic(TensorIntrinsic only) : name_(only.name()) {
  const Block& block = described_block(only.description(), name_);
  (block.init || !is_reduction(block) ? compute_ : update_) = std::move(only);
}

bool Intrinsic::reduces() const {
  return update_ || described_block(compute_->description(), name_).init;
}

}  // namespace vantage::schedule
