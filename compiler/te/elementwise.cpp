#include "compiler/te/elementwise.h"

#include <fmt/ranges.h>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"

namespace vantage::te {

using ir::BinaryOp;

namespace {

Tensor combine(BinaryOp op, const Operand& a, const Operand& b, std::string name) {
  const auto apply = [op](const Expr& x, const Expr& y) { return ir::make_binary(op, x, y); };
  if (a.tensor().defined() && b.tensor().defined()) return map(a.tensor(), b.tensor(), apply, std::move(name));
  if (a.tensor().defined()) {
    return map(
        a.tensor(), [&](const Expr& x) { return apply(x, b.scalar()); }, std::move(name));
  }
  if (!b.tensor().defined()) fail("{} of no tensor; give it one that is defined", name);
  return map(
      b.tensor(), [&](const Expr& y) { return apply(a.scalar(), y); }, std::move(name));
}

std::string describe(const Tensor& tensor) {
  std::vector<std::string> sizes;
  for (const Expr& size : tensor.shape()) sizes.push_back(ir::to_text(size));
  return fmt::format("{} ({})", tensor.name(), fmt::join(sizes, ", "));
}

}  // namespace

namespace detail {

std::vector<Expr> broadcast_shape(const Tensor& a, const Tensor& b, const std::string& name) {
  const size_t rank = std::max(a.rank(), b.rank());
  std::vector<Expr> shape(rank);
  // `d` counts from the last dimension.
  for (size_t d = 0; d < rank; ++d) {
    const auto size = [&](const Tensor& t) { return d < t.rank() ? t.shape()[t.rank() - 1 - d] : Expr(1); };
    const Expr x = size(a), y = size(b);
    if (!ir::is_int(x, 1) && !ir::is_int(y, 1) && !ir::structural_equal(x, y)) {
      fail("{}: the shapes of {} and {} do not fit: '{}' stands beside '{}', expected the same, or 1", name,
           describe(a), describe(b), ir::to_text(x), ir::to_text(y));
    }
    shape[rank - 1 - d] = ir::is_int(x, 1) ? y : x;
  }
  return shape;
}

Expr broadcast_at(const Tensor& tensor, const std::vector<Expr>& shape, const std::vector<Var>& indices) {
  const size_t lacking = indices.size() - tensor.rank();
  std::vector<Expr> own;
  for (size_t d = 0; d < tensor.rank(); ++d) {
    const bool repeats = ir::is_int(tensor.shape()[d], 1) && !ir::is_int(shape[lacking + d], 1);
    own.push_back(repeats ? ir::make_zero(indices[lacking + d].dtype()) : Expr(indices[lacking + d]));
  }
  return tensor.at(std::move(own));
}

}  // namespace detail

Tensor operator+(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kAdd, a, b, "add");
}
Tensor operator-(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kSub, a, b, "subtract");
}
Tensor operator*(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kMul, a, b, "multiply");
}
Tensor operator/(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kDiv, a, b, "divide");
}
Tensor operator<<(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kShl, a, b, "shift_left");
}
Tensor operator>>(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kShr, a, b, "shift_right");
}
Tensor operator&(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kBitAnd, a, b, "bit_and");
}
Tensor operator|(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kBitOr, a, b, "bit_or");
}
Tensor operator^(const Operand& a, const Operand& b) {
  return combine(BinaryOp::kBitXor, a, b, "bit_xor");
}

Tensor operator-(const Tensor& x) {
  return map(
      x, [](const Expr& e) { return -e; }, "negative");
}

Tensor max(const Tensor& a, const Operand& b, std::string name) {
  return combine(BinaryOp::kMax, a, b, std::move(name));
}

Tensor min(const Tensor& a, const Operand& b, std::string name) {
  return combine(BinaryOp::kMin, a, b, std::move(name));
}

Tensor clip(const Tensor& x, const Expr& low, const Expr& high, std::string name) {
  return map(
      x, [&](const Expr& e) { return ir::min(ir::max(e, low), high); }, std::move(name));
}

Tensor relu(const Tensor& x, std::string name) {
  return max(x, ir::make_zero(x.dtype()), std::move(name));
}

Tensor cast(DType dtype, const Tensor& x, std::string name) {
  return map(
      x, [&](const Expr& e) { return ir::cast(dtype, e); }, std::move(name));
}

}  // namespace vantage::te
