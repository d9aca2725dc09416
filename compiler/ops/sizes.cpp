#include "compiler/ops/sizes.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::ops {

std::vector<te::Expr> sizes(const Tensor::Shape& shape) {
  return {shape.begin(), shape.end()};
}

std::vector<te::Expr> indices(const std::vector<te::Var>& axes) {
  return {axes.begin(), axes.end()};
}

size_t axis_of(int64_t axis, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  if (axis < -count || axis >= count) fail("axis is {}, expected {} to {}", axis, -count, count - 1);
  return static_cast<size_t>(axis < 0 ? axis + count : axis);
}

size_t axis_of(const OperatorCall& call) {
  return axis_of(call.attributes.integer("axis"), call.inputs[0].shape.size());
}

void require_rank(const TensorType& type, size_t rank, std::string_view name, std::string_view meaning) {
  if (type.shape.size() != rank) fail("{} is {}, expected {}", name, describe(type), meaning);
}

void require_integers(const Integers& list, size_t count, int64_t least, std::string_view name) {
  const bool fits =
      list.size() == count && std::all_of(list.begin(), list.end(), [&](int64_t v) { return v >= least; });
  if (!fits) fail("{} is [{}], expected {} integers of at least {}", name, fmt::join(list, ", "), count, least);
}

std::vector<AttributeField> window_fields() {
  return {{"strides", "steps along rows and columns", Integers{1, 1}},
          {"padding", "rows and columns around: top, left, bottom, right", Integers{0, 0, 0, 0}},
          {"dilation", "steps between the kernel's places", Integers{1, 1}}};
}

Window window_of(const Attributes& attributes, const Tensor::Shape& image, int64_t kernel_h, int64_t kernel_w) {
  const Integers &strides = attributes.integers("strides"), &padding = attributes.integers("padding"),
                 &dilation = attributes.integers("dilation");
  require_integers(strides, 2, 1, "strides");
  require_integers(padding, 4, 0, "padding");
  require_integers(dilation, 2, 1, "dilation");
  const int64_t h = image[image.size() - 2], w = image[image.size() - 1];
  const Window window = {{h, kernel_h, strides[0], padding[0], padding[2], dilation[0]},
                         {w, kernel_w, strides[1], padding[1], padding[3], dilation[1]}};
  for (const auto& [side, what] : {std::pair(&window.rows, "rows"), {&window.columns, "columns"}}) {
    if (side->reach() <= side->size + side->before + side->after) continue;
    fail("the kernel reaches over {} {}, but the padded image has {}", side->reach(), what,
         side->size + side->before + side->after);
  }
  return window;
}

}  // namespace vantage::ops
