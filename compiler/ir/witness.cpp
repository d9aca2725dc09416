#include "compiler/ir/witness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "compiler/ir/arith/known_value.h"
#include "compiler/ir/visitor.h"

namespace vantage::ir {

namespace {

using Value = std::optional<int64_t>;

class UsedVars final : public Visitor {
 public:
  using Visitor::visit;
  std::vector<Var> vars;  // each once, in order of first use
  void visit(const Expr& expr) override {
    if (const Var var = Var::of(expr); var.defined() && seen_.insert(var.get()).second) vars.push_back(var);
    Visitor::visit(expr);
  }

 private:
  std::unordered_set<const VarNode*> seen_;
};

class Search {
 public:
  Search(const Surroundings& around, const Expr& index, const Range& domain)
      : index_(index), domain_(domain), conditions_(around.conditions) {
    keep_relevant(around);
    for (const auto& definition : definitions_) loops_ += definition.value.defined() ? 0 : 1;
    extents_.resize(loops_);
  }

  std::optional<Witness> run() {
    constexpr size_t kSamples = 6;
    std::optional<Witness> first;
    for (size_t sample = 0; sample < (sizes_.empty() ? 1 : kSamples); ++sample) {
      values_ = sizes(sample);
      const Value found = run_sample();
      if (!found) return {};
      if (!first) first = Witness{*found, describe_sizes()};
    }
    return first;
  }

 private:
  // Iterations of the loops, from 0, in the order of the loops.
  using Point = std::vector<int64_t>;

  // Definitions that the question depends on; variables that nothing around defines are sizes.
  void keep_relevant(const Surroundings& around) {
    UsedVars used;
    used.visit(index_);
    used.visit(domain_.min);
    used.visit(domain_.extent);
    for (const Expr& condition : conditions_) used.visit(condition);
    const auto defined_around = [&](const VarNode* var) {
      return std::any_of(around.definitions.begin(), around.definitions.end(),
                         [&](const auto& d) { return d.var.get() == var; });
    };
    for (size_t i = around.definitions.size(); i-- > 0;) {
      const auto& definition = around.definitions[i];
      const Expr& extent = definition.range.extent;
      const bool wanted =
          std::any_of(used.vars.begin(), used.vars.end(), [&](const Var& v) { return v.same_as(definition.var); });
      if (wanted && definition.value.defined()) {
        used.visit(definition.value);
      } else if (wanted) {
        used.visit(definition.range.min);
        used.visit(extent);
      } else {
        // Where a loop around is empty nothing is reached; one over sizes alone is taken not to be.
        if (!extent.defined() || (as_int(extent) == nullptr && !uses_var(extent, defined_around))) continue;
        used.visit(extent);
        others_.push_back(extent);
        continue;
      }
      definitions_.insert(definitions_.begin(), definition);
    }
    for (const Var& var : used.vars) {
      const bool defined =
          std::any_of(definitions_.begin(), definitions_.end(), [&](const auto& d) { return d.var.same_as(var); });
      if (!defined) sizes_.push_back(var);
    }
  }

  VarValues sizes(size_t sample) const {
    static constexpr std::array<int64_t, 12> kPrimes = {3, 7, 13, 19, 29, 37, 43, 53, 61, 71, 79, 89};
    static constexpr std::array<int64_t, 4> kSame = {16, 1, 2, 80640};
    VarValues result;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const size_t prime = std::min(i, kPrimes.size() - 1);
      const int64_t value = sample < kSame.size() ? kSame.at(sample)
                            : sample == 4         ? kPrimes.at(prime)
                                                  : kPrimes.at(kPrimes.size() - 1 - prime);
      // A flag is off in one sample of the six, so that what stands under it alone is never wrong.
      result[sizes_[i].get()] = sizes_[i].dtype().is_bool() ? static_cast<int64_t>(sample != 1) : value;
    }
    return result;
  }

  std::string describe_sizes() const {
    std::string text;
    for (const Var& var : sizes_) {
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", var.name(), values_.at(var.get()));
    }
    return text;
  }

  // Sets what a definition that is no loop defines.
  void define(const Surroundings::Definition& definition) {
    if (const Value value = known_value(definition.value, values_)) {
      values_[definition.var.get()] = *value;
    } else {
      values_.erase(definition.var.get());
    }
  }

  // Sets all variables at a point; its iterations are first cut to what the ranges have. False where a range is empty
  // or unknown.
  bool enter(Point& point) {
    size_t loop = 0;
    for (const auto& definition : definitions_) {
      if (definition.value.defined()) {
        define(definition);
        continue;
      }
      const Value min = known_value(definition.range.min, values_),
                  extent = known_value(definition.range.extent, values_);
      if (!min || !extent || *extent < 1) return false;
      extents_[loop] = *extent;
      point[loop] = std::clamp<int64_t>(point[loop], 0, *extent - 1);
      values_[definition.var.get()] = *min + point[loop++];
    }
    return true;
  }

  // The index, where it is reached at all.
  Value reached() {
    for (const Expr& condition : conditions_) {
      const Value holds = known_value(condition, values_);
      if (!holds || *holds == 0) return {};
    }
    for (const Expr& extent : others_) {
      const Value count = known_value(extent, values_);
      if (count && *count < 1) return {};
    }
    return known_value(index_, values_);
  }

  // Looks at a point; true when it is a witness.
  bool look(Point& point, Value* index) {
    *index = enter(point) ? reached() : Value();
    const Value min = known_value(domain_.min, values_), extent = known_value(domain_.extent, values_);
    if (!*index || !min || !extent || (**index >= *min && **index < *min + *extent)) return false;
    found_ = *index;
    return true;
  }

  // The same, and keeps the point if its index is the lowest or highest so far.
  bool look_and_note(Point point, Value* index) {
    if (look(point, index)) return true;
    if (!*index) return false;
    if (!lowest_ || **index < lowest_->first) lowest_ = {**index, point};
    if (!highest_ || **index > highest_->first) highest_ = {**index, point};
    return false;
  }

  // All points, as long as `budget` lasts.
  bool enumerate(size_t definition, Point& point, int* budget) {
    if (definition == definitions_.size()) {
      --*budget;
      Value index;
      return look_and_note(point, &index);
    }
    const auto& [var, range, value] = definitions_[definition];
    if (value.defined()) {
      define(definitions_[definition]);
      return enumerate(definition + 1, point, budget);
    }
    const Value min = known_value(range.min, values_), extent = known_value(range.extent, values_);
    if (!min || !extent) return false;
    point.push_back(0);
    for (int64_t at = 0; at<*extent&& * budget> 0; ++at) {
      values_[var.get()] = *min + at;
      point.back() = at;
      if (enumerate(definition + 1, point, budget)) return true;
    }
    point.pop_back();
    return false;
  }

  Value run_sample() {
    lowest_ = highest_ = {};
    int budget = 512;
    Point point;
    if (enumerate(0, point, &budget)) return found_;
    if (budget > 0) return {};
    std::vector<Point> starts;
    const size_t corners = size_t{1} << std::min<size_t>(loops_, 8);
    for (size_t corner = 0; corner < corners; ++corner) {
      point.assign(loops_, 0);
      for (size_t i = 0; i < loops_; ++i) point[i] = (corner >> (i % 8) & 1) != 0 ? INT64_MAX : 0;
      Value index;
      if (look_and_note(point, &index)) return found_;
      if (index && starts.size() < 8) starts.push_back(point);
    }
    for (const auto& best : {lowest_, highest_}) {
      if (best) starts.push_back(best->second);
    }
    // One start may lead to where no single loop gets further, another past it.
    for (const Point& start : starts) {
      if (climb(start, -1) || climb(start, 1)) return found_;
    }
    return {};
  }

  // Moves single loops by powers of two for as long as the index grows (falls, for a sign of -1).
  bool climb(Point point, int64_t sign) {
    Value index;
    if (look(point, &index)) return true;
    int64_t best = *index * sign;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t i = 0; i < loops_; ++i) {
        for (auto step = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(extents_[i]))); step > 0;
             step /= 2) {
          for (const int64_t by : {step, -step}) {
            Point next = point;
            next[i] += by;
            if (look(next, &index)) return true;
            if (!index || *index * sign <= best) continue;
            best = *index * sign;
            point = next;
            moved = true;
          }
        }
      }
    }
    return false;
  }

  const Expr& index_;
  const Range& domain_;
  const std::vector<Expr>& conditions_;
  std::vector<Surroundings::Definition> definitions_;
  std::vector<Expr> others_;
  std::vector<Var> sizes_;
  size_t loops_ = 0;
  VarValues values_;
  Point extents_;  // of the ranges at the last point
  std::optional<std::pair<int64_t, Point>> lowest_, highest_;
  Value found_;
};

}  // namespace

std::optional<Witness> find_witness(const Surroundings& around, const Expr& index, const Range& domain) {
  return Search(around, index, domain).run();
}

}  // namespace vantage::ir
