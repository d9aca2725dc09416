// Sizes and strides of buffers in 64 bits: what 32-bit variables say of a buffer may multiply to more than 32 bits
// hold.
#pragma once

#include <vector>

#include "compiler/ir/buffer.h"

namespace vantage::cpu {

// A formula of an index with its variables and literals as 64-bit integers.
ir::Expr in_64_bits(const ir::Expr& expr);

std::vector<ir::Expr> sizes_in_64_bits(const ir::BufferNode& buffer);
// Given or implied.
std::vector<ir::Expr> strides_in_64_bits(const ir::BufferNode& buffer);
// Elements from the first to the last, gaps included.
ir::Expr span_in_64_bits(const ir::BufferNode& buffer);

}  // namespace vantage::cpu
