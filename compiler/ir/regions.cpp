#include "compiler/ir/regions.h"

#include <algorithm>

#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

class Buffers final : public Visitor {
 public:
  using Visitor::visit;
  BufferUse result;

 protected:
  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    add(result.reads, node.buffer);
  }
  void visit_store(const Store& node) override {
    Visitor::visit_store(node);
    add(result.writes, node.buffer);
  }
  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    if (node.touch != Touch::kWrite) add(result.reads, node.buffer);
    if (node.touch != Touch::kRead) add(result.writes, node.buffer);
  }

 private:
  static void add(std::vector<Buffer>& list, const Buffer& buffer) {
    if (std::find(list.begin(), list.end(), buffer) == list.end()) list.push_back(buffer);
  }
};

bool is_in(const std::vector<Buffer>& buffers, const Buffer& buffer) {
  return std::find(buffers.begin(), buffers.end(), buffer) != buffers.end();
}

class Touches final : public Visitor {
 public:
  explicit Touches(const std::vector<Buffer>& wanted) : wanted_(wanted) {}
  bool found = false;
  void visit(const Expr& expr) override {
    if (!found) Visitor::visit(expr);
  }
  void visit(const Stmt& stmt) override {
    if (!found) Visitor::visit(stmt);
  }

 protected:
  void visit_load(const Load& node) override {
    visit_buffer(node.buffer, [&] { Visitor::visit_load(node); });
  }
  void visit_store(const Store& node) override {
    visit_buffer(node.buffer, [&] { Visitor::visit_store(node); });
  }
  void visit_view(const View& node) override {
    visit_buffer(node.buffer, [&] { Visitor::visit_view(node); });
  }

 private:
  template <typename Children>
  void visit_buffer(const Buffer& buffer, const Children& children) {
    found = found || is_in(wanted_, buffer);
    if (!found) children();
  }
  const std::vector<Buffer>& wanted_;
};

bool touches_any(const Stmt& stmt, const std::vector<Buffer>& buffers) {
  Touches search(buffers);
  search.visit(stmt);
  return search.found;
}

bool reduces(const Block& block) {
  return std::any_of(block.axes.begin(), block.axes.end(),
                     [](const Axis& axis) { return axis.kind == AxisKind::kReduce; });
}

class Collector final : public Visitor {
 public:
  explicit Collector(Analyzer& analyzer, std::vector<Buffer> only = {}) : analyzer_(analyzer), only_(std::move(only)) {}
  using Visitor::visit;
  Regions result;

  // Of a sequence, what touches the buffers; what stands alone is as quickly gone through as searched.
  void visit(const Stmt& stmt) override {
    const auto* all = only_.empty() ? nullptr : stmt.as<Seq>();
    if (all == nullptr) return Visitor::visit(stmt);
    for (const Stmt& s : all->stmts) {
      if (touches_any(s, only_)) visit(s);
    }
  }

 protected:
  void visit_for(const For& node) override {
    visit(node.min);
    visit(node.extent);
    analyzer_.bind(node.var, substitute(Range{node.min, node.extent}, bindings_));
    inner_.push_back(node.var);
    visit(node.body);
  }
  void visit_block(const Block& node) override {
    for (size_t i = 0; i < node.axes.size(); ++i) {
      visit(node.bindings[i]);
      bindings_[node.axes[i].var.get()] = substitute(node.bindings[i], bindings_);
    }
    visit(node.predicate);
    guarded(!is_int(node.predicate, 1), [&] {
      if (node.init) visit(node.init);
      visit(node.body);
    });
  }
  void visit_select(const Select& node) override {
    visit(node.condition);
    guarded(true, [&] {
      visit(node.if_true);
      visit(node.if_false);
    });
  }
  // The right-hand side is evaluated only when the left one does not decide.
  void visit_binary(const Binary& node) override {
    visit(node.a);
    guarded(node.op == BinaryOp::kAnd || node.op == BinaryOp::kOr, [&] { visit(node.b); });
  }
  void visit_if(const If& node) override {
    visit(node.condition);
    guarded(true, [&] {
      if (node.then) visit(node.then);
      if (node.otherwise) visit(node.otherwise);
    });
  }
  void visit_let(const Let& node) override {
    visit(node.value);
    bindings_[node.var.get()] = substitute(node.value, bindings_);
    visit(node.body);
  }
  void visit_load(const Load& node) override {
    Visitor::visit_load(node);
    if (is_wanted(node.buffer)) add(result.reads, node.buffer, points(node.indices));
  }
  void visit_store(const Store& node) override {
    Visitor::visit_store(node);
    if (is_wanted(node.buffer)) add(result.writes, node.buffer, points(node.indices));
  }
  void visit_view(const View& node) override {
    Visitor::visit_view(node);
    if (!is_wanted(node.buffer)) return;
    if (node.touch != Touch::kWrite) add(result.reads, node.buffer, node.box);
    if (node.touch != Touch::kRead) add(result.writes, node.buffer, node.box);
  }

 private:
  static std::vector<Range> points(const std::vector<Expr>& indices) {
    std::vector<Range> box;
    for (const Expr& index : indices) box.push_back({index, make_int(index.dtype(), 1)});
    return box;
  }

  bool is_wanted(const Buffer& buffer) const { return only_.empty() || is_in(only_, buffer); }

  template <typename Action>
  void guarded(bool is_guarded, const Action& action) {
    guards_ += is_guarded ? 1 : 0;
    action();
    guards_ -= is_guarded ? 1 : 0;
  }

  // A bound is for somebody outside of the conditions, who may not read what they keep from being read.
  bool tells(const Expr& bound) const { return bound.defined() && (guards_ == 0 || !reads_memory(bound)); }

  void add(std::vector<BufferRegion>& list, const Buffer& buffer, const std::vector<Range>& given) {
    std::vector<Range> box;
    for (size_t d = 0; d < given.size(); ++d) {
      const Expr first = substitute(given[d].min, bindings_);
      const Expr low = analyzer_.lower_bound(first, inner_);
      const Expr last = is_int(given[d].extent, 1) ? first : first + substitute(given[d].extent, bindings_) - 1;
      const Expr high = analyzer_.upper_bound(last, inner_);
      if (tells(low) && tells(high)) {
        box.push_back({low, analyzer_.simplify(high - low + 1)});
      } else {
        box.push_back({make_zero(first.dtype()), buffer->shape[d]});
      }
    }
    for (BufferRegion& region : list) {
      if (region.buffer != buffer) continue;
      region.box = hull(region.box, box, analyzer_);
      return;
    }
    list.push_back({buffer, box});
  }

  Analyzer& analyzer_;
  const std::vector<Buffer> only_;  // empty: all
  std::vector<Var> inner_;
  VarMap bindings_;
  int guards_ = 0;  // conditions around
};

}  // namespace

std::vector<Range> hull(const std::vector<Range>& a, const std::vector<Range>& b, Analyzer& analyzer) {
  std::vector<Range> box;
  for (size_t d = 0; d < a.size(); ++d) {
    if (structural_equal(a[d].min, b[d].min) && structural_equal(a[d].extent, b[d].extent)) {
      box.push_back(a[d]);
      continue;
    }
    Expr low_a = a[d].min, end_a = a[d].min + a[d].extent;
    Expr low_b = b[d].min, end_b = b[d].min + b[d].extent;
    // Indices of one dimension may have different types.
    const bool mixed =
        low_a.dtype() != low_b.dtype() || end_a.dtype() != low_a.dtype() || end_b.dtype() != low_b.dtype();
    for (Expr* e : {&low_a, &end_a, &low_b, &end_b}) *e = mixed ? cast(kInt64, *e) : *e;
    const Expr low = analyzer.simplify(min(low_a, low_b));
    const Expr end = analyzer.simplify(max(end_a, end_b));
    box.push_back({low, analyzer.simplify(end - low)});
  }
  return box;
}

std::optional<Range> swept(const Range& range, const std::vector<Var>& over, Analyzer& analyzer) {
  if (over.empty()) return range;
  const Expr low = analyzer.lower_bound(range.min, over);
  const Expr end = analyzer.upper_bound(range.min + range.extent, over);
  if (!low.defined() || !end.defined()) return std::nullopt;
  return Range{low, analyzer.simplify(end - low)};
}

Regions regions(const Stmt& stmt, Analyzer& analyzer, const std::vector<Buffer>& only) {
  Collector collector(analyzer, only);
  collector.visit(stmt);
  return std::move(collector.result);
}

bool reads_memory(const Expr& expr) {
  struct Search final : Visitor {
    using Visitor::visit;
    bool found = false;
    void visit_load(const Load&) override { found = true; }
    void visit_view(const View&) override { found = true; }
  } search;
  search.visit(expr);
  return search.found;
}

Expr lasting(const Expr& condition) {
  std::vector<Expr> parts = conjuncts(condition);
  std::erase_if(parts, reads_memory);
  return all_of(parts);
}

bool touches(const Stmt& stmt, const Buffer& buffer) {
  return touches_any(stmt, {buffer});
}

BufferUse block_buffers(const Block& block) {
  Buffers all;
  if (block.init) all.visit(block.init);
  all.visit(block.body);
  if (!reduces(block)) return std::move(all.result);
  const auto own = [&](const Buffer& read) {
    return std::find(all.result.writes.begin(), all.result.writes.end(), read) != all.result.writes.end();
  };
  auto& reads = all.result.reads;
  reads.erase(std::remove_if(reads.begin(), reads.end(), own), reads.end());
  return std::move(all.result);
}

Regions block_regions(const Block& block) {
  Analyzer analyzer;
  for (const Axis& axis : block.axes) analyzer.bind(axis.var, axis.domain);
  Collector collector(analyzer);
  if (block.init) collector.visit(block.init);
  collector.visit(block.body);
  Regions result = std::move(collector.result);
  if (!reduces(block)) return result;
  const auto own = [&](const BufferRegion& read) {
    return std::any_of(result.writes.begin(), result.writes.end(),
                       [&](const BufferRegion& write) { return write.buffer == read.buffer; });
  };
  result.reads.erase(std::remove_if(result.reads.begin(), result.reads.end(), own), result.reads.end());
  return result;
}

}  // namespace vantage::ir
