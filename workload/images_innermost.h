// Convolutions of images that lie innermost, so that neighbouring threads of a GPU touch neighbouring elements.
#pragma once

#include <cstdint>

#include "base/tensor/tensor.h"

namespace vantage::workload {

// Square images, [size][size][channels][batch], and square kernels, [kernel][kernel][channels][outputs], of an odd
// number of pixels; as many pixels of zeros around images as keep their size: [size][size][outputs][batch] results.
struct ImagesInnermost {
  int64_t size, channels, outputs, batch, kernel;

  // Additions and multiplications.
  int64_t operations() const { return 2 * size * size * batch * outputs * channels * kernel * kernel; }
};

// One element of the result, by its number in order, summed in double.
double conv2d_element(const ImagesInnermost& layer, const Tensor& images, const Tensor& weights, int64_t element);

}  // namespace vantage::workload
