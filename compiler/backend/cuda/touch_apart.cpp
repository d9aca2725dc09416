// Two threads touch the same element where the indices are equal: so many equations in whole numbers, of how far the
// two are apart in every variable. Where these leave no room but for the same thread, they touch apart.
#include <algorithm>
#include <numeric>

#include "compiler/backend/cuda/accesses.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// An unknown of an equation: an expression of one of the threads, or of the two that only occur together, a - b.
struct Unknown {
  Expr a, b;  // b may be null
  Bounds bounds;
  bool same_as(const Unknown& other) const {
    const auto same = [](const Expr& x, const Expr& y) {
      return x.defined() == y.defined() && (!x.defined() || structural_equal(x, y));
    };
    return same(a, other.a) && same(b, other.b);
  }
};
struct Term {
  Unknown unknown;
  int64_t factor;
};
// The sum of the terms and the constant is 0.
struct Equation {
  std::vector<Term> terms;
  int64_t constant = 0;
};

// Quotients and rests of sums, of which a part is a multiple of what divides the divisor as well: by steps of that size
// and by what is left within a step. What was one unknown becomes several with narrower bounds, alike in all dimensions
// that one loop was split into: (b * 32 + t) div 24 is (b * 4 + t div 8) div 3.
class Stepped final : public Mutator {
 public:
  explicit Stepped(Analyzer& analyzer) : analyzer_(analyzer) {}
  using Mutator::visit;

 protected:
  Expr visit_binary(const Binary& node, const Expr& self) override {
    const Expr expr = Mutator::visit_binary(node, self);
    const auto* op = expr.as<Binary>();
    const int64_t* divisor = op == nullptr ? nullptr : as_int(op->b);
    const bool is_quotient = op != nullptr && op->op == BinaryOp::kFloorDiv;
    if (divisor == nullptr || *divisor < 2 || (!is_quotient && op->op != BinaryOp::kFloorMod)) return expr;
    const Linear sum = Linear::of(op->a);
    int64_t step = 1;
    for (const Linear::Term& term : sum.terms) step = std::max(step, std::gcd(term.factor, *divisor));
    if (step == 1 || !sum.exact) return expr;
    Linear whole, rest;
    rest.constant = sum.constant;
    for (const auto& [atom, factor] : sum.terms) {
      if (factor % step == 0) {
        whole.terms.push_back({atom, factor / step});
      } else {
        rest.terms.push_back({atom, factor});
      }
    }
    const DType type = expr.dtype();
    const Expr left = rest.to_expr(type), size = make_int(type, step), count = make_int(type, *divisor / step);
    const Expr steps = analyzer_.simplify(whole.to_expr(type) + floor_div(left, size));
    const Expr result = is_quotient ? floor_div(steps, count) : floor_mod(steps, count) * size + floor_mod(left, size);
    if (depth_ == kDeepest) return expr;
    ++depth_;
    const Expr stepped = visit(analyzer_.simplify(result));
    --depth_;
    return stepped;
  }

 private:
  static constexpr int kDeepest = 16;

  Analyzer& analyzer_;
  int depth_ = 0;
};

int64_t times(int64_t value, int64_t factor) {
  int64_t result = 0;
  return __builtin_mul_overflow(value, factor, &result) ? Bounds::kInfinity : result;
}

class Problem {
 public:
  Problem(const Access& a, const Access& b, const std::vector<BoundVar>& threads, const std::vector<BoundVar>& fixed,
          bool stepped)
      : a_(a), stepped_(stepped) {
    for (const auto* list : {&fixed, &threads}) {
      for (const BoundVar& v : *list) analyzer_.bind(v.var, v.range);
    }
    for (const BoundVar& v : threads) second(v);
    // Outer loops first.
    for (const auto* list : {&a.inner, &b.inner}) {
      for (size_t i = list->size(); i-- > 0;) analyzer_.bind((*list)[i].var, (*list)[i].range);
      for (size_t i = list->size(); i-- > 0;) second((*list)[i]);
    }
    b_ = b;
    for (Expr& index : b_.indices) index = substitute(index, renamed_);
    for (Expr& condition : b_.conditions) condition = substitute(condition, renamed_);
    for (const BoundVar& v : threads) threads_.push_back(v.var);
  }

  bool never_same() {
    for (const Access* access : {&a_, &b_}) {
      for (const Expr& condition : access->conditions) {
        if (!reads_memory(condition)) analyzer_.assume(condition);
      }
    }
    bind_distances();
    for (size_t d = 0; d < a_.indices.size(); ++d) {
      const Expr &x = a_.indices[d], &y = b_.indices[d];
      if (reads_memory(x) || reads_memory(y)) continue;
      if (x.dtype() == y.dtype() && (analyzer_.prove(x < y) || analyzer_.prove(y < x))) return true;
    }
    for (size_t d = 0; d < a_.indices.size(); ++d) {
      if (other_remainder(a_.indices[d], b_.indices[d])) return true;
    }
    for (size_t d = 0; d < a_.indices.size(); ++d) add(a_.indices[d], b_.indices[d]);
    for (const Access* access : {&a_, &b_}) {
      for (const Expr& condition : access->conditions) add_equalities(condition);
    }
    while (!contradiction_ && step()) {
    }
    return contradiction_ || std::all_of(threads_.begin(), threads_.end(), [&](const Var& thread) {
             const Var distance = apart_.at(thread.get());
             return is_zero({distance, {}, analyzer_.bounds(distance)}) ||
                    analyzer_.prove(thread == renamed_.at(thread.get()));
           });
  }

 private:
  // The second thread's variable, and how far the first one's is from it.
  void second(const BoundVar& v) {
    if (renamed_.count(v.var.get()) > 0) return;
    const Var other(v.var.name(), v.var.dtype()), distance(v.var.name() + " apart", v.var.dtype());
    renamed_.emplace(v.var.get(), other);
    analyzer_.bind(other, substitute(v.range, renamed_));
    analyzer_.bind(distance, Bounds{});
    apart_.emplace(v.var.get(), distance);
    vars_.push_back(v.var);
  }

  // How far apart the two may be, by all that is known of each: less where only the first threads have something to do.
  void bind_distances() {
    for (const Var& var : vars_) {
      const Bounds one = analyzer_.under_facts(var), other = analyzer_.under_facts(renamed_.at(var.get()));
      const auto is_known = [](const Bounds& b) { return b.min != -Bounds::kInfinity && b.max != Bounds::kInfinity; };
      if (!is_known(one) || !is_known(other)) continue;
      analyzer_.bind(apart_.at(var.get()), Bounds{one.min - other.max, one.max - other.min});
    }
  }

  // Whether the two leave different remainders by one number: places that are used in turn.
  bool other_remainder(const Expr& first, const Expr& second) {
    const Expr x = analyzer_.simplify(first), y = analyzer_.simplify(second);
    if (!alike(x, y) || x.as<Binary>()->op != BinaryOp::kFloorMod) return false;
    Linear apart = Linear::of(analyzer_.simplify(x.as<Binary>()->a));
    apart.add(Linear::of(analyzer_.simplify(y.as<Binary>()->a)), -1);
    return apart.exact && apart.is_constant() && apart.constant % *as_int(x.as<Binary>()->b) != 0;
  }

  // x of the first thread is y of the second.
  void add(const Expr& x, const Expr& y) {
    if (reads_memory(x) || reads_memory(y)) return;
    Linear sum = Linear::of(known(x));
    sum.add(Linear::of(known(y)), -1);
    add(sum);
  }

  Expr known(const Expr& expr) {
    const Expr simple = analyzer_.simplify(expr);
    return stepped_ ? Stepped(analyzer_).visit(simple) : simple;
  }

  void add(const Linear& sum) {
    if (!sum.exact) return;
    // v of the first thread is v of the second and how far it is from it.
    Linear apart;
    apart.constant = sum.constant;
    for (const auto& [atom, factor] : sum.terms) {
      const Var var = Var::of(atom);
      const auto known = var.defined() ? apart_.find(var.get()) : apart_.end();
      if (known == apart_.end()) {
        apart.add(atom, factor);
      } else {
        apart.add(known->second, factor);
        apart.add(renamed_.at(var.get()), factor);
      }
    }
    Equation equation;
    equation.constant = apart.constant;
    std::vector<bool> taken(apart.terms.size(), false);
    for (size_t i = 0; i < apart.terms.size(); ++i) {
      if (taken[i]) continue;
      const auto& [atom, factor] = apart.terms[i];
      // Quotients and rests of both by one number go together.
      size_t partner = i + 1;
      while (partner < apart.terms.size() &&
             (taken[partner] || apart.terms[partner].factor != -factor || !alike(atom, apart.terms[partner].atom))) {
        ++partner;
      }
      if (partner < apart.terms.size()) {
        taken[partner] = true;
        const Bounds a = analyzer_.bounds(atom), b = analyzer_.bounds(apart.terms[partner].atom);
        const bool known = a.min != -Bounds::kInfinity && a.max != Bounds::kInfinity && b.min != -Bounds::kInfinity &&
                           b.max != Bounds::kInfinity;
        equation.terms.push_back(
            {{atom, apart.terms[partner].atom, known ? Bounds{a.min - b.max, a.max - b.min} : Bounds{}}, factor});
      } else {
        equation.terms.push_back({{atom, {}, analyzer_.bounds(atom)}, factor});
      }
    }
    equations_.push_back(std::move(equation));
  }

  static bool alike(const Expr& a, const Expr& b) {
    const auto *x = a.as<Binary>(), *y = b.as<Binary>();
    return x != nullptr && y != nullptr && x->op == y->op &&
           (x->op == BinaryOp::kFloorDiv || x->op == BinaryOp::kFloorMod) && as_int(x->b) != nullptr &&
           structural_equal(x->b, y->b);
  }

  void add_equalities(const Expr& condition) {
    for (const Expr& part : conjuncts(condition)) {
      const auto* op = part.as<Binary>();
      if (op != nullptr && op->op == BinaryOp::kEq && op->a.dtype().is_int()) add(op->a, op->b);
    }
  }

  bool is_zero(const Unknown& unknown) const {
    return (unknown.bounds.min == 0 && unknown.bounds.max == 0) ||
           std::any_of(zeros_.begin(), zeros_.end(), [&](const Unknown& z) { return z.same_as(unknown); });
  }

  // Draws one more conclusion; false: there is none.
  bool step() {
    bool found = false;
    for (Equation& equation : equations_) {
      auto& terms = equation.terms;
      terms.erase(std::remove_if(terms.begin(), terms.end(), [&](const Term& t) { return is_zero(t.unknown); }),
                  terms.end());
      if (terms.empty()) contradiction_ = contradiction_ || equation.constant != 0;
      for (size_t i = 0; i < terms.size(); ++i) {
        if (!must_be_zero(equation, i)) continue;
        zeros_.push_back(terms[i].unknown);
        found = true;
        break;
      }
    }
    return found || add_wholes();
  }

  // Whether the rest of an equation leaves a term no other value.
  static bool must_be_zero(const Equation& equation, size_t i) {
    const Term& term = equation.terms[i];
    const int64_t factor = std::abs(term.factor);
    int64_t most = std::abs(equation.constant), divisor = std::abs(equation.constant);
    for (size_t j = 0; j < equation.terms.size(); ++j) {
      if (j == i) continue;
      most = plus(most, largest(equation.terms[j]));
      divisor = std::gcd(divisor, std::abs(equation.terms[j].factor));
    }
    // It is less than one step, or a multiple of what it cannot reach.
    return most < factor || (divisor > 0 && largest(term) < divisor) ||
           (equation.terms.size() == 1 && equation.constant == 0);
  }
  static int64_t largest(const Term& term) {
    const Bounds& b = term.unknown.bounds;
    if (b.min == -Bounds::kInfinity || b.max == Bounds::kInfinity) return Bounds::kInfinity;
    return times(std::max(std::abs(b.min), std::abs(b.max)), std::abs(term.factor));
  }
  static int64_t plus(int64_t a, int64_t b) {
    int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? Bounds::kInfinity : result;
  }

  // Where quotient and rest are the same, so is what was divided.
  bool add_wholes() {
    for (const Unknown& rest : zeros_) {
      if (!rest.b.defined() || is_known(wholes_, rest)) continue;
      const auto *a = rest.a.as<Binary>(), *b = rest.b.as<Binary>();
      if (a->op != BinaryOp::kFloorMod) continue;
      if (!vanishes(floor_div(a->a, a->b), floor_div(b->a, b->b))) continue;
      wholes_.push_back(rest);
      add(a->a, b->a);
      return true;
    }
    return false;
  }
  static bool is_known(const std::vector<Unknown>& list, const Unknown& unknown) {
    return std::any_of(list.begin(), list.end(), [&](const Unknown& u) { return u.same_as(unknown); });
  }

  // Whether the difference of the two is known to be 0.
  bool vanishes(const Expr& x, const Expr& y) {
    const size_t before = equations_.size();
    add(x, y);
    if (equations_.size() == before) return false;
    const Equation equation = equations_.back();
    equations_.pop_back();
    return equation.constant == 0 &&
           std::all_of(equation.terms.begin(), equation.terms.end(), [&](const Term& t) { return is_zero(t.unknown); });
  }

  Access a_, b_;
  const bool stepped_;  // quotients and rests are taken apart
  Analyzer analyzer_;
  std::vector<Var> vars_;                          // the first thread's variables
  VarMap renamed_;                                 // the second thread's
  std::unordered_map<const VarNode*, Var> apart_;  // by the first thread's
  std::vector<Var> threads_;
  std::vector<Equation> equations_;
  std::vector<Unknown> zeros_, wholes_;
  bool contradiction_ = false;
};

}  // namespace

bool touch_apart(const Access& a, const Access& b, const std::vector<BoundVar>& threads,
                 const std::vector<BoundVar>& fixed) {
  // Neither form of quotients shows all that the other does.
  return Problem(a, b, threads, fixed, false).never_same() || Problem(a, b, threads, fixed, true).never_same();
}

}  // namespace vantage::cuda
