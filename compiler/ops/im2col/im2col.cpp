#include "compiler/ops/im2col/im2col.h"

#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;

Window window(const OperatorCall& call) {
  const Integers& kernel = call.attributes.integers("kernel");
  require_rank(call.inputs[0], 4, "x", "[n, c, h, w]: images");
  require_integers(kernel, 2, 1, "kernel");
  return window_of(call.attributes, call.inputs[0].shape, kernel[0], kernel[1]);
}

}  // namespace

Operator im2col_operator() {
  Operator op;
  op.name = "im2col";
  op.meaning = "what a kernel sees at each of its places, as channels: [n, c * rows * columns, places]";
  op.inputs = {{"x", "[n, c, h, w]: images"}};
  op.attributes = {{.name = "kernel", .meaning = "rows and columns", .standard = Integers{}, .is_required = true}};
  for (AttributeField& field : window_fields()) op.attributes.push_back(std::move(field));
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    const Window w = window(call);
    const TensorType& x = call.inputs[0];
    return std::vector{TensorType{
        x.dtype, {x.shape[0], x.shape[1] * w.rows.kernel * w.columns.kernel, w.rows.count(), w.columns.count()}}};
  };
  op.define = [infer = op.infer](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Window w = window(call);
    const int64_t kernel = w.rows.kernel * w.columns.kernel;
    const bool is_padded = w.rows.before + w.rows.after + w.columns.before + w.columns.after > 0;
    return std::vector{te::compute(
        sizes(infer(call)[0].shape),
        [&](Expr n, Expr c, Expr y, Expr z) {
          const Expr row = y * w.rows.stride - w.rows.before +
                           ir::floor_mod(ir::floor_div(c, w.columns.kernel), w.rows.kernel) * w.rows.dilation;
          const Expr column =
              z * w.columns.stride - w.columns.before + ir::floor_mod(c, w.columns.kernel) * w.columns.dilation;
          const Expr value = in[0](n, ir::floor_div(c, kernel), row, column);
          if (!is_padded) return value;
          const Expr inside = row >= 0 && row < w.rows.size && column >= 0 && column < w.columns.size;
          return te::if_then_else(inside, value, ir::make_const(value.dtype(), 0));
        },
        "im2col")};
  };
  op.reference = [infer = op.infer](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Window w = window(call);
    const Tensor& x = *in[0];
    const TensorType type = infer(call)[0];
    Tensor y(type.dtype, type.shape);
    int64_t to = 0;
    for (int64_t plane = 0; plane < x.extent(0) * x.extent(1); ++plane) {
      for (int64_t kh = 0; kh < w.rows.kernel; ++kh) {
        for (int64_t kw = 0; kw < w.columns.kernel; ++kw) {
          for (int64_t i = 0; i < w.rows.count(); ++i) {
            for (int64_t j = 0; j < w.columns.count(); ++j, ++to) {
              const int64_t row = i * w.rows.stride - w.rows.before + kh * w.rows.dilation;
              const int64_t column = j * w.columns.stride - w.columns.before + kw * w.columns.dilation;
              if (row < 0 || row >= w.rows.size || column < 0 || column >= w.columns.size) continue;
              y.set(to, x.get((plane * w.rows.size + row) * w.columns.size + column));
            }
          }
        }
      }
    }
    return std::vector{std::move(y)};
  };
  return op;
}

}  // namespace vantage::ops
