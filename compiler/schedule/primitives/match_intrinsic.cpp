#include "compiler/schedule/primitives/match_intrinsic.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/dependence.h"

namespace vantage::schedule {

namespace {

// What a value is before it is converted.
Expr without_casts(Expr value) {
  while (const auto* cast = value.as<ir::Cast>()) value = cast->value;
  return value;
}

std::string extents(const BlockNest& nest) {
  std::string text;
  for (const For* loop : nest.loops) {
    text += fmt::format("{}{}({})", text.empty() ? "" : ", ", loop->var.name(), ir::to_text(loop->extent));
  }
  return text.empty() ? "none" : text;
}

class Matcher {
 public:
  Matcher(const TensorIntrinsic& intrinsic, const BlockNest& target)
      : intrinsic_(intrinsic), wanted_(flatten(intrinsic.description().body)), target_(target) {}

  Places match() {
    // Types first: no other loops or indices would help where these differ.
    types_only_ = true;
    statements();
    types_only_ = false;
    loops();
    statements();
    check_apart();
    Places places;  // parameters of description and implementation correspond by position
    const auto described = intrinsic_.description().buffers(), implemented = intrinsic_.implementation().buffers();
    for (size_t i = 0; i < described.size(); ++i) {
      places.emplace(implemented[i].get(), places_.at(described[i].get()));
    }
    return places;
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail("tensorize: the block {} is not what {} computes: {}", target_.block->name, intrinsic_.name(),
         fmt::format(format, std::forward<Args>(args)...));
  }

  void loops() {
    const auto same = [](const For* a, const For* b) { return ir::structural_equal(a->extent, b->extent); };
    if (!std::equal(wanted_.loops.begin(), wanted_.loops.end(), target_.loops.begin(), target_.loops.end(), same)) {
      refuse("its loops of more than one iteration are {}, expected {}", extents(target_), extents(wanted_));
    }
    for (size_t i = 0; i < target_.loops.size(); ++i) {
      const For &wanted = *wanted_.loops[i], &got = *target_.loops[i];
      // Where there are initial values, they are stored in the first step of the loops that reduce.
      const bool reduces = binds(*target_.block, got.var, ir::AxisKind::kReduce);
      if (wanted_.init && reduces != binds(*wanted_.block, wanted.var, ir::AxisKind::kReduce)) {
        refuse("the loop {} carries {} reduction, expected one that does{}; reorder the loops", got.var.name(),
               reduces ? "the" : "no", reduces ? " not" : "");
      }
      vars_[wanted.var.get()] = got.var - got.min + wanted.min;
      inner_.push_back(got.var);
      analyzer_.bind(got.var, {got.min, got.extent});
    }
  }

  void statements() {
    if (static_cast<bool>(wanted_.init) != static_cast<bool>(target_.init)) {
      refuse("it {}", target_.init ? "has initial values of its own" : "has no initial values");
    }
    if (wanted_.init) statement(wanted_.init, target_.init);
    statement(wanted_.body, target_.body);
  }

  void statement(const Stmt& wanted, const Stmt& got) {
    if (const auto* a = wanted.as<ir::Store>(), *b = got.as<ir::Store>(); a != nullptr && b != nullptr) {
      access(a->buffer, a->indices, b->buffer, b->indices);
      return expression(a->value, b->value);
    }
    if (const auto* a = wanted.as<ir::Let>(), *b = got.as<ir::Let>(); a != nullptr && b != nullptr) {
      expression(a->value, b->value);
      vars_[a->var.get()] = b->var;
      return statement(a->body, b->body);
    }
    if (const auto* a = wanted.as<ir::Seq>(), *b = got.as<ir::Seq>();
        a != nullptr && b != nullptr && a->stmts.size() == b->stmts.size()) {
      for (size_t i = 0; i < a->stmts.size(); ++i) statement(a->stmts[i], b->stmts[i]);
      return;
    }
    if (!types_only_) refuse("its body has other statements");
  }

  void expression(const Expr& wanted, const Expr& got) {
    // A number of a loop: the same, however it is written.
    if (wanted.kind() == ir::ExprKind::kVar && wanted.dtype() == got.dtype() && !types_only_) {
      const Expr value = ir::substitute(wanted, vars_);
      const bool same =
          wanted.dtype().is_int() ? ir::is_int(analyzer_.simplify(got - value), 0) : ir::structural_equal(got, value);
      return same ? void() : differ(wanted, got);
    }
    if (wanted.kind() != got.kind() || (wanted.dtype() != got.dtype() && wanted.kind() != ir::ExprKind::kLoad)) {
      return differ(wanted, got);
    }
    switch (wanted.kind()) {
      case ir::ExprKind::kLoad: {
        const auto *a = wanted.as<ir::Load>(), *b = got.as<ir::Load>();
        return access(a->buffer, a->indices, b->buffer, b->indices);
      }
      case ir::ExprKind::kCast: return expression(wanted.as<ir::Cast>()->value, got.as<ir::Cast>()->value);
      case ir::ExprKind::kNot: return expression(wanted.as<ir::Not>()->value, got.as<ir::Not>()->value);
      case ir::ExprKind::kBinary: {
        const auto *a = wanted.as<ir::Binary>(), *b = got.as<ir::Binary>();
        if (a->op != b->op) return differ(wanted, got);
        expression(a->a, b->a);
        return expression(a->b, b->b);
      }
      case ir::ExprKind::kSelect: {
        const auto *a = wanted.as<ir::Select>(), *b = got.as<ir::Select>();
        expression(a->condition, b->condition);
        expression(a->if_true, b->if_true);
        return expression(a->if_false, b->if_false);
      }
      case ir::ExprKind::kCall: {
        const auto *a = wanted.as<ir::Call>(), *b = got.as<ir::Call>();
        if (a->function != b->function || a->arguments.size() != b->arguments.size()) return differ(wanted, got);
        for (size_t i = 0; i < a->arguments.size(); ++i) expression(a->arguments[i], b->arguments[i]);
        return;
      }
      default:
        if (!ir::structural_equal(ir::substitute(wanted, vars_), got)) differ(wanted, got);
    }
  }

  void differ(const Expr& wanted, const Expr& got) const {
    const Expr wanted_value = without_casts(wanted), got_value = without_casts(got);
    const auto *a = wanted_value.as<ir::Load>(), *b = got_value.as<ir::Load>();
    if (a != nullptr && b != nullptr) check_type(a->buffer, b->buffer);
    if (types_only_) return;
    if (wanted.dtype() != got.dtype()) {
      refuse("it has '{}' of type {}, expected '{}' of type {}", ir::to_text(got), name(got.dtype()),
             ir::to_text(wanted), name(wanted.dtype()));
    }
    refuse("it has '{}', expected '{}'", ir::to_text(got), ir::to_text(wanted));
  }

  void check_type(const Buffer& wanted, const Buffer& got) const {
    if (wanted->dtype == got->dtype) return;
    refuse("{} is {}, expected {} as {} is", got->name, name(got->dtype), name(wanted->dtype), wanted->name);
  }

  void access(const Buffer& wanted, const std::vector<Expr>& wanted_indices, const Buffer& got,
              const std::vector<Expr>& got_indices) {
    check_type(wanted, got);
    if (types_only_) return;
    if (wanted->scope != "global" && wanted->scope != got->scope) {
      refuse("{} is in '{}', expected '{}'; set_scope or cache it there", got->name, got->scope, wanted->scope);
    }
    if (got_indices.size() < wanted_indices.size()) {
      refuse("{} has {} dimensions, expected at least {}", got->name, got->rank(), wanted->rank());
    }
    const size_t leading = got_indices.size() - wanted_indices.size();
    const auto is_inner = [&](const ir::VarNode* v) {
      return std::any_of(inner_.begin(), inner_.end(), [&](const Var& i) { return i.get() == v; });
    };
    Place place{got, {}};
    for (size_t d = 0; d < got_indices.size(); ++d) {
      Expr base = got_indices[d];
      if (d >= leading) base = base - ir::substitute(wanted_indices[d - leading], vars_);
      base = analyzer_.simplify(base);
      if (ir::uses_var(base, is_inner)) {
        const std::string moves =
            d < leading ? "stays in place" : "is '" + ir::to_text(wanted_indices[d - leading]) + "'";
        refuse("{} is indexed by '{}' in dimension {}, where the index of {} {}", got->name,
               ir::to_text(got_indices[d]), d, wanted->name, moves);
      }
      place.base.push_back(base);
    }
    const auto [known, is_new] = places_.emplace(wanted.get(), place);
    bool same = is_new || known->second.buffer == got;
    for (size_t d = 0; same && d < place.base.size(); ++d) {
      same = ir::structural_equal(known->second.base[d], place.base[d]);
    }
    if (!same) refuse("{} of {} stands for different things", wanted->name, intrinsic_.name());
  }

  // What the instruction writes is none of the other things that it works on: it may write before it has read.
  void check_apart() {
    const auto buffers = intrinsic_.description().buffers();
    const std::vector<Buffer> written = written_by(*wanted_.block);
    for (const Buffer& output : written) {
      for (const Buffer& other : buffers) {
        const Place &a = places_.at(output.get()), &b = places_.at(other.get());
        if (output == other || a.buffer != b.buffer || apart(*output, a, *other, b)) continue;
        refuse("{} stands for both {} and {}, which it keeps apart; cache one of them", a.buffer->name, output->name,
               other->name);
      }
    }
  }

  bool apart(const ir::BufferNode& a, const Place& at_a, const ir::BufferNode& b, const Place& at_b) {
    for (size_t d = 0; d < at_a.base.size(); ++d) {
      const auto size = [&](const ir::BufferNode& parameter) {
        const size_t leading = at_a.base.size() - parameter.rank();
        return d < leading ? int64_t{1} : *ir::as_int(parameter.shape[d - leading]);
      };
      const Expr step = analyzer_.simplify(at_b.base[d] - at_a.base[d]);
      const int64_t* distance = ir::as_int(step);
      if (distance != nullptr && (*distance >= size(a) || -*distance >= size(b))) return true;
    }
    return false;
  }

  const TensorIntrinsic& intrinsic_;
  BlockNest wanted_;
  const BlockNest& target_;
  ir::Analyzer analyzer_;
  bool types_only_ = false;
  ir::VarMap vars_;         // of the description, by those of the target
  std::vector<Var> inner_;  // the target's loops
  Places places_;           // of the description's parameters
};

}  // namespace

Places match_intrinsic(const TensorIntrinsic& intrinsic, const BlockNest& target) {
  return Matcher(intrinsic, target).match();
}

}  // namespace vantage::schedule
