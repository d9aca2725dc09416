#include "compiler/ops/unary/unary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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

// Of gelu's approximation (Hendrycks and Gimpel 2016).
constexpr double kSqrt2PerPi = 0.79788456080286535588, kCubic = 0.044715;

Expr gelu(const Expr& x) {
  const auto number = [&](double value) { return ir::make_const(x.dtype(), value); };
  return x * number(0.5) * (number(1) + te::erf(x * number(1 / std::numbers::sqrt2)));
}

Expr gelu_tanh(const Expr& x) {
  const auto number = [&](double value) { return ir::make_const(x.dtype(), value); };
  return x * number(0.5) * (number(1) + te::tanh(x * number(kSqrt2PerPi) * (number(1) + x * x * number(kCubic))));
}

std::vector<UnaryFunction> unary_functions() {
  const auto zero = [](const Expr& x) { return ir::make_zero(x.dtype()); };
  return {
      {"negative", "-x", [=](Expr x) { return zero(x) - x; }, [](double x) { return -x; },
       [](int64_t x) { return static_cast<int64_t>(-static_cast<uint64_t>(x)); }},
      {"abs", "the magnitude of x", [](Expr x) { return te::abs(std::move(x)); }, [](double x) { return std::abs(x); },
       [](int64_t x) { return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x; }},
      {"sign", "-1, 0 or 1, as x is negative, 0 or positive",
       [=](const Expr& x) {
         const auto number = [&](int value) { return ir::make_const(x.dtype(), value); };
         const Expr rest = ir::if_then_else(x < zero(x), number(x.dtype().is_unsigned() ? 0 : -1), x);
         return ir::if_then_else(x > zero(x), number(1), rest);
       },
       [](double x) { return x > 0   ? 1.0
                             : x < 0 ? -1.0
                                     : x; }, [](int64_t x) { return (x > 0) - (x < 0); }},
      {"relu", "x where it is positive, else 0", [=](Expr x) { return ir::max(x, zero(x)); },
       [](double x) { return std::max(x, 0.0); }, [](int64_t x) { return std::max<int64_t>(x, 0); }},
      {"sigmoid", "1 / (1 + exp(-x))", [](Expr x) { return te::sigmoid(std::move(x)); },
       [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"tanh", "the hyperbolic tangent of x", [](Expr x) { return te::tanh(std::move(x)); },
       [](double x) { return std::tanh(x); }},
      {"erf", "the error function of x", [](Expr x) { return te::erf(std::move(x)); },
       [](double x) { return std::erf(x); }},
      {"gelu", "x times the share of a normal distribution that is less than x", gelu,
       [](double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); }},
      {"gelu_tanh", "gelu, with its share taken by tanh(sqrt(2 / pi) * (x + 0.044715 x^3))", gelu_tanh,
       [](double x) { return x / 2 * (1 + std::tanh(kSqrt2PerPi * (x + kCubic * x * x * x))); }},
      {"silu", "x * sigmoid(x)", [](Expr x) { return x * te::sigmoid(x); },
       [](double x) { return x / (1 + std::exp(-x)); }},
      {"sin", "the sine of x", [](Expr x) { return te::sin(std::move(x)); }, [](double x) { return std::sin(x); }},
      {"cos", "the cosine of x", [](Expr x) { return te::cos(std::move(x)); }, [](double x) { return std::cos(x); }},
      {"tan", "the tangent of x", [](Expr x) { return te::tan(std::move(x)); }, [](double x) { return std::tan(x); }},
      {"asin", "the angle whose sine is x", [](Expr x) { return te::asin(std::move(x)); },
       [](double x) { return std::asin(x); }},
      {"acos", "the angle whose cosine is x", [](Expr x) { return te::acos(std::move(x)); },
       [](double x) { return std::acos(x); }},
      {"atan", "the angle whose tangent is x", [](Expr x) { return te::atan(std::move(x)); },
       [](double x) { return std::atan(x); }},
      {"sinh", "the hyperbolic sine of x", [](Expr x) { return te::sinh(std::move(x)); },
       [](double x) { return std::sinh(x); }},
      {"cosh", "the hyperbolic cosine of x", [](Expr x) { return te::cosh(std::move(x)); },
       [](double x) { return std::cosh(x); }},
      {"asinh", "the number whose hyperbolic sine is x", [](Expr x) { return te::asinh(std::move(x)); },
       [](double x) { return std::asinh(x); }},
      {"acosh", "the number from 0 on whose hyperbolic cosine is x", [](Expr x) { return te::acosh(std::move(x)); },
       [](double x) { return std::acosh(x); }},
      {"atanh", "the number whose hyperbolic tangent is x", [](Expr x) { return te::atanh(std::move(x)); },
       [](double x) { return std::atanh(x); }},
      {"exp", "e to the power of x", [](Expr x) { return te::exp(std::move(x)); },
       [](double x) { return std::exp(x); }},
      {"log", "the natural logarithm of x", [](Expr x) { return te::log(std::move(x)); },
       [](double x) { return std::log(x); }},
      {"log1p", "the natural logarithm of 1 + x", [](Expr x) { return te::log1p(std::move(x)); },
       [](double x) { return std::log1p(x); }},
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

// What an element is: bool.
Operator predicate(const std::string& name, const std::string& meaning, const std::function<Expr(Expr)>& formula,
                   const std::function<bool(double)>& holds) {
  Operator op;
  op.name = name;
  op.meaning = meaning;
  op.inputs = {{"x", "any shape, floats"}};
  op.pattern = Pattern::kElementwise;
  op.infer = [](const OperatorCall& call) {
    if (!call.inputs[0].dtype.is_float()) fail("x is {}, expected floats", describe(call.inputs[0]));
    return std::vector{TensorType{kBool, call.inputs[0].shape}};
  };
  op.define = [formula, name](const OperatorCall&, const std::vector<te::Tensor>& in) {
    return std::vector{te::map(in[0], formula, name)};
  };
  op.reference = [holds](const OperatorCall&, const std::vector<const Tensor*>& in) {
    Tensor y(kBool, in[0]->shape());
    for (int64_t e = 0; e < y.size(); ++e) y.set_integer(e, holds(in[0]->number(e)) ? 1 : 0);
    return std::vector{std::move(y)};
  };
  return op;
}

// Of bools what does not hold, of integers all bits.
Operator inverse(const std::string& name, const std::string& meaning, bool of_bools) {
  Operator op;
  op.name = name;
  op.meaning = meaning;
  op.inputs = {{"x", of_bools ? "any shape, bool" : "any shape, integers"}};
  op.pattern = Pattern::kElementwise;
  op.infer = [of_bools](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    if (of_bools ? !x.dtype.is_bool() : !x.dtype.is_int()) {
      fail("x is {}, expected {}", describe(x), of_bools ? "bool" : "integers");
    }
    return std::vector{x};
  };
  op.define = [of_bools, name](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const DType dtype = call.inputs[0].dtype;
    const Expr all_bits = of_bools ? Expr() : ir::make_int(dtype, wrap(dtype, -1));
    return std::vector{te::map(
        in[0], [=](const Expr& x) { return of_bools ? !x : x ^ all_bits; }, name)};
  };
  op.reference = [of_bools](const OperatorCall&, const std::vector<const Tensor*>& in) {
    Tensor y(in[0]->dtype(), in[0]->shape());
    for (int64_t e = 0; e < y.size(); ++e) {
      const int64_t x = in[0]->integer(e);
      y.set_integer(e, of_bools ? (x == 0 ? 1 : 0) : wrap(y.dtype(), ~x));
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
  all.push_back(predicate(
      "isnan", "whether x is no number", [](Expr x) { return te::isnan(std::move(x)); },
      [](double x) { return std::isnan(x); }));
  all.push_back(predicate(
      "isinf", "whether x is infinite", [](Expr x) { return te::isinf(std::move(x)); },
      [](double x) { return std::isinf(x); }));
  all.push_back(inverse("logical_not", "whether x does not hold", true));
  all.push_back(inverse("bit_not", "the bits that x has not", false));
  all.push_back(clip());
  all.push_back(cast());
  return all;
}

}  // namespace vantage::ops
