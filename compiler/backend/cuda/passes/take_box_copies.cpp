#include "compiler/backend/cuda/passes/take_box_copies.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"
#include "compiler/ir/zero_else.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// Loops and the store that they are around.
struct Nest {
  std::vector<const For*> loops;
  const Store* store = nullptr;
};

Nest nest_of(const Stmt& stmt) {
  Nest nest;
  const Stmt* inner = &stmt;
  while (const auto* loop = inner->as<For>()) {
    nest.loops.push_back(loop);
    inner = &loop->body;
  }
  nest.store = inner->as<Store>();
  return nest;
}

class BoxReader {
 public:
  explicit BoxReader(const Nest& nest) : nest_(nest), to_(nest.store->buffer) {
    for (const For* loop : nest_.loops) {
      if (loop->loop == ForKind::kThread) {
        refuse(fmt::format("the loop {} is bound to {}, and one thread has all of it copied", loop->var.name(),
                           loop->thread));
      }
      for (const For* outer : nest_.loops) {
        if (uses_var(loop->min, outer->var)) refuse(fmt::format("where the loop {} begins moves", loop->var.name()));
      }
      analyzer_.bind(loop->var, {loop->min, loop->extent});
    }
  }

  Stmt taken() {
    const Load& source = load();
    const std::vector<Range> to = box_of(nest_.store->indices), from = box_of(source.indices);
    require_same_order(source);
    std::vector<Expr> arguments = {writes(to_, to), reads(source.buffer)};
    for (const Range& range : from) {
      arguments.push_back(range.min);
      arguments.push_back(range.extent);
    }
    // Which pipeline it belongs to, and which of its places it fills, is said by that.
    arguments.push_back(make_int(kIndex, -1));
    arguments.push_back(make_int(kIndex, 0));
    return evaluate(Expr(std::make_shared<Call>(kVoid, std::string(kCopyBox), std::move(arguments))));
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    fail(
        "{} of scope {} is filled by copies of boxes of a tensor, but {}; compute_at its cache_read of a buffer in "
        "device memory, and leave its loops as they are",
        to_->name, kSwizzledScope, why);
  }

  // What is read, where that is inside of its buffer; 0 elsewhere.
  const Load& load() {
    const Expr& value = nest_.store->value;
    const auto* choice = value.as<Select>();
    const auto* load = choice == nullptr ? value.as<Load>() : choice->if_true.as<Load>();
    if (load == nullptr) refuse(to_text(value) + " is no element of a tensor");
    if (load->buffer->scope != "global")
      refuse(fmt::format("{} is {} memory", load->buffer->name, load->buffer->scope));
    if (load->buffer->dtype != to_->dtype) refuse(load->buffer->name + " is of another type");
    if (choice != nullptr) {
      if (zero_else(value) == nullptr) {
        refuse(to_text(choice->if_false) + " stands outside, where a copy has 0");
      }
      require_borders(choice->condition, *load);
    }
    return *load;
  }

  // Inside, the condition holds; that it does not outside is what makes the load a valid one.
  void require_borders(const Expr& condition, const Load& load) {
    std::vector<Expr> inside;
    for (size_t d = 0; d < load.indices.size(); ++d) {
      inside.push_back(load.indices[d] >= make_zero(load.indices[d].dtype()));
      inside.push_back(load.indices[d] < load.buffer->shape[d]);
    }
    const size_t facts = analyzer_.assume(all_of(inside));
    const bool holds = analyzer_.prove(condition);
    analyzer_.forget(facts);
    if (!holds) refuse(fmt::format("{} is more than being inside of {}", to_text(condition), load.buffer->name));
  }

  // How far an index moves with one step of a loop; nothing: not steadily.
  std::optional<int64_t> step(const Expr& index, const For& loop) {
    const Expr next = substitute(index, {{loop.var.get(), loop.var + make_int(loop.var.dtype(), 1)}});
    const Expr difference = analyzer_.simplify(next - index);
    const int64_t* number = as_int(difference);
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  std::vector<Range> box_of(const std::vector<Expr>& indices) {
    VarMap first;
    for (const For* loop : nest_.loops) first[loop->var.get()] = loop->min;
    std::vector<Range> box;
    for (const Expr& index : indices) {
      // Loops from the one with the longest step to that of one element.
      int64_t extent = 1;
      std::vector<std::pair<int64_t, int64_t>> steps;  // and iterations
      for (const For* loop : nest_.loops) {
        const auto by = step(index, *loop);
        const int64_t* count = as_int(loop->extent);
        if (!by || count == nullptr || *by < 0) refuse(to_text(index) + " does not go on by one element");
        if (*by > 0) steps.emplace_back(*by, *count);
      }
      std::sort(steps.begin(), steps.end());
      for (const auto& [by, count] : steps) {
        if (by != extent) refuse(to_text(index) + " does not go on by one element");
        extent *= count;
      }
      box.push_back({analyzer_.simplify(substitute(index, first)), make_int(index.dtype(), extent)});
    }
    return box;
  }

  // Every loop moves both sides alike, as far as they move, so that elements come in the same order.
  void require_same_order(const Load& source) {
    const auto moves = [&](const std::vector<Expr>& indices) {
      std::vector<std::vector<std::optional<int64_t>>> result;
      for (const Expr& index : indices) {
        std::vector<std::optional<int64_t>> steps;
        for (const For* loop : nest_.loops) steps.push_back(step(index, *loop));
        if (std::ranges::any_of(steps, [](const auto& by) { return by != 0; })) result.push_back(steps);
      }
      return result;
    };
    if (moves(nest_.store->indices) != moves(source.indices)) {
      refuse(fmt::format("a box of {} lies in another order", source.buffer->name));
    }
  }

  const Nest& nest_;
  const Buffer to_;
  Analyzer analyzer_;
};

class TakeBoxCopies final : public Mutator {
 public:
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    const Nest nest = nest_of(self);
    return fills(nest) ? BoxReader(nest).taken() : Mutator::visit_for(node, self);
  }
  Stmt visit_store(const Store& node, const Stmt& self) override {
    const Nest nest = nest_of(self);
    return fills(nest) ? BoxReader(nest).taken() : Mutator::visit_store(node, self);
  }

 private:
  static bool fills(const Nest& nest) { return nest.store != nullptr && nest.store->buffer->scope == kSwizzledScope; }
};

}  // namespace

PrimFunc take_box_copies(PrimFunc function) {
  function.body = TakeBoxCopies().visit(function.body);
  return function;
}

}  // namespace vantage::cuda
