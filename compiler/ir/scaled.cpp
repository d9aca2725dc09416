#include "compiler/ir/scaled.h"

#include <algorithm>

#include "compiler/ir/buffer.h"

namespace vantage::ir {

namespace {

bool is_one_number(const Expr& expr) {
  if (expr.as<FloatImm>() != nullptr) return true;
  const auto* load = expr.as<Load>();
  if (load == nullptr || load->buffer->scope != "global") return false;
  return std::ranges::all_of(load->buffer->shape, [](const Expr& size) {
    const int64_t* const elements = as_int(size);
    return elements != nullptr && *elements == 1;
  });
}

}  // namespace

bool is_scaled(const Expr& expr) {
  const auto* product = expr.as<Binary>();
  return product != nullptr && product->op == BinaryOp::kMul &&
         (is_one_number(product->a) || is_one_number(product->b));
}

}  // namespace vantage::ir
