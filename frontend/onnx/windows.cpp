#include "frontend/onnx/windows.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::onnx_models {

Windows windows_of(const Node& node, const Tensor::Shape& image, const Integers& kernel) {
  const size_t axes = kernel.size();
  if (axes == 0) fail("its kernel has no axes");
  if (node.integers("kernel_shape", kernel) != kernel) fail("its kernel_shape is not the shape of its weights");
  if (image.size() != axes + 2) fail("its kernel has {} axes, its image {}", axes, image.size());
  const Integers pads = node.integers("pads", Integers(2 * axes, 0));
  Windows w{kernel, node.integers("strides", Integers(axes, 1)), {}, {}, node.integers("dilations", Integers(axes, 1))};
  if (w.strides.size() != axes || w.dilations.size() != axes || pads.size() != 2 * axes) {
    fail("it has {} strides, {} dilations and {} pads for a kernel of {} axes", w.strides.size(), w.dilations.size(),
         pads.size(), axes);
  }
  w.before.assign(pads.begin(), pads.begin() + static_cast<ptrdiff_t>(axes));
  w.after.assign(pads.begin() + static_cast<ptrdiff_t>(axes), pads.end());
  const std::string automatic = node.text("auto_pad", "NOTSET");
  constexpr int64_t kMost = int64_t{1} << 31;
  for (size_t d = 0; d < axes; ++d) {
    for (const int64_t value : {w.kernel[d], w.strides[d], w.dilations[d]}) {
      if (value < 1 || value > kMost) fail("a kernel, stride or dilation is {}", value);
    }
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      const int64_t size = image[d + 2], places = (size + w.strides[d] - 1) / w.strides[d];
      const int64_t all = std::max<int64_t>(0, (places - 1) * w.strides[d] + w.reach(d) - size);
      w.before[d] = automatic == "SAME_UPPER" ? all / 2 : all - all / 2;
      w.after[d] = all - w.before[d];
    } else if (automatic == "VALID") {
      w.before[d] = w.after[d] = 0;
    } else if (automatic != "NOTSET" && !automatic.empty()) {
      fail("its auto_pad is '{}'", automatic);
    }
    if (w.before[d] < 0 || w.after[d] < 0 || w.before[d] > kMost || w.after[d] > kMost) fail("a pad is negative");
  }
  return w;
}

Windows rounded_up(Windows w, const Tensor::Shape& image) {
  for (size_t d = 0; d < w.axes(); ++d) {
    const int64_t size = image[d + 2], room = size + w.before[d] + w.after[d] - w.reach(d);
    int64_t steps = (room + w.strides[d] - 1) / w.strides[d];
    if (steps * w.strides[d] >= size + w.before[d]) --steps;
    w.after[d] += std::max<int64_t>(0, steps * w.strides[d] - room);
  }
  return w;
}

Windows in_two_axes(const Windows& windows) {
  Windows w = windows;
  if (w.axes() != 1) return w;
  for (Integers* list : {&w.kernel, &w.strides, &w.dilations}) list->insert(list->begin(), 1);
  for (Integers* list : {&w.before, &w.after}) list->insert(list->begin(), 0);
  return w;
}

ops::Integers padding_of(const Windows& w) {
  return {w.before.at(0), w.before.at(1), w.after.at(0), w.after.at(1)};
}

Value on_images(Builder& b, Value x, const std::function<Value(Value)>& make) {
  if (b.rank(x) == 4) return make(x);
  if (b.rank(x) != 3) fail("{} has neither one axis of places nor two", describe(b.type(x)));
  return b.squeeze(make(b.unsqueeze(x, 2)), 2);
}

}  // namespace vantage::onnx_models
