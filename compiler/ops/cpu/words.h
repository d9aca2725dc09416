// Four neighbouring bytes as one 32-bit word, the form in which processors multiply bytes.
#pragma once

#include <functional>

#include "compiler/backend/cpu/target.h"
#include "compiler/te/te.h"

namespace vantage::ops {

// How a target multiplies signed bytes. Where its instruction wants one side unsigned, that side is packed with 128
// added to every byte, and 128 times the sum of the other side's bytes is taken off the result.
struct WordProduct {
  bool offset;

  explicit WordProduct(const cpu::Target& target) : offset(target.dot == cpu::DotProduct::kVnni) {}

  // The sum of the four products of words `a`, packed by pack_offset(), and `b`, packed by pack().
  te::Expr operator()(const te::Expr& a, const te::Expr& b) const;
  // What the offset added: this times every word of `b` is to be taken off.
  te::Expr of_offset(const te::Expr& b) const;
  te::Expr pack_offset(const te::Expr& word) const;
};

// The word of bytes `element(4 * word)` and the three after it; 0 for those from `count` on.
te::Expr pack_word(const te::Expr& word, int64_t count, const std::function<te::Expr(const te::Expr&)>& element);

}  // namespace vantage::ops
