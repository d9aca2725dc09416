// NVIDIA's libraries on a GPU against plain loops: operand order, leading dimensions, layouts, types, and how they
// round. On the machine's own GPU where there is one.
#include "driver/cuda/gpu_library.h"

#include <random>

#include "driver/cuda/gpu_tensor.h"
#include "tests/catch.h"
#include "tests/driver/cuda/some_gpu.h"
#include "tests/support/effort.h"

namespace vantage::test::driver_cuda_gpu_library_test {

using namespace vantage;
using namespace vantage::driver;
using Catch::Matchers::StartsWith;
using vantage::Tensor;

namespace {

using Random = std::mt19937_64;

int64_t draw(Random& random, int64_t from, int64_t to) {
  return std::uniform_int_distribution<int64_t>(from, to)(random);
}

// Small numbers, whose sums are rounded once if at all.
Tensor numbers(DType dtype, const Tensor::Shape& shape, Random& random) {
  Tensor tensor(dtype, shape);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const int64_t value = draw(random, -3, 3);
    dtype.is_float() ? tensor.set_number(i, static_cast<double>(value)) : tensor.set_integer(i, value);
  }
  return tensor;
}

int64_t integer(const Tensor& tensor, int64_t i) {
  return tensor.dtype().is_float() ? static_cast<int64_t>(tensor.number(i)) : tensor.integer(i);
}

void set_integer(Tensor& tensor, int64_t i, int64_t value) {
  tensor.dtype().is_float() ? tensor.set_number(i, static_cast<double>(value)) : tensor.set_integer(i, value);
}

Tensor::Shape with_batch(const MatmulShape& s, int64_t rows, int64_t columns) {
  return s.batch ? Tensor::Shape{*s.batch, rows, columns} : Tensor::Shape{rows, columns};
}

Tensor product(const MatmulShape& s, const Tensor& a, const Tensor& b) {
  Tensor c(s.result(), with_batch(s, s.m, s.n));
  for (int64_t i = 0; i < c.size(); ++i) {
    const int64_t column = i % s.n, row = i / s.n % s.m, matrix = i / s.n / s.m;
    int64_t sum = 0;
    for (int64_t k = 0; k < s.k; ++k) {
      const int64_t at = matrix * s.m * s.k + (s.transpose_a ? k * s.m + row : row * s.k + k);
      const int64_t bt = matrix * s.k * s.n + (s.transpose_b ? column * s.k + k : k * s.n + column);
      sum += integer(a, at) * integer(b, bt);
    }
    set_integer(c, i, sum);
  }
  return c;
}

Tensor convolution(const Conv2dShape& s, const Tensor& images, const Tensor& weights) {
  Tensor c(images.dtype(), {s.batch, s.out_height(), s.out_width(), s.out_channels});
  for (int64_t i = 0; i < c.size(); ++i) {
    const int64_t o = i % s.out_channels, column = i / s.out_channels % s.out_width();
    const int64_t row = i / s.out_channels / s.out_width() % s.out_height();
    const int64_t n = i / s.out_channels / s.out_width() / s.out_height();
    int64_t sum = 0;
    for (int64_t k = 0; k < s.in_channels * s.kernel_h * s.kernel_w; ++k) {
      const int64_t kw = k % s.kernel_w, kh = k / s.kernel_w % s.kernel_h, channel = k / s.kernel_w / s.kernel_h;
      const int64_t y = row * s.stride.rows + kh * s.dilation.rows - s.pad.top;
      const int64_t x = column * s.stride.columns + kw * s.dilation.columns - s.pad.left;
      if (y < 0 || y >= s.height || x < 0 || x >= s.width) continue;
      sum += integer(images, ((n * s.height + y) * s.width + x) * s.in_channels + channel) *
             integer(weights, ((o * s.in_channels + channel) * s.kernel_h + kh) * s.kernel_w + kw);
    }
    set_integer(c, i, sum);
  }
  return c;
}

Tensor matrix(DType dtype, int64_t rows, int64_t columns, double value) {
  Tensor tensor(dtype, {rows, columns});
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.set_number(i, value);
  return tensor;
}

}  // namespace

TEST_CASE("cuBLAS multiplies matrices of every type in every layout", "[unit][property]") {
  Random random(20261127);
  const auto library = GpuLibrary::open("cublas:", some_library("cublas:"));
  CHECK(library->uri() == "cublas:");
  CHECK(library->types() == std::vector<DType>{kFloat32, kFloat16, kBFloat16, kInt8});
  for (int round = 0; round < test::rounds(60); ++round) {
    MatmulShape s;
    s.dtype = library->types()[static_cast<size_t>(round % 4)];
    s.transpose_a = round / 4 % 2 == 1;
    s.transpose_b = round / 8 % 2 == 1;
    const int64_t unit = s.dtype == kInt8 ? 4 : 1;
    for (int64_t* size : {&s.m, &s.n, &s.k}) *size = unit * draw(random, 1, 40 / unit);
    if (draw(random, 0, 3) == 0) s.batch = draw(random, 1, 3);
    INFO(name(s.dtype) << " " << s.m << "x" << s.k << "x" << s.n << (s.transpose_a ? " A'" : "")
                       << (s.transpose_b ? " B'" : "") << " batch " << s.batch.value_or(0));
    const Tensor a = numbers(s.dtype, s.transpose_a ? with_batch(s, s.k, s.m) : with_batch(s, s.m, s.k), random);
    const Tensor b = numbers(s.dtype, s.transpose_b ? with_batch(s, s.n, s.k) : with_batch(s, s.k, s.n), random);
    const GpuTensor on_a(library->gpu(), a), on_b(library->gpu(), b);
    const GpuTensor on_c(library->gpu(), s.result(), with_batch(s, s.m, s.n));
    const auto loaded = library->matmul(s, {on_a.tensor(), on_b.tensor(), on_c.tensor()});
    CHECK_THAT(loaded->code(), StartsWith("cuBLAS 1"));
    RunResult result;
    try {
      result = loaded->run();
    } catch (const Error& error) {
      // Of int8 some GPUs have only what tensor cores take as it lies.
      if (!test::has_real_gpu() || s.dtype != kInt8 || (!s.transpose_a && s.transpose_b)) throw;
      REQUIRE_THAT(error.what(), ContainsSubstring("CUBLAS_STATUS_NOT_SUPPORTED"));
      continue;
    }
    REQUIRE(result.ok());
    REQUIRE(result.seconds.value() >= 0);
    REQUIRE(on_c.read() == product(s, a, b));
  }
}

TEST_CASE("cuDNN convolves images of every type", "[unit][property]") {
  Random random(20261127);
  const auto library = GpuLibrary::open("cudnn:", some_library("cudnn:"));
  CHECK(library->types() == std::vector<DType>{kFloat32, kFloat16, kBFloat16});
  for (int round = 0; round < test::rounds(40); ++round) {
    const DType dtype = library->types()[static_cast<size_t>(round % 3)];
    Conv2dShape s;
    s.batch = draw(random, 1, 3);
    // Tensor cores take channels by eights.
    const int64_t unit = dtype.is_narrow_float() && round % 2 == 1 ? 8 : 1;
    s.in_channels = unit * draw(random, 1, 8 / unit);
    s.out_channels = unit * draw(random, 1, 16 / unit);
    s.kernel_h = draw(random, 1, 3);
    s.kernel_w = draw(random, 1, 3);
    s.stride = {draw(random, 1, 2), draw(random, 1, 2)};
    s.dilation = {draw(random, 1, 2), draw(random, 1, 2)};
    const int64_t pad_rows = draw(random, 0, 2), pad_columns = draw(random, 0, 2);
    s.pad = {pad_rows, pad_columns, pad_rows, pad_columns};
    s.height = s.reach_h() + draw(random, 0, 6);
    s.width = s.reach_w() + draw(random, 0, 6);
    INFO(name(dtype) << " " << s.batch << "x" << s.in_channels << "x" << s.height << "x" << s.width << " to "
                     << s.out_channels << ", " << s.kernel_h << "x" << s.kernel_w << " stride " << to_string(s.stride)
                     << " pad " << to_string(s.pad) << " dilation " << to_string(s.dilation));
    const Tensor images = numbers(dtype, {s.batch, s.height, s.width, s.in_channels}, random);
    const Tensor weights = numbers(dtype, {s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, random);
    const GpuTensor on_a(library->gpu(), images);
    const GpuTensor on_c(library->gpu(), dtype, {s.batch, s.out_height(), s.out_width(), s.out_channels});
    const auto loaded = library->conv2d(s, weights, {on_a.tensor(), on_c.tensor()});
    CHECK_THAT(loaded->code(), StartsWith("cuDNN ") && ContainsSubstring("GEMM with"));
    REQUIRE(loaded->run().ok());
    REQUIRE(on_c.read() == convolution(s, images, weights));
  }
}

TEST_CASE("products of float32 keep all of their bits, and those of 16 bits are summed in float32", "[unit]") {
  const double fine = 1 + 0x1p-12;  // TF32 has 10 bits behind the point
  const auto cublas = GpuLibrary::open("cublas:", some_library("cublas:"));
  Cuda& gpu = cublas->gpu();
  {
    const GpuTensor a(gpu, matrix(kFloat32, 64, 64, fine)), b(gpu, matrix(kFloat32, 64, 64, 1));
    const GpuTensor c(gpu, kFloat32, {64, 64});
    cublas->matmul({.m = 64, .n = 64, .k = 64}, {a.tensor(), b.tensor(), c.tensor()})->run();
    CHECK(c.read() == matrix(kFloat32, 64, 64, 64 * fine));
  }
  // 2048 + 1 + 1 is 2048 where every sum is rounded to float16.
  Tensor row = matrix(kFloat16, 1, 3, 1);
  row.set_number(0, 2048);
  {
    const GpuTensor a(gpu, row), b(gpu, matrix(kFloat16, 3, 1, 1)), c(gpu, kFloat16, {1, 1});
    cublas->matmul({.k = 3, .dtype = kFloat16}, {a.tensor(), b.tensor(), c.tensor()})->run();
    CHECK(c.read().number(0) == 2050);
  }
  // And so is 256 + 1 + 1 in bfloat16.
  row = matrix(kBFloat16, 1, 3, 1);
  row.set_number(0, 256);
  {
    const GpuTensor a(gpu, row), b(gpu, matrix(kBFloat16, 3, 1, 1)), c(gpu, kBFloat16, {1, 1});
    cublas->matmul({.k = 3, .dtype = kBFloat16}, {a.tensor(), b.tensor(), c.tensor()})->run();
    CHECK(c.read().number(0) == 258);
  }
  const auto cudnn = GpuLibrary::open("cudnn:", some_library("cudnn:"));
  const Conv2dShape shape{.in_channels = 32, .height = 8, .width = 8, .out_channels = 32};
  const GpuTensor a(cudnn->gpu(), matrix(kFloat32, 64, 32, fine).reshaped({1, 8, 8, 32}));
  const GpuTensor c(cudnn->gpu(), kFloat32, {1, 8, 8, 32});
  cudnn->conv2d(shape, matrix(kFloat32, 32, 32, 1).reshaped({32, 32, 1, 1}), {a.tensor(), c.tensor()})->run();
  CHECK(c.read() == matrix(kFloat32, 64, 32, 32 * fine).reshaped({1, 8, 8, 32}));
}

TEST_CASE("a library's call is timed by the GPU's clock", "[unit]") {
  const auto library = GpuLibrary::open("cublas:", some_library("cublas:"));
  const GpuTensor a(library->gpu(), matrix(kFloat32, 8, 8, 1)), c(library->gpu(), kFloat32, {8, 8});
  const auto loaded = library->matmul({.m = 8, .n = 8, .k = 8}, {a.tensor(), a.tensor(), c.tensor()});
  const Timing timing = loaded->time({.number = 3, .repeat = 4});
  CHECK(timing.number == 3);
  CHECK(timing.samples.size() == 4);
  CHECK(timing.min() > 0);
  CHECK(c.read() == matrix(kFloat32, 8, 8, 8));
}

TEST_CASE("a library refuses what it does not do before anything runs", "[unit]") {
  const auto cublas = GpuLibrary::open("cublas:", some_library("cublas:"));
  const auto cudnn = GpuLibrary::open("cudnn:", some_library("cudnn:"));
  CHECK(ERROR_OF(GpuLibrary::open("cublast:")) ==
        "target 'cublast:' is no library of a GPU; there are 'cublas:' and 'cudnn:', and 'cublas:1' on the second GPU");
  CHECK_FALSE(is_gpu_library("cublas:x"));
  CHECK(is_gpu_library("cudnn:1"));
  CHECK(ERROR_OF(cudnn->matmul({}, {})) == "cudnn: convolves images, and multiplies no matrices; 'cublas:' does");
  CHECK(ERROR_OF(cublas->conv2d({}, Tensor(kFloat32, {1, 1, 1, 1}), {})) ==
        "cublas: multiplies matrices, and convolves no images; 'cudnn:' does");
  CHECK(ERROR_OF(cublas->matmul({.dtype = kFloat64}, {})) ==
        "cublas: it multiplies operands of float32 and float16 and bfloat16 and int8, not of float64");
  CHECK(ERROR_OF(cublas->matmul({.m = 4, .n = 4, .k = 70, .dtype = kInt8}, {})) ==
        "cublas: products of int8 have k, n that are multiples of 4, and 70 is none; fill the matrices up with zeros, "
        "or use float16");
  CHECK_THAT(ERROR_OF(cublas->matmul({.m = 6, .n = 4, .k = 4, .dtype = kInt8, .transpose_a = true}, {})),
             ContainsSubstring("k, n and m that are multiples of 4, and 6 is none"));
  CHECK_THAT(ERROR_OF(cublas->matmul({.m = int64_t{1} << 31}, {})), ContainsSubstring("sizes are 1 to 2147483647"));
  const Tensor weights(kFloat32, {1, 1, 1, 1});
  CHECK(ERROR_OF(cudnn->conv2d({.pad = Border(0, 0, 1, 0)}, weights, {})) ==
        "cudnn: a border is as high at the top as at the bottom and as wide left as right, and 0,0,1,0 is not; pad the "
        "images themselves");
  CHECK_THAT(ERROR_OF(cudnn->conv2d({.channelwise = true}, weights, {})), ContainsSubstring("no convolution of cuDNN"));
  CHECK_THAT(ERROR_OF(cudnn->conv2d({}, Tensor(kInt8, {1, 1, 1, 1}), {})),
             ContainsSubstring("cudnn: it multiplies operands of float32 and float16 and bfloat16, not of int8"));
  CHECK(ERROR_OF(cudnn->conv2d({.in_channels = 2}, weights, {})) ==
        "cudnn: the weights are float32[1, 1, 1, 1], expected [1, 2, 1, 1]");
  CHECK(ERROR_OF(cudnn->conv2d({}, weights, {})) == "cudnn: 0 tensors were given, expected 2");
  const GpuTensor a(cublas->gpu(), kFloat32, {2, 3}), c(cublas->gpu(), kFloat32, {2, 2});
  CHECK_THAT(ERROR_OF(cublas->matmul({.m = 2, .n = 2, .k = 3}, {a.tensor(), a.tensor(), c.tensor()})),
             ContainsSubstring("the argument B of matmul has the size 2 in dimension 0, expected 3"));
}

}  // namespace vantage::test::driver_cuda_gpu_library_test
