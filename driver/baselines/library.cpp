#include "driver/baselines/library.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/suggest.h"
#include "driver/processor/loaded_call.h"

namespace vantage::driver {

namespace {

struct Expected {
  std::string name;
  DType dtype;
  Tensor::Shape shape;
};

void require_fit(const std::string& uri, const Expected& expected, const Tensor& got) {
  if (got.dtype() == expected.dtype && got.shape() == expected.shape && got.is_dense()) return;
  fail("{} the tensor {} is {}[{}]{}, expected {}[{}]", uri, expected.name, name(got.dtype()),
       fmt::join(got.shape(), ", "), got.is_dense() ? "" : " with strides of its own", name(expected.dtype),
       fmt::join(expected.shape, ", "));
}

// Where their elements are.
std::vector<void*> operands_of(const std::string& uri, const std::vector<Expected>& expected,
                               const std::vector<const DLTensor*>& tensors) {
  if (tensors.size() != expected.size()) {
    fail("{} {} tensors were given, expected {}", uri, tensors.size(), expected.size());
  }
  std::vector<void*> operands;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] == nullptr || tensors[i]->data == nullptr) fail("{} the tensor {} is null", uri, expected[i].name);
    const Tensor tensor = Tensor::borrow(*tensors[i]);
    require_fit(uri, expected[i], tensor);
    operands.push_back(tensor.dl().data);
  }
  return operands;
}

}  // namespace

std::unique_ptr<Library> Library::open(std::string_view uri, int threads) {
  if (uri == "openblas:") return open_openblas(threads);
  if (uri == "onednn:") return open_onednn(threads);
  const std::array<std::string, 2> known = {"openblas:", "onednn:"};
  fail("target '{}' is no library{}", uri, did_you_mean(uri, known));
}

bool Library::has(DType dtype) const {
  const std::vector<DType> all = types();
  return std::find(all.begin(), all.end(), dtype) != all.end();
}

void Library::require_type(DType dtype) const {
  if (has(dtype)) return;
  std::vector<std::string> names;
  for (const DType known : types()) names.push_back(name(known));
  fail("{} multiplies operands of {}, not of {}", uri(), fmt::join(names, " and "), name(dtype));
}

std::unique_ptr<Loaded> Library::matmul(const MatmulShape& shape, const std::vector<const DLTensor*>& tensors) {
  require_type(shape.dtype);
  const auto matrix = [&](int64_t rows, int64_t columns, bool transposed) {
    Tensor::Shape sizes = transposed ? Tensor::Shape{columns, rows} : Tensor::Shape{rows, columns};
    if (shape.batch) sizes.insert(sizes.begin(), *shape.batch);
    return sizes;
  };
  return load_call(matmul_call(shape, operands_of(uri(),
                                                  {{"A", shape.dtype, matrix(shape.m, shape.k, shape.transpose_a)},
                                                   {"B", shape.dtype, matrix(shape.k, shape.n, shape.transpose_b)},
                                                   {"C", shape.result(), matrix(shape.m, shape.n, false)}},
                                                  tensors)));
}

std::unique_ptr<Loaded> Library::conv2d(const Conv2dShape& shape, const Tensor& weights,
                                        const std::vector<const DLTensor*>& tensors) {
  const DType dtype = weights.dtype(), result = dtype == kInt8 ? kInt32 : dtype;
  require_type(dtype);
  require_fit(uri(), {"of the weights", dtype, {shape.out_channels, shape.in_channels, shape.kernel_h, shape.kernel_w}},
              weights);
  return load_call(
      conv2d_call(shape, weights,
                  operands_of(uri(),
                              {{"A", dtype, {shape.batch, shape.height, shape.width, shape.in_channels}},
                               {"C", result, {shape.batch, shape.out_height(), shape.out_width(), shape.out_channels}}},
                              tensors)));
}

}  // namespace vantage::driver
