// Well-known libraries as devices, to compare what the compiler makes with.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/shape/conv2d.h"
#include "base/shape/matmul.h"
#include "base/tensor/tensor.h"
#include "driver/processor/processor.h"

namespace vantage::driver {

// Floats give floats of the same type, int8 gives int32. What is loaded takes tensors in host memory, row-major without
// gaps, which must outlive it, as must the library; how it runs says driver/processor/loaded_call.h.
class Library : public Processor {
 public:
  // "openblas:" or "onednn:", on so many threads; 0: all. Throws Error for other URIs.
  static std::unique_ptr<Library> open(std::string_view uri, int threads = 0);

  // The types of operands that it multiplies on this machine: those whose sums it forms without loss.
  virtual std::vector<DType> types() const = 0;
  bool has(DType dtype) const;

  // On tensors {A, B, C} of the shapes that MatmulShape tells. Throws Error for what the library does not have, and for
  // tensors of other types or shapes.
  std::unique_ptr<Loaded> matmul(const MatmulShape& shape, const std::vector<const DLTensor*>& tensors);
  // On tensors {A, C} of images [batch][height][width][channels]. The weights, [out channels][in channels][kernel
  // rows][kernel columns] of the images' type, are brought into the library's own layout here, once. Throws Error like
  // matmul().
  std::unique_ptr<Loaded> conv2d(const Conv2dShape& shape, const Tensor& weights,
                                 const std::vector<const DLTensor*>& tensors);

 protected:
  using Processor::Processor;

  // The first elements of the tensors of a call, in order.
  using Operands = std::vector<void*>;
  // What matmul() and conv2d() load, once the library has the type and the tensors fit: a call, ready to be repeated.
  virtual std::function<void()> matmul_call(const MatmulShape& shape, const Operands& operands) = 0;
  virtual std::function<void()> conv2d_call(const Conv2dShape& shape, const Tensor& weights,
                                            const Operands& operands) = 0;

 private:
  void require_type(DType dtype) const;
};

std::unique_ptr<Library> open_openblas(int threads);
std::unique_ptr<Library> open_onednn(int threads);

}  // namespace vantage::driver
