#include "compiler/ops/cpu/words.h"

#include "compiler/ir/intrinsics.h"

namespace vantage::ops {

using namespace te;

namespace {

// 128 in every byte: flips the sign bit, and is the offset itself as unsigned bytes.
Expr offset_word() {
  return ir::make_int(kInt32, ir::wrap(kInt32, 0x80808080));
}

}  // namespace

Expr WordProduct::operator()(const Expr& a, const Expr& b) const {
  return ir::call(offset ? ir::kDot4UnsignedSigned : ir::kDot4, {a, b});
}

Expr WordProduct::of_offset(const Expr& b) const {
  return ir::call(ir::kDot4UnsignedSigned, {offset_word(), b});
}

Expr WordProduct::pack_offset(const Expr& word) const {
  return offset ? word ^ offset_word() : word;
}

Expr pack_word(const Expr& word, int64_t count, const std::function<Expr(const Expr&)>& element) {
  Expr result;
  for (int byte = 0; byte < 4; ++byte) {
    const Expr index = word * 4 + byte;
    Expr value = cast(kInt32, element(index));
    if (count % 4 != 0) value = if_then_else(index < Expr(count), value, 0);
    if (byte < 3) value = value & 255;
    if (byte > 0) value = value << (8 * byte);
    result = result.defined() ? result | value : value;
  }
  return result;
}

}  // namespace vantage::ops
