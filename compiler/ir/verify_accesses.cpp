#include "compiler/ir/verify_accesses.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/ir/witness.h"

namespace vantage::ir {

namespace {

using Axes = std::unordered_set<const VarNode*>;

class Accesses final : public Visitor {
 public:
  explicit Accesses(const PrimFunc& function) : function_(function) {
    analyzer_.bind_sizes(function);
    visit(function.body);
  }
  using Visitor::visit;
  std::vector<std::string> messages;

 protected:
  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    const std::string what = to_text(Expr(std::make_shared<Load>(node.buffer, node.indices)));
    check_inside("reads", what, *node.buffer, points(node.indices));
  }

  void visit_store(const Store& node) override {
    Visitor::visit_store(node);
    const std::string what = to_text(Expr(std::make_shared<Load>(node.buffer, node.indices)));
    check_inside("writes", what, *node.buffer, points(node.indices));
    check_axes(what, node.buffer, points(node.indices));
  }

  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    const std::string what = to_text(BufferRegion{node.buffer, node.box});
    // Of no elements, it may lie anywhere.
    Expr touches = true;
    for (const Range& range : node.box) touches = touches && range.extent > make_zero(range.extent.dtype());
    under(touches,
          [&] { check_inside(node.touch == Touch::kRead ? "reads" : "writes", what, *node.buffer, node.box); });
    if (node.touch != Touch::kRead) check_axes(what, node.buffer, node.box);
  }

  void visit_select(const Select& node) override {
    visit(node.condition);
    under(node.condition, [&] { visit(node.if_true); });
    under(!node.condition, [&] { visit(node.if_false); });
  }

  // The right-hand side is evaluated only when the left one does not decide.
  void visit_binary(const Binary& node) override {
    visit(node.a);
    if (node.op == BinaryOp::kAnd) return under(node.a, [&] { visit(node.b); });
    if (node.op == BinaryOp::kOr) return under(!node.a, [&] { visit(node.b); });
    visit(node.b);
  }

  void visit_if(const If& node) override {
    visit(node.condition);
    under(node.condition, [&] { visit(node.then); });
    if (node.otherwise) under(!node.condition, [&] { visit(node.otherwise); });
  }

  void visit_for(const For& node) override {
    visit(node.min);
    visit(node.extent);
    const Range range{node.min, node.extent};
    analyzer_.bind(node.var, range);
    follows_[node.var.get()] = axes_in(node.min);
    around_.definitions.push_back({node.var, range, {}});
    visit(node.body);
    around_.definitions.pop_back();
  }

  void visit_let(const Let& node) override {
    visit(node.value);
    follows_[node.var.get()] = axes_in(node.value);
    around_.definitions.push_back({node.var, {}, node.value});
    const size_t facts = analyzer_.assume(node.value.dtype().is_void() ? Expr(true) : node.var == node.value);
    visit(node.body);
    analyzer_.forget(facts);
    around_.definitions.pop_back();
  }

  void visit_allocate(const Allocate& node) override {
    allocated_[node.buffer.get()] = blocks_.size();
    Visitor::visit_allocate(node);
  }

  void visit_block(const Block& node) override {
    const size_t outside = around_.definitions.size();
    under(predicate_of_loops(node), [&] {
      for (const Expr& binding : node.bindings) visit(binding);
    });
    VarMap bindings;
    for (size_t i = 0; i < node.axes.size(); ++i) {
      const Axis& axis = node.axes[i];
      bindings[axis.var.get()] = node.bindings[i];
      analyzer_.bind(axis.var, axis.domain);
      follows_[axis.var.get()] = axes_in(node.bindings[i]);
      follows_[axis.var.get()].insert(axis.var.get());
      around_.definitions.push_back({axis.var, {}, node.bindings[i]});
    }
    visit(node.predicate);
    // What holds for the axes holds for what they are bound to.
    const size_t facts = analyzer_.assume(substitute(node.predicate, bindings));
    around_.conditions.push_back(node.predicate);
    for (size_t i = 0; i < node.axes.size(); ++i) check_binding(node, i, bindings);
    analyzer_.assume(node.predicate);
    blocks_.push_back({&node, around_.conditions.size()});
    if (node.init) visit_init(node);
    visit(node.body);
    blocks_.pop_back();
    analyzer_.forget(facts);
    around_.conditions.pop_back();
    around_.definitions.resize(outside);
  }

 private:
  struct Open {
    const Block* block;
    size_t conditions;  // around it, its predicate included
  };

  void report(std::string message) {
    if (std::find(messages.begin(), messages.end(), message) == messages.end()) messages.push_back(std::move(message));
  }

  const std::string& where() const { return blocks_.empty() ? function_.name : blocks_.back().block->name; }

  template <typename Action>
  void under(const Expr& condition, const Action& action) {
    const size_t facts = analyzer_.assume(condition);
    around_.conditions.push_back(condition);
    action();
    around_.conditions.pop_back();
    analyzer_.forget(facts);
  }

  // Runs where all reduce axes are at the beginning.
  void visit_init(const Block& node) {
    Expr first = true;
    bool reduces = false;
    for (const Axis& axis : node.axes) {
      if (axis.kind != AxisKind::kReduce) continue;
      reduces = true;
      first = first && axis.var == axis.domain.min;
    }
    if (!reduces) {
      report(fmt::format("the block {} has an initialisation, but no reduce axis to begin; store before it instead",
                         node.name));
    }
    under(first, [&] { visit(node.init); });
  }

  static std::vector<Range> points(const std::vector<Expr>& indices) {
    std::vector<Range> box;
    for (const Expr& index : indices) box.push_back({index, make_int(index.dtype(), 1)});
    return box;
  }

  bool proved_inside(const Expr& first, const Expr& last, const Range& domain) {
    return analyzer_.prove(first >= domain.min) && analyzer_.prove(last < domain.min + domain.extent);
  }

  static std::string reached(const Witness& witness) {
    const std::string sizes = witness.sizes.empty() ? "" : " for " + witness.sizes;
    return fmt::format("which reaches {}{}", witness.value, sizes);
  }

  void check_inside(std::string_view does, const std::string& what, const BufferNode& buffer,
                    const std::vector<Range>& box) {
    for (size_t d = 0; d < box.size(); ++d) {
      const DType type = box[d].min.dtype();
      const Expr size = cast(type, buffer.shape[d]);
      const Range domain{make_zero(type), size};
      const Expr first = box[d].min, last = first + cast(type, box[d].extent) - 1;
      if (proved_inside(first, last, domain)) continue;
      auto witness = find_witness(around_, first, domain);
      if (!witness) witness = find_witness(around_, last, domain);
      if (!witness) continue;
      report(fmt::format("{} {} {}, {}; dimension {} of {} has {} elements", where(), does, what, reached(*witness), d,
                         buffer.name, to_text(buffer.shape[d])));
    }
  }

  void check_binding(const Block& block, size_t i, const VarMap& bindings) {
    const Axis& axis = block.axes[i];
    const Range domain = substitute(axis.domain, bindings);
    const Expr& binding = block.bindings[i];
    if (proved_inside(binding, binding, domain)) return;
    const auto witness = find_witness(around_, binding, domain);
    if (!witness) return;
    report(fmt::format("the block {} binds {} to '{}', {}; the domain of the axis is {}", block.name, axis.var.name(),
                       to_text(binding), reached(*witness), to_text(axis.domain)));
  }

  // The axes, of all blocks around, that move the value of an expression.
  Axes axes_in(const Expr& expr) const {
    Axes result;
    uses_var(expr, [&](const VarNode* var) {
      const auto found = follows_.find(var);
      if (found != follows_.end()) result.insert(found->second.begin(), found->second.end());
      return false;
    });
    return result;
  }

  // Each instance writes elements of its own, except along reduce and ordered axes.
  void check_axes(const std::string& what, const Buffer& buffer, const std::vector<Range>& box) {
    Axes used;
    for (const Range& range : box) used.merge(axes_in(range.min));
    const auto place = allocated_.find(buffer.get());
    for (size_t b = place == allocated_.end() ? 0 : place->second; b < blocks_.size(); ++b) {
      const Block& block = *blocks_[b].block;
      Axes guarded;
      for (size_t c = blocks_[b].conditions; c < around_.conditions.size(); ++c) {
        guarded.merge(axes_in(around_.conditions[c]));
      }
      for (size_t i = 0; i < block.axes.size(); ++i) {
        const Axis& axis = block.axes[i];
        const bool moves = used.count(axis.var.get()) != 0;
        if (axis.kind == AxisKind::kReduce && moves) {
          report(
              fmt::format("the block {} writes {}, which moves with the reduce axis {}: nothing is folded along it; "
                          "make it a spatial axis",
                          block.name, what, axis.var.name()));
        }
        const bool one = is_int(axis.domain.extent, 1) || as_int(block.bindings[i]) != nullptr;
        if (axis.kind == AxisKind::kSpatial && !moves && !one && guarded.count(axis.var.get()) == 0) {
          report(
              fmt::format("the block {} writes {}, which does not move with the spatial axis {}: its instances write "
                          "one element; make it a reduce or ordered axis",
                          block.name, what, axis.var.name()));
        }
      }
    }
  }

  const PrimFunc& function_;
  Analyzer analyzer_;
  Surroundings around_;
  std::vector<Open> blocks_;
  std::unordered_map<const VarNode*, Axes> follows_;         // what a variable moves with
  std::unordered_map<const BufferNode*, size_t> allocated_;  // how many blocks are around its allocation
};

}  // namespace

std::vector<std::string> verify_accesses(const PrimFunc& function) {
  return std::move(Accesses(function).messages);
}

}  // namespace vantage::ir
