#include "compiler/ops/layer_norm/layer_norm.h"

#include <cmath>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

// The axes before `first` number the rows, the others their elements.
struct NormRows {
  size_t first;
  Tensor::Shape outer;
  int64_t count = 1;  // of a row's elements

  explicit NormRows(const OperatorCall& call)
      : first(axis_of(call.attributes.integer("axis"), call.inputs[0].shape.size())) {
    const Tensor::Shape& shape = call.inputs[0].shape;
    outer.assign(shape.begin(), shape.begin() + static_cast<ptrdiff_t>(first));
    for (size_t d = first; d < shape.size(); ++d) count *= shape[d];
  }
  std::vector<ReduceAxis> axes(const Tensor::Shape& shape, const std::string& name) const {
    std::vector<ReduceAxis> all;
    for (size_t d = first; d < shape.size(); ++d) all.push_back(te::reduce_axis(shape[d], name + std::to_string(d)));
    return all;
  }
};

// Sums of a row are float32 at least: those of halves are soon larger than any of them.
te::Tensor norm_formula(bool has_mean, const OperatorCall& call, const std::vector<te::Tensor>& in) {
  const te::Tensor& x = in[0];
  const Tensor::Shape& shape = call.inputs[0].shape;
  const NormRows rows(call);
  const DType sums = x.dtype().is_narrow_float() ? kFloat32 : x.dtype();
  const Expr count = ir::make_const(sums, static_cast<double>(rows.count));
  const auto of_row = [&](const std::vector<Var>& i) {
    std::vector<Expr> at = indices(i);
    at.resize(rows.first);
    return at;
  };
  const auto element = [&](const std::vector<Var>& row, const std::vector<ReduceAxis>& axes) {
    std::vector<Expr> at = indices(row);
    at.insert(at.end(), axes.begin(), axes.end());
    return ir::cast(sums, x.at(std::move(at)));
  };
  te::Tensor mean;
  if (has_mean) {
    const std::vector<ReduceAxis> axes = rows.axes(shape, "m");
    const te::Tensor sum = te::compute(
        sizes(rows.outer), [&](const std::vector<Var>& i) { return te::sum(element(i, axes), axes); }, "sum");
    mean = te::map(
        sum, [&](const Expr& s) { return s / count; }, "mean");
  }
  const std::vector<ReduceAxis> axes = rows.axes(shape, "k");
  const te::Tensor squares = te::compute(
      sizes(rows.outer),
      [&](const std::vector<Var>& i) {
        const Expr value = has_mean ? element(i, axes) - mean.at(indices(i)) : element(i, axes);
        return te::sum(value * value, axes);
      },
      "squares");
  const Expr epsilon = ir::make_const(sums, call.attributes.number("epsilon"));
  const te::Tensor scale = te::map(
      squares, [&](const Expr& s) { return ir::make_const(sums, 1) / te::sqrt(s / count + epsilon); }, "scale");
  return te::compute(
      sizes(shape),
      [&](const std::vector<Var>& i) {
        const auto of_elements = [&](const te::Tensor& t) {
          return ir::cast(sums, te::detail::broadcast_at(t, sizes(shape), i));
        };
        Expr value = ir::cast(sums, x.at(indices(i)));
        if (has_mean) value = value - mean.at(of_row(i));
        value = value * scale.at(of_row(i)) * of_elements(in[1]);
        if (in.size() > 2) value = value + of_elements(in[2]);
        return ir::cast(x.dtype(), value);
      },
      has_mean ? "layer_norm" : "rms_norm");
}

Tensor norm_reference(bool has_mean, const OperatorCall& call, const std::vector<const Tensor*>& in) {
  const Tensor& x = *in[0];
  const int64_t count = NormRows(call).count;
  const double epsilon = round_to(x.dtype() == kFloat64 ? kFloat64 : kFloat32, call.attributes.number("epsilon"));
  Tensor y(x.dtype(), x.shape());
  for (int64_t row = 0; row < x.size(); row += count) {
    double mean = 0, squares = 0;
    for (int64_t e = row; has_mean && e < row + count; ++e) mean += x.number(e) / static_cast<double>(count);
    for (int64_t e = row; e < row + count; ++e) squares += (x.number(e) - mean) * (x.number(e) - mean);
    const double scale = 1 / std::sqrt(squares / static_cast<double>(count) + epsilon);
    for (int64_t e = row; e < row + count; ++e) {
      const auto of_elements = [&](const Tensor& t) { return t.number(broadcast_element(t.shape(), x.index_of(e))); };
      y.set_number(e, (x.number(e) - mean) * scale * of_elements(*in[1]) + (in.size() > 2 ? of_elements(*in[2]) : 0));
    }
  }
  return y;
}

Operator norm(std::string name, std::string meaning, bool has_mean) {
  Operator op;
  op.name = std::move(name);
  op.meaning = std::move(meaning);
  op.inputs = {{"x", "any shape but a scalar, floats"}, {"scale", "a shape that repeats along x's"}};
  if (has_mean) {
    op.inputs.push_back({"bias", "a shape that repeats along x's, added in the end", OperatorInput::Count::kOptional});
  }
  op.attributes = {{"axis", "the first of a row's; -1 is the last one", int64_t{-1}},
                   {"epsilon", "added to the mean square", 1e-5}};
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (!x.dtype.is_float()) fail("x is {}, expected floats", describe(x));
    axis_of(call.attributes.integer("axis"), x.shape.size());
    for (size_t i = 1; i < call.inputs.size(); ++i) {
      const TensorType& other = call.inputs[i];
      require_same_dtype(x, other, "x", i == 1 ? "scale" : "bias");
      if (broadcast(x.shape, other.shape) != x.shape) {
        fail("{} is {}, which does not repeat along x, {}", i == 1 ? "scale" : "bias", describe(other), describe(x));
      }
    }
    return std::vector{x};
  };
  op.define = [has_mean](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{norm_formula(has_mean, call, in)};
  };
  op.reference = [has_mean](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{norm_reference(has_mean, call, in)};
  };
  return op;
}

}  // namespace

std::vector<Operator> layer_norm_operators() {
  return {norm("layer_norm", "(x - its row's mean) / sqrt(its row's variance + epsilon) * scale + bias", true),
          norm("rms_norm", "x / sqrt(its row's mean square + epsilon) * scale", false)};
}

}  // namespace vantage::ops
