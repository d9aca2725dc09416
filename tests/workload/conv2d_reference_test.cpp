#include "workload/conv2d_reference.h"

#include <random>

#include "base/tensor/random.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"

namespace vantage::test::workload_conv2d_reference_test {

using namespace vantage;
using namespace vantage::workload;

namespace {

Tensor tensor_of(Tensor::Shape shape, const std::vector<int64_t>& values) {
  Tensor tensor(kInt32, std::move(shape));
  for (size_t e = 0; e < values.size(); ++e) tensor.set_integer(static_cast<int64_t>(e), values[e]);
  return tensor;
}

}  // namespace

TEST_CASE("sums are those worked out by hand", "[unit]") {
  // One image of two channels, 2 x 3; two kernels of 2 x 2.
  const Conv2dShape shape{
      .batch = 1, .in_channels = 2, .height = 2, .width = 3, .out_channels = 2, .kernel_h = 2, .kernel_w = 2};
  const Tensor inputs = tensor_of({1, 2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Tensor weights = tensor_of({2, 2, 2, 2}, {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, -1});
  CHECK(conv2d_sums(shape, inputs, weights) == tensor_of({1, 1, 2, 2}, {6, 7 + 8 + 10 - 11, 8, 8 + 9 + 11 - 12}));
  // The same in any type.
  for (const DType dtype : {kInt8, kInt16, kInt64}) {
    CHECK(conv2d_sums(shape, inputs.converted(dtype), weights.converted(kInt8)) == conv2d_sums(shape, inputs, weights));
  }
  const Tensor floats = conv2d_sums(shape, inputs.converted(kFloat32), weights.converted(kFloat32));
  CHECK(floats.dtype() == kFloat64);
  CHECK(floats.converted(kInt32) == conv2d_sums(shape, inputs, weights));
  CHECK(conv2d_sums(shape, inputs.converted(kFloat32), weights.converted(kFloat32), nullptr, true).number(1) ==
        7 + 8 + 10 + 11);
  // Zeros around, and steps of two: the corners alone are left.
  const Conv2dShape padded{
      .in_channels = 1, .height = 3, .width = 3, .kernel_h = 3, .kernel_w = 3, .stride = 2, .pad = 1};
  const Tensor ones = tensor_of({1, 1, 3, 3}, std::vector<int64_t>(9, 1));
  uint64_t rows = 0;
  CHECK(conv2d_sums(padded, ones, ones, [&](uint64_t) { ++rows; }) == tensor_of({1, 2, 2, 1}, {4, 4, 4, 4}));
  CHECK(rows == 2);
}

TEST_CASE("a layer adds its bias, wraps at the accumulator's width, shifts and clips", "[unit]") {
  const auto config = test::shipped_config("default");
  const Conv2dShape shape = as_conv2d({.m = 3, .n = 2, .k = 1});
  const Tensor inputs = tensor_of({3, 1}, {100, -100, 3}), weights = tensor_of({2, 1}, {100, -2});
  const ops::Epilogue epilogue{.bias = true, .shift = 1, .clip_min = -5, .clip_max = 100};
  const Tensor bias = tensor_of({1, 2}, {0, 7});
  const Tensor got = conv2d_reference(config, shape, epilogue, inputs, weights, bias);
  CHECK(got.shape() == Tensor::Shape{3, 2, 1, 1});
  CHECK(got.dtype() == kInt8);
  CHECK(got.reshaped({6}).converted(kInt32) == tensor_of({6}, {100, -5, -5, 100, 100, 0}));
  CHECK(finish(INT32_MAX, 1, {.clip_min = -128, .clip_max = 127}) == -128);
  CHECK(finish(127, 1, {.clip_min = -128, .clip_max = 127}, 8) == -128);
  CHECK(finish(-1, 0, {.shift = 3, .clip_min = -128, .clip_max = 127}) == -1);
}

TEST_CASE("the first mismatch is named by its place", "[unit]") {
  Tensor a(kInt8, {2, 3, 4, 5}), b = a;
  CHECK(first_difference(a, b).empty());
  b.set_integer(b.element({1, 2, 3, 4}), 9);
  CHECK(first_difference(a, b) == "first mismatch at image 1, channel 2, row 3, column 4: expected 0, got 9");
  Tensor c(kInt8, {2, 3}), d = c;
  d.set_integer(4, 1);
  CHECK(first_difference(c, d) == "first mismatch at row 1, column 1: expected 0, got 1");
  CHECK(first_difference(c.reshaped({2, 3, 1, 1}), d.reshaped({2, 3, 1, 1})) ==
        "first mismatch at row 1, column 1: expected 0, got 1");
}

}  // namespace vantage::test::workload_conv2d_reference_test
