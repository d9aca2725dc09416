#include "workload/images_innermost.h"

namespace vantage::workload {

double conv2d_element(const ImagesInnermost& c, const Tensor& images, const Tensor& weights, int64_t element) {
  const int64_t n = element % c.batch, o = element / c.batch % c.outputs, x = element / (c.batch * c.outputs) % c.size,
                y = element / (c.batch * c.outputs * c.size), pad = c.kernel / 2;
  double sum = 0;
  for (int64_t ky = 0; ky < c.kernel; ++ky) {
    for (int64_t kx = 0; kx < c.kernel; ++kx) {
      const int64_t row = y + ky - pad, column = x + kx - pad;
      if (row < 0 || row >= c.size || column < 0 || column >= c.size) continue;
      for (int64_t channel = 0; channel < c.channels; ++channel) {
        sum += images.number(((row * c.size + column) * c.channels + channel) * c.batch + n) *
               weights.number(((ky * c.kernel + kx) * c.channels + channel) * c.outputs + o);
      }
    }
  }
  return sum;
}

}  // namespace vantage::workload
