// Well-known libraries as devices, to compare what the compiler makes with.
#pragma once

#include "driver/device/processor.h"

namespace vantage::driver {

// A is [m, k], or [k, m] when transposed; B is [k, n], or [n, k]; C is [m, n]; with a batch, all have it in front.
struct MatmulProblem {
  int64_t m = 1, n = 1, k = 1;
  DLDataType dtype{kDLFloat, 32, 1};
  bool transpose_a = false, transpose_b = false;
  int64_t batch = 1;
};

// Images are [batch][height][width][channels], weights [out channels][in channels][kernel rows][kernel columns].
struct ConvProblem {
  int64_t batch = 1, in_channels = 1, height = 1, width = 1;
  int64_t out_channels = 1, kernel_h = 1, kernel_w = 1, stride = 1, pad = 0;
  DLDataType dtype{kDLFloat, 32, 1};

  int64_t out_height() const { return (height + 2 * pad - kernel_h) / stride + 1; }
  int64_t out_width() const { return (width + 2 * pad - kernel_w) / stride + 1; }
};

// Floats give floats of the same type, int8 gives int32. Kernels must not outlive their library.
class Library : public Processor {
 public:
  // "openblas:" or "onednn:", on so many threads; 0: all. Throws Error for other URIs.
  static std::unique_ptr<Library> open(std::string_view uri, int threads = 0);

  // Whether it multiplies operands of this type.
  virtual bool has(DLDataType dtype) const = 0;
  // On tensors {A, B, C}. Throws Error for what the library does not have.
  virtual Kernel matmul(const MatmulProblem& problem) = 0;
  // On tensors {A, C}; the weights are brought into the library's own layout here, once.
  virtual Kernel conv2d(const ConvProblem& problem, const DLTensor& weights) = 0;

 protected:
  using Processor::Processor;
};

std::unique_ptr<Library> open_openblas(int threads);
std::unique_ptr<Library> open_onednn(int threads);

}  // namespace vantage::driver
