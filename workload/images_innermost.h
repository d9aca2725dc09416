// Convolutions of images that lie innermost, so that neighbouring threads of a GPU touch neighbouring elements.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/tensor/tensor.h"
#include "compiler/ir/prim_func.h"

namespace vantage::workload {

// Square images, [size][size][channels][batch], and square kernels, [kernel][kernel][channels][outputs], of an odd
// number of pixels; as many pixels of zeros around images as keep their size: [size][size][outputs][batch] results.
struct ImagesInnermost {
  int64_t size, channels, outputs, batch, kernel;

  // Additions and multiplications.
  int64_t operations() const { return 2 * size * size * batch * outputs * channels * kernel * kernel; }
};

// A function of images A and weights W, of this type, and results of the other one; sums are of float32.
ir::PrimFunc conv2d(const ImagesInnermost& layer, DType operands, DType results, const std::string& name);

// Looks at 512 results, the same ones every time: the first that is not the sum of the products, in double, rounded to
// the type of the results; nothing where there is none. Tensors have the shapes above, and numbers are not far above 1.
std::optional<std::string> wrong_element(const ImagesInnermost& layer, const Tensor& images, const Tensor& weights,
                                         const Tensor& results);

}  // namespace vantage::workload
