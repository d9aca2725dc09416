#include "compiler/schedule/primitives/index_digits.h"

#include <algorithm>

#include "compiler/ir/arith/linear.h"

namespace vantage::schedule {

ir::Expr IndexDigits::digit(size_t i, const ir::Expr& number) const {
  const Digit& own = digits[i];
  const ir::Expr left = own.step == 1 ? number : ir::floor_div(number, own.step);
  return i + 1 == digits.size() ? left : ir::floor_mod(left, own.extent);
}

std::optional<IndexDigits> digits_of(const ir::Expr& index, const ir::Block& block) {
  const ir::Linear sum = ir::Linear::of(index);
  if (!sum.exact || sum.constant != 0) return std::nullopt;
  IndexDigits result;
  for (const ir::Linear::Term& term : sum.terms) {
    const auto axis = std::ranges::find_if(block.axes, [&](const ir::Axis& own) { return own.var.same_as(term.atom); });
    if (axis == block.axes.end() || !ir::is_int(axis->domain.min, 0)) return std::nullopt;
    const int64_t* extent = ir::as_int(axis->domain.extent);
    if (extent == nullptr || *extent < 1) return std::nullopt;
    if (*extent != 1) result.digits.push_back({axis->var, term.factor, *extent});
  }
  std::ranges::sort(result.digits, {}, &IndexDigits::Digit::step);
  for (const IndexDigits::Digit& digit : result.digits) {
    if (digit.step != result.count) return std::nullopt;
    result.count *= digit.extent;
  }
  return result;
}

}  // namespace vantage::schedule
