#include "driver/baselines/library.h"

#include "driver/processor/resident_tensor.h"
#include "tests/catch.h"

namespace vantage::test::driver_baselines_library_test {

using namespace vantage;
using namespace vantage::driver;

namespace {

Tensor matrix(int64_t rows, int64_t columns, const std::vector<float>& values) {
  Tensor tensor(kFloat32, {rows, columns});
  std::copy(values.begin(), values.end(), tensor.values<float>().begin());
  return tensor;
}

}  // namespace

TEST_CASE("libraries multiply matrices in every layout", "[unit]") {
  for (const char* uri : {"openblas:", "onednn:"}) {
    const auto library = Library::open(uri, 1);
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        INFO(uri << ta << tb);
        // [[1 2 3] [4 5 6]] . [[1 2] [3 4] [5 6]]
        const ResidentTensor a(*library, ta ? matrix(3, 2, {1, 4, 2, 5, 3, 6}) : matrix(2, 3, {1, 2, 3, 4, 5, 6}));
        const ResidentTensor b(*library, tb ? matrix(2, 3, {1, 3, 5, 2, 4, 6}) : matrix(3, 2, {1, 2, 3, 4, 5, 6}));
        const ResidentTensor c(*library, kFloat32, {2, 2});
        const MatmulShape shape{.m = 2, .n = 2, .k = 3, .transpose_a = ta, .transpose_b = tb};
        const auto loaded = library->matmul(shape, {a.tensor(), b.tensor(), c.tensor()});
        CHECK(c.read() == Tensor(kFloat32, {2, 2}));  // not before it runs
        CHECK(loaded->run().ok());
        CHECK(c.read() == matrix(2, 2, {22, 28, 49, 64}));
      }
    }
    CHECK_THAT(ERROR_OF(library->matmul({.dtype = kFloat64}, {})), ContainsSubstring("not of float64"));
  }
  CHECK_THAT(ERROR_OF(Library::open("onednm:")), ContainsSubstring("did you mean 'onednn:'?"));
}

TEST_CASE("libraries convolve images", "[unit]") {
  // A kernel of 2x1 pixels over an image of 3x2 with two channels, to one: sums of what lies below each other.
  const Conv2dShape shape{.in_channels = 2, .height = 3, .width = 2, .kernel_h = 2, .kernel_w = 1};
  for (const char* uri : {"openblas:", "onednn:"}) {
    INFO(uri);
    const auto library = Library::open(uri, 1);
    const ResidentTensor a(*library, matrix(6, 2, {1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60}).reshaped({1, 3, 2, 2}));
    const ResidentTensor c(*library, kFloat32, {1, 2, 2, 1});
    const Tensor ones = matrix(2, 2, {1, 1, 1, 1}).reshaped({1, 2, 2, 1});
    const auto loaded = library->conv2d(shape, ones, {a.tensor(), c.tensor()});
    for (int i = 0; i < 2; ++i) CHECK(loaded->run().ok());
    CHECK(c.read() == matrix(4, 1, {44, 66, 88, 110}).reshaped({1, 2, 2, 1}));
    CHECK(ERROR_OF(library->conv2d(shape, ones.reshaped({1, 2, 1, 2}), {a.tensor(), c.tensor()})) ==
          std::string(uri) + " the tensor of the weights is float32[1, 2, 1, 2], expected float32[1, 2, 2, 1]");
  }
}

TEST_CASE("a library that multiplies bytes does so without loss", "[unit]") {
  // Sums of pairs of products that no 16 bits hold.
  const int64_t k = 96;
  Tensor low(kInt8, {2, k}), high(kInt8, {k, 2});
  std::fill(low.values<int8_t>().begin(), low.values<int8_t>().end(), -128);
  std::fill(high.values<int8_t>().begin(), high.values<int8_t>().end(), 127);
  for (const char* uri : {"openblas:", "onednn:"}) {
    INFO(uri);
    const auto library = Library::open(uri, 1);
    if (!library->has(kInt8)) continue;
    Tensor expected(kInt32, {2, 2});
    std::fill(expected.values<int32_t>().begin(), expected.values<int32_t>().end(), -128 * 127 * k);
    const ResidentTensor a(*library, low), b(*library, high), c(*library, kInt32, {2, 2});
    library->matmul({.m = 2, .n = 2, .k = k, .dtype = kInt8}, {a.tensor(), b.tensor(), c.tensor()})->run();
    CHECK(c.read() == expected);

    const Conv2dShape shape{.in_channels = k, .height = 2, .width = 1, .out_channels = 2};
    const ResidentTensor images(*library, low.reshaped({1, 2, 1, k})), sums(*library, kInt32, {1, 2, 1, 2});
    library->conv2d(shape, high.reshaped({2, k, 1, 1}), {images.tensor(), sums.tensor()})->run();
    CHECK(sums.read() == expected.reshaped({1, 2, 1, 2}));
  }
}

TEST_CASE("a library refuses tensors that do not fit when it is bound to them", "[unit]") {
  const auto library = Library::open("openblas:", 1);
  const ResidentTensor a(*library, kFloat32, {2, 3}), b(*library, kFloat32, {3, 2}), c(*library, kFloat32, {2, 2});
  const MatmulShape shape{.m = 2, .n = 2, .k = 3};
  CHECK(ERROR_OF(library->matmul(shape, {a.tensor(), b.tensor()})) == "openblas: 2 tensors were given, expected 3");
  CHECK(ERROR_OF(library->matmul(shape, {a.tensor(), nullptr, c.tensor()})) == "openblas: the tensor B is null");
  CHECK(ERROR_OF(library->matmul(shape, {a.tensor(), a.tensor(), c.tensor()})) ==
        "openblas: the tensor B is float32[2, 3], expected float32[3, 2]");
  const ResidentTensor words(*library, kInt32, {2, 2});
  CHECK(ERROR_OF(library->matmul(shape, {a.tensor(), b.tensor(), words.tensor()})) ==
        "openblas: the tensor C is int32[2, 2], expected float32[2, 2]");
  const Tensor columns(kFloat32, {3, 2}, {1, 3});
  const DLTensor strided = columns.dl();
  CHECK(ERROR_OF(library->matmul(shape, {a.tensor(), &strided, c.tensor()})) ==
        "openblas: the tensor B is float32[3, 2] with strides of its own, expected float32[3, 2]");
}

}  // namespace vantage::test::driver_baselines_library_test
