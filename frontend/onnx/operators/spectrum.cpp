// Fourier transforms, as products with matrices that are known as the file is read, and the windows that go with them.
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/rounded_once.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace {

struct Transform {
  int64_t length;  // of the whole period
  bool is_inverse,
      is_sided;  // only the half that says all about real numbers, of what comes out; of the inverse, goes in

  // Frequencies of which there are so many, or numbers that they stand for.
  int64_t half() const { return length / 2 + 1; }
  int64_t taken() const { return is_inverse && is_sided ? half() : length; }
  int64_t made() const { return !is_inverse && is_sided ? half() : length; }
};

// What number `from`, with its real (0) or imaginary part, adds to that part of number `to`.
double share(const Transform& t, int64_t from, bool of_imaginary, int64_t to, bool to_imaginary) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(from * to % t.length) / static_cast<double>(t.length);
  const double turned = t.is_inverse ? angle : -angle;
  double value = of_imaginary == to_imaginary ? std::cos(turned) : to_imaginary ? std::sin(turned) : -std::sin(turned);
  if (!t.is_inverse) return value;
  value /= static_cast<double>(t.length);
  // Of the half that is not there each number is another one's mirror.
  const bool is_own_mirror = from == 0 || 2 * from == t.length;
  return t.is_sided && !is_own_mirror ? 2 * value : value;
}

// Along an axis of x, whose last axis has real parts, or these and imaginary ones.
Value transformed(Builder& b, Value x, size_t axis, const Transform& t) {
  const DType dtype = b.dtype(x);
  const size_t last = b.shape(x).size() - 1;
  const int64_t parts = b.shape(x)[last];
  if (axis == last || parts < 1 || parts > 2) {
    fail("it transforms axis {} of {}, expected numbers of one or two parts along the last axis", axis,
         describe(b.type(x)));
  }
  if (t.length < 1 || t.length > INT32_MAX) fail("its length is {}", t.length);
  Integers order;
  for (size_t d = 0; d < last; ++d) {
    if (d != axis) order.push_back(static_cast<int64_t>(d));
  }
  order.push_back(static_cast<int64_t>(axis));
  order.push_back(static_cast<int64_t>(last));
  Integers back(order.size());
  for (size_t d = 0; d < order.size(); ++d) back[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
  x = b.transpose(x, order);
  // What is too much is left out, and what is missing is 0.
  Tensor::Shape shape = b.shape(x);
  const int64_t there = shape[last - 1], rows = there * parts, made_parts = t.is_inverse && t.is_sided ? 1 : 2;
  Tensor matrix = b.blank(dtype, {rows, t.made() * made_parts});
  for (int64_t e = 0; e < matrix.size(); ++e) {
    const int64_t row = e / (t.made() * made_parts), column = e % (t.made() * made_parts);
    if (row / parts >= t.taken()) continue;
    matrix.set_number(e, share(t, row / parts, row % parts != 0, column / made_parts, column % made_parts != 0));
  }
  const Value flat = b.reshape(x, {b.type(x).size() / std::max<int64_t>(rows, 1), rows});
  const Value product = b.call("matmul", {flat, b.constant(std::move(matrix))});
  shape[last - 1] = t.made();
  shape[last] = made_parts;
  return b.transpose(b.reshape(product, shape), back);
}

std::vector<Value> fourier(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const bool is_old = node.version() < 20;
  const int64_t given = is_old ? node.integer("axis", 1) : node.has(2) ? node.integer(2, "axis") : -2;
  const size_t axis = node.axis(given, b.rank(x));
  Transform t{b.shape(x)[axis], node.integer("inverse", 0) != 0, node.integer("onesided", 0) != 0};
  if (t.is_inverse && t.is_sided) t.length = 2 * (t.length - 1);
  if (node.has(1)) t.length = node.integer(1, "length");
  return {transformed(b, x, axis, t)};
}

// Of parts of a signal, [batch, places, parts], one after another: [batch, frames, frequencies, parts].
std::vector<Value> short_time_fourier(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  if (b.rank(x) != 3) fail("its signal is {}, expected [batch, places, parts]", describe(b.type(x)));
  const int64_t step = node.integer(1, "step of frames"), places = b.shape(x)[1];
  int64_t length = places;
  if (node.has(2)) length = b.type(node.input(2)).size();
  if (node.has(3)) length = node.integer(3, "length of frames");
  if (step < 1 || length < 1 || length > places) fail("it takes frames of {} each {} of {}", length, step, places);
  const int64_t frames = (places - length) / step + 1;
  const Value taken = b.pick(x, 1, frames * length, [&](int64_t i) { return i / length * step + i % length; });
  Value y = b.reshape(taken, {b.shape(x)[0], frames, length, b.shape(x)[2]});
  if (node.has(2)) y = b.multiply(y, b.reshape(b.cast(node.input(2), b.dtype(x)), {length, 1}));
  return {transformed(b, y, 2, {length, false, node.integer("onesided", 1) != 0})};
}

// Sums of cosines: `shares` of those with no wave, one, and two in a window.
ImportOperator window(const std::array<double, 3>& shares) {
  return [shares](const Node& node) {
    Builder& b = node.builder();
    const int64_t size = node.integer(0, "size"), apart = node.integer("periodic", 1) != 0 ? size : size - 1;
    Tensor values = b.blank(dtype_of(node.integer("output_datatype", 1)), {size});
    for (int64_t i = 0; i < size; ++i) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(std::max<int64_t>(apart, 1));
      values.set_number(i, shares[0] + shares[1] * std::cos(angle) + shares[2] * std::cos(2 * angle));
    }
    return std::vector{b.constant(std::move(values))};
  };
}

}  // namespace

OperatorFamily spectrum_family() {
  return {{"DFT", rounded_once(fourier)},
          {"STFT", rounded_once(short_time_fourier)},
          {"HannWindow", window({0.5, -0.5, 0})},
          {"HammingWindow", window({25.0 / 46, -21.0 / 46, 0})},
          {"BlackmanWindow", window({0.42, -0.5, 0.08})}};
}

}  // namespace vantage::onnx_models
