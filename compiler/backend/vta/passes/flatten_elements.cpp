#include "compiler/backend/vta/passes/flatten_elements.h"

#include <unordered_map>

#include "base/error.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/visitor.h"

namespace vantage::vta {

using namespace ir;

namespace {

std::vector<int64_t> constant_shape(const BufferNode& buffer) {
  std::vector<int64_t> shape;
  for (const Expr& size : buffer.shape) {
    const int64_t* value = as_int(size);
    if (value == nullptr) {
      fail("{} has the size '{}'; a VTA program is made for fixed sizes", buffer.name, to_text(size));
    }
    shape.push_back(*value);
  }
  return shape;
}

class Flatten final : public Mutator {
 public:
  explicit Flatten(const isa::Config& config) : config_(config) {}
  using Mutator::visit;

  Buffer flat(const Buffer& buffer) {
    const auto found = flat_.find(buffer.get());
    if (found != flat_.end()) return found->second;
    const std::vector<int64_t> shape = constant_shape(*buffer);
    const auto memory = scratchpad_of(buffer->scope);
    if (shape.size() < 2) {
      fail("{} has {} dimensions; the last two of a tensor of the VTA are one element of its memory", buffer->name,
           shape.size());
    }
    if (!buffer->strides.empty()) fail("{} has strides; a tensor of the VTA lies without gaps", buffer->name);
    if (memory) {
      const ElementShape element = element_shape(*memory, config_);
      if (shape[shape.size() - 2] != element.rows || shape.back() != element.columns) {
        fail("{} ends in {} x {}; an element of {} has {} x {} lanes in configuration {}", buffer->name,
             shape[shape.size() - 2], shape.back(), buffer->scope, element.rows, element.columns, config_.name());
      }
    }
    BufferNode node = *buffer;
    int64_t elements = 1;
    for (size_t d = 0; d + 2 < shape.size(); ++d) elements *= shape[d];
    node.shape = {make_int(kIndex, elements), make_int(kIndex, shape[shape.size() - 2] * shape.back())};
    return flat_.emplace(buffer.get(), make_buffer(std::move(node))).first->second;
  }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.loop == ForKind::kThread) fail("the VTA has no {} to bind the loop {} to", node.thread, node.var.name());
    analyzer_.bind(node.var, {node.min, node.extent});
    return Mutator::visit_for(node, self);
  }
  Stmt visit_allocate(const Allocate& node, const Stmt&) override {
    if (!scratchpad_of(node.buffer->scope)) {
      fail("{} is computed in '{}'; the VTA keeps what it computes in vta.acc (set_scope), or gives it to the caller",
           node.buffer->name, node.buffer->scope);
    }
    const Buffer buffer = flat(node.buffer);
    return make_stmt(Allocate(buffer, visit(node.body), node.annotations));
  }
  Expr visit_load(const Load& node, const Expr&) override {
    return load(flat(node.buffer), indices(node.buffer, node.indices));
  }
  Stmt visit_store(const Store& node, const Stmt&) override {
    return store(flat(node.buffer), indices(node.buffer, node.indices), visit(node.value));
  }
  Expr visit_call(const Call& node, const Expr& self) override {
    if (is_extern(node)) {
      fail("the VTA cannot call {}, which is a function of the user's; let a processor do it, in a function of its own",
           node.function);
    }
    return Mutator::visit_call(node, self);
  }
  Expr visit_view(const View& node, const Expr&) override {
    std::vector<Expr> first;
    Expr count = 1;
    for (size_t d = 0; d < node.box.size(); ++d) {
      first.push_back(node.box[d].min);
      if (d + 2 < node.box.size()) count = count * node.box[d].extent;
    }
    const Buffer buffer = flat(node.buffer);
    VANTAGE_CHECK(is_int(count, 1));
    return Expr(std::make_shared<View>(
        buffer, std::vector<Range>{{indices(node.buffer, first)[0], 1}, {make_zero(kIndex), buffer->shape[1]}},
        node.touch));
  }

 private:
  std::vector<Expr> indices(const Buffer& buffer, const std::vector<Expr>& given) {
    Expr element = 0, lane = 0;
    for (size_t d = 0; d < given.size(); ++d) {
      Expr& place = d + 2 < given.size() ? element : lane;
      place = place * buffer->shape[d] + given[d];
    }
    return {analyzer_.simplify(element), analyzer_.simplify(lane)};
  }

  const isa::Config& config_;
  Analyzer analyzer_;
  std::unordered_map<const BufferNode*, Buffer> flat_;
};

}  // namespace

PrimFunc flatten_elements(PrimFunc function, const isa::Config& config) {
  Flatten flatten(config);
  for (Param& param : function.params) {
    if (auto* buffer = std::get_if<Buffer>(&param)) {
      *buffer = Buffer(flatten.flat(*buffer));
    } else {
      fail("{} is a parameter of the function {}; a VTA program is made for fixed numbers", std::get<Var>(param).name(),
           function.name);
    }
  }
  function.body = flatten.visit(function.body);
  return function;
}

}  // namespace vantage::vta
