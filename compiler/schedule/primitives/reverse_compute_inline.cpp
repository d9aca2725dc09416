// reverse_compute_inline: a block's formula put into the one that makes what it reads.
#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/accesses.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/movement.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/primitives/conditions.h"
#include "compiler/schedule/primitives/formula.h"
#include "compiler/schedule/primitives/index_digits.h"

namespace vantage::schedule {

namespace {

std::vector<const ir::Load*> loads_from(const Stmt& stmt, const Buffer& buffer) {
  struct Search final : ir::Visitor {
    using Visitor::visit;
    const ir::BufferNode* wanted = nullptr;
    std::vector<const ir::Load*> loads;
    void visit_load(const ir::Load& node) override {
      Visitor::visit_load(node);
      if (node.buffer.get() == wanted) loads.push_back(&node);
    }
  } search;
  search.wanted = buffer.get();
  search.visit(stmt);
  return search.loads;
}

// The only buffer that a block reads of those that other blocks make.
Buffer only_input(const PrimFunc& function, const Path& path, const std::string& name) {
  std::vector<Buffer> inputs = read_by(block_at(path));
  std::erase_if(inputs, [&](const Buffer& b) { return writers(function, path, b).empty(); });
  if (inputs.size() != 1) {
    fail("reverse_compute_inline: the block {} reads {} computed buffers, expected one", name, inputs.size());
  }
  return inputs.front();
}

// A block that runs for some of its axes' values alone leaves the others' elements as they were.
void require_all_of_domain(const PrimFunc& function, const Path& path) {
  const Block& block = block_at(path);
  ir::Analyzer analyzer = analyzer_for(function, path);
  assume_domains(analyzer, block);
  for (const Expr& condition : ir::conjuncts(block.predicate)) {
    if (analyzer.prove(condition)) continue;
    fail("reverse_compute_inline: the block {} is computed only where '{}'", block.name, ir::to_text(condition));
  }
  const std::vector<Expr> others = conditions_on_axes(function, path, 0, Concern::kAllAxes, "reverse_compute_inline");
  if (others.empty()) return;
  fail("reverse_compute_inline: the loops around the block {} run only where '{}'", block.name,
       ir::to_text(others.front()));
}

// A consumer's axes in terms of the indices at which its input is made.
class ConsumerAxes {
 public:
  ConsumerAxes(const Block& consumer, Buffer input, const ir::Store& made, ir::Analyzer& analyzer)
      : consumer_(consumer), input_(std::move(input)), made_(made), analyzer_(analyzer) {}

  ir::VarMap find() {
    counted_.resize(made_.indices.size());
    read_at_.resize(made_.indices.size());
    for (const ir::Load* load : loads_from(consumer_.body, input_)) {
      for (size_t d = 0; d < load->indices.size(); ++d) add(d, load->indices[d]);
    }
    for (const ir::Axis& axis : consumer_.axes) {
      if (axes_.count(axis.var.get()) > 0) continue;
      if (!ir::is_int(axis.domain.extent, 1)) {
        fail("reverse_compute_inline: the axis {} of the block {} does not index {}", axis.var.name(), consumer_.name,
             input_->name);
      }
      axes_[axis.var.get()] = axis.domain.min;
    }
    return axes_;
  }

  // How many of the input's elements the consumer reads along each dimension, from the first one on; 0: all of them.
  const std::vector<int64_t>& counted() const { return counted_; }

 private:
  void add(size_t d, const Expr& index) {
    if (read_at_[d].defined() && !ir::structural_equal(read_at_[d], index)) {
      fail("reverse_compute_inline: the block {} reads {} at '{}' and at '{}', expected one place", consumer_.name,
           input_->name, ir::to_text(read_at_[d]), ir::to_text(index));
    }
    read_at_[d] = index;
    const Expr& place = made_.indices[d];
    const std::optional<IndexDigits> digits = digits_of(index, consumer_);
    bool fits = true;
    if (const Var axis = Var::of(index); axis.defined()) {
      fits = take(axis, place);
    } else if (digits) {
      for (size_t i = 0; i < digits->digits.size(); ++i) {
        fits = take(digits->digits[i].axis, digits->digit(i, place)) && fits;
      }
    } else {
      fits = ir::structural_equal(index, place);
    }
    if (!fits) {
      fail(
          "reverse_compute_inline: the block {} reads {} at '{}', expected an axis for each dimension, or axes that "
          "count its elements",
          consumer_.name, input_->name, ir::to_text(index));
    }
    if (ir::structural_equal(index, place) || covers_all(d, index)) return;
    const int64_t* size = ir::as_int(input_->shape[d]);
    if (!digits || size == nullptr || digits->count > *size) {
      fail("reverse_compute_inline: the block {} covers only a part of {}", consumer_.name, input_->name);
    }
    counted_[d] = digits->count;
  }

  bool take(const Var& axis, const Expr& value) {
    return ir::structural_equal(axes_.try_emplace(axis.get(), value).first->second, value);
  }

  bool covers_all(size_t d, const Expr& index) {
    const Expr& size = input_->shape[d];
    if (const auto digits = digits_of(index, consumer_); digits && ir::is_int(size, digits->count)) return true;
    return std::ranges::any_of(consumer_.axes, [&](const ir::Axis& axis) {
      return axis.var.same_as(index) && analyzer_.prove(axis.domain.extent == size);
    });
  }

  const Block& consumer_;
  const Buffer input_;
  const ir::Store& made_;
  ir::Analyzer& analyzer_;
  ir::VarMap axes_;
  std::vector<int64_t> counted_;
  std::vector<Expr> read_at_;  // per dimension
};

// The block makes no more than the first `count` elements along a dimension of what it writes.
void make_fewer(PrimFunc& function, const std::string& name, const Expr& index, int64_t count) {
  const Path path = path_to_block(function, name);
  Block fewer = block_at(path);
  const auto axis = std::ranges::find_if(fewer.axes, [&](const ir::Axis& own) { return own.var.same_as(index); });
  const Var var =
      axis == fewer.axes.end() ? Var() : Var::of(fewer.bindings[static_cast<size_t>(axis - fewer.axes.begin())]);
  const auto loop = std::ranges::find_if(path, [&](const Stmt& stmt) {
    const auto* node = stmt.as<For>();
    return var.defined() && node != nullptr && node->var.same_as(var);
  });
  if (loop == path.end() || blocks_below(*loop).size() != 1 || !ir::is_int(loop->as<For>()->min, 0) ||
      !ir::structural_equal(loop->as<For>()->extent, axis->domain.extent) ||
      loop->as<For>()->loop != ir::ForKind::kSerial || !loop->as<For>()->annotations.empty()) {
    fail("reverse_compute_inline: only a part of what the block {} makes is read, and no loop of its own counts that",
         name);
  }
  axis->domain.extent = ir::make_int(axis->var.dtype(), count);
  replace(function, path.back(), make_stmt(std::move(fewer)));
  For shorter = loop_at(path_to_loop(function, var));
  shorter.extent = ir::make_int(var.dtype(), count);
  replace(function, path_to_loop(function, var).back(), make_stmt(std::move(shorter)));
}

Expr with_value(const Expr& expr, const Buffer& buffer, const Expr& value) {
  class UseValue final : public ir::Mutator {
   public:
    UseValue(const Buffer& buffer, const Expr& value) : buffer_(buffer), value_(value) {}
    using Mutator::visit;

   protected:
    Expr visit_load(const ir::Load& node, const Expr& self) override {
      return node.buffer == buffer_ ? value_ : Mutator::visit_load(node, self);
    }

   private:
    const Buffer& buffer_;
    const Expr& value_;
  };
  return UseValue(buffer, value).visit(expr);
}

}  // namespace

void reverse_compute_inline(PrimFunc& function, const std::string& name) {
  const Path path = path_to_block(function, name);
  require_outermost(path, "reverse_compute_inline");
  const Block& block = block_at(path);
  const ir::Store& consumer = formula(block, "reverse_compute_inline");
  if (writers(function, path, consumer.buffer).size() != 1) {
    fail("reverse_compute_inline: other blocks than {} write {} as well", name, consumer.buffer->name);
  }
  require_all_of_domain(function, path);
  const Buffer input = only_input(function, path, name);
  const std::vector<Stmt> producers = writers(function, path, input);
  if (function.is_param(input) || producers.size() != 1 || readers(function, path, input).size() != 1) {
    fail("reverse_compute_inline: {} must be made by one block and read by {} only", input->name, name);
  }
  for (const Access& access : accesses(function, path)) {
    if (access.stmt.same_as(path.back()) || access.stmt.same_as(producers.front())) continue;
    if (!access.reads_any_of(input) && !access.writes_any_of(input)) continue;
    fail("reverse_compute_inline: {} touches {}, which would be gone", described(access), input->name);
  }
  const Path made_at = path_to_stmt(function, producers.front());
  require_made_anew(function, made_at, path, input, "reverse_compute_inline");
  require_same_earlier(path, made_at, producers, "reverse_compute_inline");
  require_defined_at(path, made_at, "reverse_compute_inline", true);
  const Block& producer = *producers.front().as<Block>();
  const ir::Store& made = formula(producer, "reverse_compute_inline");

  ir::Analyzer analyzer = analyzer_for(function, path);
  ConsumerAxes consumer_axes(block, input, made, analyzer);
  const ir::VarMap axes = consumer_axes.find();
  std::vector<Expr> indices;
  for (const Expr& index : consumer.indices) indices.push_back(ir::substitute(index, axes));
  Block merged = producer;
  merged.body = ir::store(consumer.buffer, std::move(indices),
                          ir::substitute(with_value(consumer.value, input, made.value), axes));
  PrimFunc result = function;
  replace(result, producers.front(), make_stmt(std::move(merged)));
  replace(result, path.back(), {});
  forget_buffer(result, input);
  for (size_t d = 0; d < made.indices.size(); ++d) {
    const int64_t count = consumer_axes.counted()[d];
    if (count != 0) make_fewer(result, producer.name, made.indices[d], count);
  }
  function = std::move(result);
}

}  // namespace vantage::schedule
