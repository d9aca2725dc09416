#include "compiler/backend/cpu/sizes.h"

namespace vantage::cpu {

using namespace ir;

Expr in_64_bits(const Expr& expr) {
  if (const auto* literal = expr.as<IntImm>()) return make_int(kInt64, literal->value);
  if (const auto* op = expr.as<Binary>(); op != nullptr && expr.dtype() == kInt32) {
    const bool grows = op->op == BinaryOp::kAdd || op->op == BinaryOp::kSub || op->op == BinaryOp::kMul;
    const bool shrinks = op->op == BinaryOp::kFloorDiv || op->op == BinaryOp::kFloorMod || op->op == BinaryOp::kMin ||
                         op->op == BinaryOp::kMax || op->op == BinaryOp::kTruncDiv || op->op == BinaryOp::kTruncMod;
    if (grows || shrinks) return make_binary(op->op, in_64_bits(op->a), in_64_bits(op->b));
  }
  return cast(kInt64, expr);
}

std::vector<Expr> sizes_in_64_bits(const BufferNode& buffer) {
  std::vector<Expr> sizes;
  for (const Expr& size : buffer.shape) sizes.push_back(in_64_bits(size));
  return sizes;
}

std::vector<Expr> strides_in_64_bits(const BufferNode& buffer) {
  std::vector<Expr> strides;
  for (const Expr& stride : buffer.strides) strides.push_back(in_64_bits(stride));
  if (!strides.empty()) return strides;
  strides.resize(buffer.rank());
  Expr stride = make_int(kInt64, 1);
  for (size_t d = buffer.rank(); d-- > 0;) {
    strides[d] = stride;
    stride = stride * in_64_bits(buffer.shape[d]);
  }
  return strides;
}

Expr span_in_64_bits(const BufferNode& buffer) {
  const std::vector<Expr> sizes = sizes_in_64_bits(buffer), strides = strides_in_64_bits(buffer);
  const Expr one = make_int(kInt64, 1);
  Expr last = make_int(kInt64, 0);
  for (size_t d = 0; d < buffer.rank(); ++d) last = last + (sizes[d] - one) * strides[d];
  return last + one;
}

}  // namespace vantage::cpu
