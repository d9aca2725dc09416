// Well-known libraries as devices, to compare what the compiler makes with.
#pragma once

#include "base/shape/conv2d.h"
#include "base/shape/matmul.h"
#include "driver/device/processor.h"

namespace vantage::driver {

// Floats give floats of the same type, int8 gives int32. Kernels must not outlive their library.
class Library : public Processor {
 public:
  // "openblas:" or "onednn:", on so many threads; 0: all. Throws Error for other URIs.
  static std::unique_ptr<Library> open(std::string_view uri, int threads = 0);

  // Whether it multiplies operands of this type.
  virtual bool has(DType dtype) const = 0;
  // On tensors {A, B, C}. Throws Error for what the library does not have.
  virtual Kernel matmul(const MatmulShape& shape) = 0;
  // On tensors {A, C} of images [batch][height][width][channels]. The weights, [out channels][in channels][kernel
  // rows][kernel columns] of the images' type, are brought into the library's own layout here, once.
  virtual Kernel conv2d(const Conv2dShape& shape, const Tensor& weights) = 0;

 protected:
  using Processor::Processor;
};

std::unique_ptr<Library> open_openblas(int threads);
std::unique_ptr<Library> open_onednn(int threads);

}  // namespace vantage::driver
