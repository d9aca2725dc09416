// Shapes as the formulas of operators write them, axes counted from either end, and windows that slide over rows and
// columns.
//
// Thread safety: functions without state.
#pragma once

#include <string_view>
#include <vector>

#include "base/tensor/type.h"
#include "compiler/ops/operator.h"
#include "compiler/te/te.h"

namespace vantage::ops {

std::vector<te::Expr> sizes(const Tensor::Shape& shape);
std::vector<te::Expr> indices(const std::vector<te::Var>& axes);

// An axis from 0 on; -1 is the last one. Throws Error for one that a tensor of this rank does not have.
size_t axis_of(int64_t axis, size_t rank);
// The same of a call's attribute axis, of its first input.
size_t axis_of(const OperatorCall& call);
// Throws Error unless `type` has this rank; `meaning` says what its axes are.
void require_rank(const TensorType& type, size_t rank, std::string_view name, std::string_view meaning);
// Throws Error unless the list has so many entries, each of at least `least`.
void require_integers(const Integers& list, size_t count, int64_t least, std::string_view name);

// A kernel's places along rows (0) and columns (1), and how it steps.
struct Window {
  struct Side {
    int64_t size, kernel, stride, before, after, dilation;  // padding of `before` and `after`
    int64_t reach() const { return (kernel - 1) * dilation + 1; }
    int64_t count() const { return (size + before + after - reach()) / stride + 1; }
  };
  Side rows, columns;
};

// Of attributes strides [2], padding [4] (top, left, bottom, right) and dilation [2], over the last two axes. Throws
// Error for lists of another length, strides and dilations below 1, negative padding, and a kernel that reaches beyond
// the padded image.
Window window_of(const Attributes& attributes, const Tensor::Shape& image, int64_t kernel_h, int64_t kernel_w);
// These fields, for operators that slide windows.
std::vector<AttributeField> window_fields();

}  // namespace vantage::ops
