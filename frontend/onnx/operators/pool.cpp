// Operators that fold windows of images.
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/quantized.h"
#include "frontend/onnx/rounded_once.h"
#include "frontend/onnx/windows.h"

namespace vantage::onnx_models {

namespace {

// The windows of some of the axes alone: two of a volume's three.
Windows part_of(const Windows& w, size_t begin, size_t end) {
  const auto part = [&](const Integers& list) {
    return Integers(list.begin() + static_cast<ptrdiff_t>(begin), list.begin() + static_cast<ptrdiff_t>(end));
  };
  return {part(w.kernel), part(w.strides), part(w.before), part(w.after), part(w.dilations)};
}

Value pool_images(Builder& b, const std::string& op, Value x, const Windows& given) {
  const Windows w = in_two_axes(given);
  return on_images(b, x, [&](Value images) {
    return b.call(
        op, {images},
        {{"kernel", w.kernel}, {"strides", w.strides}, {"padding", padding_of(w)}, {"dilation", w.dilations}});
  });
}

// Means and maxima of a volume are those of its planes', and then along the axis of planes.
Value pool(Builder& b, const std::string& op, Value x, const Windows& w) {
  if (w.axes() <= 2) return pool_images(b, op, x, w);
  if (w.axes() != 3) fail("its kernel has {} axes, expected up to 3", w.axes());
  const Tensor::Shape s = b.shape(x);
  const Value planes = pool_images(b, op, b.reshape(x, {s[0] * s[1], s[2], s[3], s[4]}), part_of(w, 1, 3));
  const int64_t rows = b.shape(planes)[2], columns = b.shape(planes)[3];
  const Value lines = b.reshape(planes, {s[0], s[1], s[2], rows * columns});
  Windows depth = part_of(w, 0, 1);
  for (Integers* list : {&depth.kernel, &depth.strides, &depth.dilations}) list->push_back(1);
  for (Integers* list : {&depth.before, &depth.after}) list->push_back(0);
  const Value y = pool_images(b, op, lines, depth);
  return b.reshape(y, {s[0], s[1], b.shape(y)[2], rows, columns});
}

Windows read_windows(const Node& node, Value x) {
  Builder& b = node.builder();
  Windows w = windows_of(node, b.shape(x), node.integers("kernel_shape"));
  return node.integer("ceil_mode", 0) != 0 ? rounded_up(w, b.shape(x)) : w;
}

// Zeros as pixels, which the windows then find.
Value with_zeros(Builder& b, Value x, Windows& w, const Windows& asked) {
  Integers before(b.shape(x).size(), 0), after(b.shape(x).size(), 0);
  bool any = false;
  for (size_t d = 0; d < w.axes(); ++d) {
    before[d + 2] = asked.before[d];
    after[d + 2] = asked.after[d];
    any = any || asked.before[d] > 0 || asked.after[d] > 0;
    w.before[d] = 0;
    w.after[d] -= asked.after[d];
  }
  return any ? b.call("pad", {x}, {{"before", before}, {"after", after}}) : x;
}

std::vector<Value> max_pool(const Node& node) {
  if (node.wants(1)) fail("it gives the places of its maxima, too; there is no such operator");
  const Value x = node.input(0);
  return {pool(node.builder(), "max_pool2d", x, read_windows(node, x))};
}

Value mean_of_windows(const Node& node, Value x) {
  Builder& b = node.builder();
  Windows w = read_windows(node, x);
  if (node.integer("count_include_pad", 0) != 0) {
    x = with_zeros(b, x, w, windows_of(node, b.shape(x), node.integers("kernel_shape")));
  }
  return pool(b, "avg_pool2d", x, w);
}

std::vector<Value> average_pool(const Node& node) {
  return {mean_of_windows(node, node.input(0))};
}

std::vector<Value> average_pool_of_integers(const Node& node) {
  Builder& b = node.builder();
  if (node.integer("channels_last", 0) != 0) fail("its channels are last, expected [n, c, h, w]");
  const Value x = dequantized(b, node.input(0), node.input(1), node.input(2));
  return {quantized(b, mean_of_windows(node, x), node.input(3), node.input(4))};
}

// The p-th root of the sum of p-th powers.
std::vector<Value> lp_pool(const Node& node) {
  Builder& b = node.builder();
  const double p = static_cast<double>(node.integer("p", 2));
  Value x = node.input(0);
  Windows w = read_windows(node, x);
  const Value power = b.scalar(b.dtype(x), p), root = b.scalar(b.dtype(x), 1 / p);
  x = b.call("power", {b.call("abs", {x}), power});
  // What is added behind so that windows are whole adds nothing, too.
  const Windows all = w;
  x = with_zeros(b, x, w, all);
  double count = 1;
  for (const int64_t side : w.kernel) count *= static_cast<double>(side);
  return {b.call("power", {b.multiply(pool(b, "avg_pool2d", x, w), count), root})};
}

// All axes behind the channels'.
Integers axes_of_places(const Builder& b, Value x) {
  if (b.rank(x) < 3) fail("{} is no image", describe(b.type(x)));
  Integers axes(b.shape(x).size() - 2);
  std::iota(axes.begin(), axes.end(), 2);
  return axes;
}

// `of_images`: the operator that accelerators know.
ImportOperator global(std::string op, std::string of_images) {
  return [op, of_images](const Node& node) {
    Builder& b = node.builder();
    const Value x = node.input(0);
    if (b.shape(x).size() == 4) return std::vector{b.call(of_images, {x})};
    const Integers axes = axes_of_places(b, x);
    return std::vector{b.fold(op, x, axes, true)};
  };
}

std::vector<Value> global_lp_pool(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const double p = static_cast<double>(node.integer("p", 2));
  const Integers axes = axes_of_places(b, x);
  const Value powers = b.call("power", {b.call("abs", {x}), b.scalar(b.dtype(x), p)});
  return {b.call("power", {b.fold("sum", powers, axes, true), b.scalar(b.dtype(x), 1 / p)})};
}

}  // namespace

OperatorFamily pool_family() {
  return {{"MaxPool", max_pool},
          {"AveragePool", rounded_once(average_pool)},
          {"LpPool", rounded_once(lp_pool)},
          {"GlobalMaxPool", global("max", "global_max_pool2d")},
          {"GlobalAveragePool", global("mean", "global_avg_pool2d")},
          {"GlobalLpPool", rounded_once(global_lp_pool)},
          {"com.microsoft.QLinearAveragePool", average_pool_of_integers}};
}

}  // namespace vantage::onnx_models
