#include "workload/images_innermost.h"

#include "compiler/te/te.h"

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

ir::PrimFunc conv2d(const ImagesInnermost& p, DType operands, DType results, const std::string& name) {
  const int64_t pad = p.kernel / 2;
  const te::Tensor a = te::placeholder({p.size, p.size, p.channels, p.batch}, operands, "A"),
                   w = te::placeholder({p.kernel, p.kernel, p.channels, p.outputs}, operands, "W");
  const te::Tensor padded = te::compute(
      {p.size + 2 * pad, p.size + 2 * pad, p.channels, p.batch},
      [&](te::Expr y, te::Expr x, te::Expr c, te::Expr n) {
        const te::Expr inside = y >= pad && y < p.size + pad && x >= pad && x < p.size + pad;
        return te::if_then_else(inside, a(y - pad, x - pad, c, n), ir::make_zero(operands));
      },
      "padded");
  const te::ReduceAxis c = te::reduce_axis(p.channels, "c"), ky = te::reduce_axis(p.kernel, "ky"),
                       kx = te::reduce_axis(p.kernel, "kx");
  const te::Tensor sums = te::compute(
      {p.size, p.size, p.outputs, p.batch},
      [&](te::Expr y, te::Expr x, te::Expr o, te::Expr n) {
        return te::sum(cast(kFloat32, w(ky, kx, c, o)) * cast(kFloat32, padded(y + ky, x + kx, c, n)), {c, ky, kx});
      },
      "sums");
  if (results == kFloat32) return te::create_prim_func({a, w, sums}, name);
  const te::Tensor rounded = te::compute(
      {p.size, p.size, p.outputs, p.batch},
      [&](te::Expr y, te::Expr x, te::Expr o, te::Expr n) { return cast(results, sums(y, x, o, n)); }, "rounded");
  return te::create_prim_func({a, w, rounded}, name);
}

}  // namespace vantage::workload
