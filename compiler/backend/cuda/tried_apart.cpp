// What no equation shows: every thread's elements, one after the other.
#include <algorithm>
#include <map>

#include "compiler/backend/cuda/accesses.h"
#include "compiler/ir/arith/known_value.h"
#include "compiler/ir/substitute.h"

namespace vantage::cuda {

using namespace ir;

namespace {

class Trial {
 public:
  Trial(const std::vector<BoundVar>& threads, const std::vector<BoundVar>& fixed, int64_t& budget)
      : threads_(threads), fixed_(fixed), budget_(budget) {}

  bool apart(const Access& a, const Access& b) {
    std::vector<BoundVar> around;
    for (const BoundVar& var : fixed_) {
      if (uses(a, var.var) || uses(b, var.var)) around.push_back(var);
    }
    return each(around, 0, [&] {
      Touched by_a, by_b;
      thread_ = 0;
      // Thread by thread, so that those that meet soon do so.
      return each(threads_, 0, [&] {
        ++thread_;
        return touch(a, by_a, by_b) && touch(b, by_b, by_a);
      });
    });
  }

 private:
  using Use = std::function<bool()>;
  // Which thread touches an element; 0: several do.
  using Touched = std::map<std::vector<int64_t>, int64_t>;

  static bool uses(const Access& access, const Var& var) {
    const auto does = [&](const Expr& expr) { return uses_var(expr, var); };
    return std::ranges::any_of(access.indices, does) || std::ranges::any_of(access.conditions, does) ||
           std::ranges::any_of(
               access.inner, [&](const BoundVar& inner) { return does(inner.range.min) || does(inner.range.extent); });
  }

  // With every value of the variables from this one on, the last one's changing fastest; a range may depend on those
  // before. False when a range is not known, the budget is used up, or as soon as `use` gives that.
  bool each(const std::vector<BoundVar>& vars, size_t i, const Use& use) {
    if (i == vars.size()) return use();
    const auto [var, range] = vars[i];
    const auto min = known_value(range.min, values_), extent = known_value(range.extent, values_);
    if (!min || !extent) return false;
    for (int64_t v = 0; v < *extent; ++v) {
      if (--budget_ < 0) return false;
      values_[var.get()] = *min + v;
      if (!each(vars, i + 1, use)) return false;
    }
    return true;
  }

  // Notes what this thread touches; false when another thread has touched that by the other access, or it is not known.
  bool touch(const Access& access, Touched& touched, const Touched& others) {
    const std::vector<BoundVar> inner(access.inner.rbegin(), access.inner.rend());
    return each(inner, 0, [&] {
      const auto is_false = [&](const Expr& condition) { return known_value(condition, values_) == 0; };
      if (std::ranges::any_of(access.conditions, is_false)) return true;
      std::vector<int64_t> at;
      for (const Expr& index : access.indices) {
        const auto value = known_value(index, values_);
        if (!value) return false;
        at.push_back(*value);
      }
      if (const auto met = others.find(at); met != others.end() && met->second != thread_) return false;
      const auto [entry, is_new] = touched.try_emplace(std::move(at), thread_);
      if (!is_new && entry->second != thread_) entry->second = 0;
      return true;
    });
  }

  const std::vector<BoundVar>& threads_;
  const std::vector<BoundVar>& fixed_;
  VarValues values_;
  int64_t thread_ = 0;  // from 1 on
  int64_t& budget_;
};

}  // namespace

bool tried_apart(const Access& a, const Access& b, const std::vector<BoundVar>& threads,
                 const std::vector<BoundVar>& fixed, int64_t& budget) {
  return Trial(threads, fixed, budget).apart(a, b);
}

}  // namespace vantage::cuda
