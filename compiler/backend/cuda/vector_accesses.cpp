// Vectorized loops: what a loop's iterations read or write side by side in memory is moved at once, by one instruction
// of up to 16 bytes. The arithmetic in between is that of one number after the other, as a GPU has no other. Iterations
// that depend on each other are done one after the other.
#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/stmt_writer.h"
#include "compiler/ir/iterations.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"
#include "compiler/ir/zero_else.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// Whether nothing but stores hangs on a loop's variable.
bool stores_only(const Stmt& stmt, const Var& var) {
  if (!stmt) return true;
  switch (stmt.kind()) {
    case StmtKind::kStore: return true;
    case StmtKind::kSeq: {
      const auto& parts = stmt.as<Seq>()->stmts;
      return std::all_of(parts.begin(), parts.end(), [&](const Stmt& part) { return stores_only(part, var); });
    }
    case StmtKind::kIf: {
      const auto& node = *stmt.as<If>();
      return !uses_var(node.condition, var) && stores_only(node.then, var) && stores_only(node.otherwise, var);
    }
    default: return false;
  }
}

bool same_element(const Load& a, const Load& b) {
  return a.buffer == b.buffer &&
         std::ranges::equal(a.indices, b.indices, [](const Expr& x, const Expr& y) { return structural_equal(x, y); });
}

// The loads of a value, those of the same elements together, and under which conditions they happen.
class EvenLoads final : public Visitor {
 public:
  explicit EvenLoads(const Var& var) : var_(var) {}
  using Visitor::visit;
  struct Found {
    const Load* load;              // the first one
    std::vector<Expr> conditions;  // under which they happen, each once; true: always
    bool is_uneven = false;        // some happen in some iterations and not in others
  };

  // Those that may be done for all iterations at once, where any of their conditions holds: whoever else has the same
  // elements then finds them there.
  std::vector<Found> even() const {
    std::vector<Found> result;
    for (const Found& one : found_) {
      const auto always = [](const Expr& condition) { return is_int(condition, 1); };
      const bool is_always = std::any_of(one.conditions.begin(), one.conditions.end(), always);
      if (is_always) {
        result.push_back({one.load, {}});
      } else if (!one.is_uneven) {
        result.push_back(one);
      }
    }
    return result;
  }

 protected:
  void visit_load(const Load& node) override {
    auto known =
        std::find_if(found_.begin(), found_.end(), [&](const Found& f) { return same_element(*f.load, node); });
    if (known == found_.end()) known = found_.insert(known, {&node, {}});
    if (uneven_ > 0) {
      known->is_uneven = true;
    } else {
      const Expr condition = all_of(conditions_);
      const auto same = [&](const Expr& other) { return structural_equal(other, condition); };
      if (std::none_of(known->conditions.begin(), known->conditions.end(), same))
        known->conditions.push_back(condition);
    }
    Visitor::visit_load(node);
  }
  void visit_select(const Select& node) override {
    visit(node.condition);
    under(node.condition, node.if_true);
    under(!node.condition, node.if_false);
  }
  void visit_binary(const Binary& node) override {
    if (node.op != BinaryOp::kAnd && node.op != BinaryOp::kOr) return Visitor::visit_binary(node);
    visit(node.a);
    under(node.op == BinaryOp::kAnd ? node.a : !node.a, node.b);
  }

 private:
  void under(const Expr& condition, const Expr& expr) {
    const bool even = !uses_var(condition, var_) && !reads_memory(condition);
    uneven_ += even ? 0 : 1;
    conditions_.push_back(condition);
    visit(expr);
    conditions_.pop_back();
    uneven_ -= even ? 0 : 1;
  }

  const Var& var_;
  std::vector<Found> found_;
  std::vector<Expr> conditions_;
  int uneven_ = 0;
};

}  // namespace

void StmtWriter::vectorized(const For& node) {
  const int64_t* count = as_int(node.extent);
  if (count == nullptr || !is_int(node.min, 0) || *count < 2 || !stores_only(node.body, node.var) ||
      !iterations_apart(node)) {
    loop_head(node, true);
    return body(node.body);
  }
  side_by_side(node, node.body);
}

void StmtWriter::side_by_side(const For& loop, const Stmt& stmt) {
  if (const auto* parts = stmt.as<Seq>()) {
    for (const Stmt& part : parts->stmts) side_by_side(loop, part);
    return;
  }
  if (const auto* node = stmt.as<Store>()) return store_lanes(loop, *node);
  const auto& node = *stmt.as<If>();
  line(fmt::format("if ({}) {{", expr_.value(node.condition)));
  ++depth;
  side_by_side(loop, node.then);
  --depth;
  if (node.otherwise) {
    line("} else {");
    ++depth;
    side_by_side(loop, node.otherwise);
    --depth;
  }
  line("}");
}

// "&A[4 * i]", where the loop's iterations are at one element after the other from there, at an address that is a
// multiple of all of them. "" where that is not known, or where they are more than one instruction moves.
std::string StmtWriter::lanes_at(const For& loop, const Buffer& buffer, const std::vector<Expr>& indices,
                                 bool is_load) {
  const int64_t count = *as_int(loop.extent), bytes = count * buffer->dtype.bytes();
  if (bytes > kWidestAccess || (bytes & (bytes - 1)) != 0) return "";
  // The loop's variable counts once in the offset, and all else in it is a multiple of the iterations.
  Linear offset = Linear::of(expr_.offset(buffer, indices));
  if (!offset.exact || offset.factor_of(loop.var) != 1) return "";
  offset.add(loop.var, -1);
  const auto moves = [&](const Linear::Term& term) {
    return term.factor % count != 0 || uses_var(term.atom, loop.var);
  };
  if (offset.constant % count != 0 || std::any_of(offset.terms.begin(), offset.terms.end(), moves)) return "";
  const Expr first = offset.to_expr(offset.terms.empty() ? kIndex : offset.terms.front().atom.dtype());
  const std::string element = fmt::format("{}[{}]", names_.of(buffer), expr_.index(first));
  expr_.note({.buffer = buffer, .offset = first, .lanes = count, .text = element, .is_vector_load = is_load});
  return "&" + element;
}

void StmtWriter::store_lanes(const For& loop, const Store& node) {
  const int64_t count = *as_int(loop.extent);
  const std::string target = lanes_at(loop, node.buffer, node.indices, false);
  // What is loaded at once has a name from here on.
  struct Loaded {
    const Load* load;
    std::string from;
    std::string name;
    std::string text;
  };
  std::vector<Loaded> loaded;
  EvenLoads loads(loop.var);
  loads.visit(node.value);
  for (const auto& [load, conditions, is_uneven] : loads.even()) {
    const std::string from = lanes_at(loop, load->buffer, load->indices, true);
    if (from.empty()) continue;
    std::string at_once = fmt::format("vt::load<{}>({})", count, from);
    if (!conditions.empty()) {
      Expr any = conditions.front();
      for (size_t c = 1; c < conditions.size(); ++c) any = any || conditions[c];
      const std::string condition = expr_.value(any, kChoice + 1);
      at_once =
          fmt::format("{} ? {} : vt::lanes<{}, {}>{{}}", condition, at_once, type_name(load->buffer->dtype), count);
    }
    loaded.push_back({load, from, "", at_once});
  }
  const bool is_one = !target.empty() && loaded.size() == 1;
  if (const auto copied = copied_beside(node, count * node.buffer->dtype.bytes());
      copied && is_one && loaded[0].load == copied->load) {
    return copy_beside(count * node.buffer->dtype.bytes(), target, loaded[0].from, copied->condition);
  }
  const Select* choice = zero_else(node.value);
  const auto* only = (choice == nullptr ? node.value : choice->if_true).as<Load>();
  if (is_one && loaded[0].load == only) return line(fmt::format("vt::store({}, {});", target, loaded[0].text));
  for (Loaded& one : loaded) {
    one.name = names_.fresh(one.load->buffer->name + "_lanes");
    line(
        fmt::format("const vt::lanes<{}, {}> {} = {};", type_name(one.load->buffer->dtype), count, one.name, one.text));
  }
  const std::string& var = names_.of(*loop.var.get());
  const std::string result = target.empty() ? "" : names_.fresh(node.buffer->name + "_lanes");
  if (!target.empty()) line(fmt::format("vt::lanes<{}, {}> {};", type_name(node.buffer->dtype), count, result));
  loop_head(loop, true);
  ++depth;
  expr_.replaced = [&](const Load& load) -> std::string {
    for (const Loaded& one : loaded) {
      if (same_element(*one.load, load)) return fmt::format("{}[{}]", one.name, var);
    }
    return "";
  };
  const Expr* const added = added_to(node);
  const auto fused = added == nullptr ? std::nullopt : expr_.fused(*added, expr_.value(node.value.as<Binary>()->a));
  const std::string value = fused ? *fused : expr_.value(node.value);
  expr_.replaced = nullptr;
  line(fmt::format("{} = {};",
                   target.empty() ? expr_.element(node.buffer, node.indices) : fmt::format("{}[{}]", result, var),
                   value));
  --depth;
  line("}");
  if (!target.empty()) line(fmt::format("vt::store({}, {});", target, result));
}

}  // namespace vantage::cuda
