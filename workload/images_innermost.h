// Convolutions of images that lie innermost, so that neighbouring threads of a GPU touch neighbouring elements.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
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

// One result, by its number in order, summed in double; operands have the shapes above.
double conv2d_element(const ImagesInnermost& layer, const Tensor& images, const Tensor& weights, int64_t element);

}  // namespace vantage::workload
