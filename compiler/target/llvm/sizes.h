// Sizes and strides of buffers in 64 bits: what 32-bit variables say of a buffer may multiply to more than 32 bits
// hold.
#pragma once

#include <vector>

#include "compiler/tir/buffer.h"

namespace vantage::compiler {

// A formula of an index with its variables and literals as 64-bit integers.
tir::Expr in_64_bits(const tir::Expr& expr);

std::vector<tir::Expr> sizes_in_64_bits(const tir::BufferNode& buffer);
// Given or implied.
std::vector<tir::Expr> strides_in_64_bits(const tir::BufferNode& buffer);
// Elements from the first to the last, gaps included.
tir::Expr span_in_64_bits(const tir::BufferNode& buffer);

}  // namespace vantage::compiler
