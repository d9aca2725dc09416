#include "compiler/ops/unary/unary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace vantage::ops {

namespace {

using te::DType;
using te::Expr;

// A function of an element, three times: as a formula, and on numbers of either kind.
struct UnaryFunction {
  std::string name, meaning;
  std::function<Expr(Expr)> formula;
  std::function<double(double)> of_float;
  std::function<int64_t(int64_t)> of_integer = nullptr;  // none: of floats alone
};

std::vector<UnaryFunction> unary_functions() {
  const auto zero = [](const Expr& x) { return ir::make_zero(x.dtype()); };
  return {
      {"negative", "-x", [=](Expr x) { return zero(x) - x; }, [](double x) { return -x; },
       [](int64_t x) { return -x; }},
      {"abs", "the magnitude of x", [](Expr x) { return te::abs(std::move(x)); }, [](double x) { return std::abs(x); },
       [](int64_t x) { return std::abs(x); }},
      {"relu", "x where it is positive, else 0", [=](Expr x) { return ir::max(x, zero(x)); },
       [](double x) { return std::max(x, 0.0); }, [](int64_t x) { return std::max<int64_t>(x, 0); }},
      {"sigmoid", "1 / (1 + exp(-x))", [](Expr x) { return te::sigmoid(std::move(x)); },
       [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"tanh", "the hyperbolic tangent of x", [](Expr x) { return te::tanh(std::move(x)); },
       [](double x) { return std::tanh(x); }},
      {"erf", "the error function of x", [](Expr x) { return te::erf(std::move(x)); },
       [](double x) { return std::erf(x); }},
      {"exp", "e to the power of x", [](Expr x) { return te::exp(std::move(x)); },
       [](double x) { return std::exp(x); }},
      {"log", "the natural logarithm of x", [](Expr x) { return te::log(std::move(x)); },
       [](double x) { return std::log(x); }},
      {"sqrt", "the square root of x", [](Expr x) { return te::sqrt(std::move(x)); },
       [](double x) { return std::sqrt(x); }},
      {"rsqrt", "1 / sqrt(x)", [](Expr x) { return te::rsqrt(std::move(x)); },
       [](double x) { return 1 / std::sqrt(x); }},
      {"floor", "the largest whole number up to x", [](Expr x) { return te::floor(std::move(x)); },
       [](double x) { return std::floor(x); }},
      {"ceil", "the smallest whole number from x on", [](Expr x) { return te::ceil(std::move(x)); },
       [](double x) { return std::ceil(x); }},
      {"round", "the nearest whole number, ties to even", [](Expr x) { return te::round(std::move(x)); },
       [](double x) { return std::nearbyint(x); }},
  };
}

Operator unary_operator(const UnaryFunction& f) {
  Operator op;
  op.name = f.name;
  op.meaning = f.meaning;
  op.inputs = {{"x", "any shape"}};
  op.pattern = Pattern::kElementwise;
  op.infer = [f](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (x.dtype.is_bool() || (!x.dtype.is_float() && f.of_integer == nullptr)) {
      fail("x is {}, expected {}", describe(x), f.of_integer == nullptr ? "floats" : "numbers");
    }
    return std::vector{x};
  };
  op.define = [f](const OperatorCall&, const std::vector<te::Tensor>& in) {
    return std::vector{te::map(in[0], f.formula, f.name)};
  };
  op.reference = [f](const OperatorCall&, const std::vector<const Tensor*>& in) {
    const Tensor& x = *in[0];
    Tensor y(x.dtype(), x.shape());
    for (int64_t e = 0; e < x.size(); ++e) {
      if (x.dtype().is_float()) {
        y.set_number(e, f.of_float(x.number(e)));
      } else {
        y.set_integer(e, wrap(x.dtype(), f.of_integer(x.integer(e))));
      }
    }
    return std::vector{std::move(y)};
  };
  return op;
}

Operator clip() {
  Operator op;
  op.name = "clip";
  op.meaning = "x, but no less than min and no more than max";
  op.inputs = {{"x", "any shape"}};
  op.attributes = {{.name = "min", .meaning = "the least value", .standard = 0.0, .is_required = true},
                   {.name = "max", .meaning = "the greatest value", .standard = 0.0, .is_required = true}};
  op.pattern = Pattern::kElementwise;
  op.infer = [](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    const double min = call.attributes.number("min"), max = call.attributes.number("max");
    if (x.dtype.is_bool()) fail("x is {}, expected numbers", describe(x));
    if (!(min <= max)) fail("min is {} and max is {}, expected a min up to max", min, max);
    for (const double value : {min, max}) {
      if (x.dtype.is_float()) continue;
      if (value != std::floor(value) || value < static_cast<double>(x.dtype.min_int()) ||
          value > static_cast<double>(x.dtype.max_int())) {
        fail("a limit is {}, expected one that {} holds", value, name(x.dtype));
      }
    }
    return std::vector{x};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const DType dtype = in[0].dtype();
    return std::vector{te::clip(in[0], ir::make_const(dtype, call.attributes.number("min")),
                                ir::make_const(dtype, call.attributes.number("max")))};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    Tensor y = *in[0];
    const double min = round_to(y.dtype().is_float() ? y.dtype() : kFloat64, call.attributes.number("min"));
    const double max = round_to(y.dtype().is_float() ? y.dtype() : kFloat64, call.attributes.number("max"));
    for (int64_t e = 0; e < y.size(); ++e) y.set_number(e, std::min(std::max(y.number(e), min), max));
    return std::vector{std::move(y)};
  };
  return op;
}

Operator cast() {
  Operator op;
  op.name = "cast";
  op.meaning = "x as another type: integers wrap, floats are cut toward zero, and beyond an integer's ends are its end";
  op.inputs = {{"x", "any shape"}};
  op.attributes = {{.name = "dtype", .meaning = "the type", .standard = kFloat32, .is_required = true}};
  op.pattern = Pattern::kElementwise;
  op.infer = [](const OperatorCall& call) {
    const DType to = call.attributes.type("dtype");
    if (to.is_void()) fail("dtype is void, expected a type of elements");
    return std::vector{TensorType{to, call.inputs[0].shape}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{te::cast(call.attributes.type("dtype"), in[0])};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{in[0]->converted(call.attributes.type("dtype"))};
  };
  return op;
}

}  // namespace

std::vector<Operator> unary_operators() {
  std::vector<Operator> all;
  for (const UnaryFunction& f : unary_functions()) all.push_back(unary_operator(f));
  all.push_back(clip());
  all.push_back(cast());
  return all;
}

}  // namespace vantage::ops
