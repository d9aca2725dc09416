// Kernels that slide over images of any number of axes, as convolutions and pooling say it.
//
// Thread safety: functions without state.
#pragma once

#include "frontend/onnx/node.h"

namespace vantage::onnx_models {

struct Windows {
  Integers kernel, strides, before, after, dilations;  // of each axis behind the channels'

  size_t axes() const { return kernel.size(); }
  int64_t reach(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
};

// From attributes, with padding as auto_pad wants it. `kernel`: the weights', where there are some. Throws Error for
// lists of other lengths, sizes below 1, and a kernel_shape that is not the weights'.
Windows windows_of(const Node& node, const Tensor::Shape& image, const Integers& kernel);
// With what has to be added behind so that the last window, if it begins in the image, is there.
Windows rounded_up(Windows windows, const Tensor::Shape& image);

// Two axes of images: one more of size 1, if there is one.
Windows in_two_axes(const Windows& windows);
ops::Integers padding_of(const Windows& windows);  // of operators on images: top, left, bottom, right

// Applies a function of [n, c, h, w] to images of one axis or two.
Value on_images(Builder& b, Value x, const std::function<Value(Value)>& make);

}  // namespace vantage::onnx_models
