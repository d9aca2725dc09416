#include "driver/cuda/library_call.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "base/tensor/tensor.h"

namespace vantage::driver {

namespace {

native::Parameter parameter(const char* name, DType dtype, const Tensor::Shape& shape) {
  native::Parameter p;
  p.name = name;
  p.dtype = dl_dtype(dtype);
  p.is_tensor = true;
  p.alignment = 16;  // of which their fastest kernels are
  for (size_t d = 0; d < shape.size(); ++d) {
    p.shape.push_back(std::to_string(shape[d]));
    const auto inner = shape.begin() + static_cast<std::ptrdiff_t>(d) + 1;
    p.strides.push_back(std::to_string(std::accumulate(inner, shape.end(), int64_t{1}, std::multiplies())));
  }
  return p;
}

native::Signature signature_of(const MatmulShape& s) {
  const auto matrix = [&](int64_t rows, int64_t columns, bool transposed) {
    Tensor::Shape sizes = transposed ? Tensor::Shape{columns, rows} : Tensor::Shape{rows, columns};
    if (s.batch) sizes.insert(sizes.begin(), *s.batch);
    return sizes;
  };
  return {
      "matmul",
      {parameter("A", s.dtype, matrix(s.m, s.k, s.transpose_a)),
       parameter("B", s.dtype, matrix(s.k, s.n, s.transpose_b)), parameter("C", s.result(), matrix(s.m, s.n, false))}};
}

native::Signature signature_of(const Convolution& c) {
  const Conv2dShape& s = c.shape;
  return {"conv2d",
          {parameter("A", c.dtype, {s.batch, s.height, s.width, s.in_channels}),
           parameter("W", c.dtype, {s.out_channels, s.kernel_h, s.kernel_w, s.in_channels}),
           parameter("C", c.dtype, {s.batch, s.out_height(), s.out_width(), s.out_channels})}};
}

}  // namespace

native::Signature signature_of(const LibraryCall& call) {
  native::Signature signature = std::visit([](const auto& work) { return signature_of(work); }, call.work);
  signature.parameters.back().is_written = true;
  return signature;
}

void require_library_type(const std::string& library, const std::vector<DType>& types, DType dtype) {
  if (std::find(types.begin(), types.end(), dtype) != types.end()) return;
  std::vector<std::string> names;
  for (const DType known : types) names.push_back(name(known));
  fail("{}: it multiplies operands of {}, not of {}", library, fmt::join(names, " and "), name(dtype));
}

}  // namespace vantage::driver
