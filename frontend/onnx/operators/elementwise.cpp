// Operators that work element by element, after broadcasting.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/rounded_once.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace {

ImportOperator one_to_one(std::string op) {
  return [op](const Node& node) { return node.builder().call_all(op, node.all_inputs()); };
}

// A formula of the first input.
ImportOperator formula(std::function<Value(Builder&, Value, const Node&)> make) {
  return rounded_once([make](const Node& node) { return std::vector{make(node.builder(), node.input(0), node)}; });
}

// All inputs joined, two by two.
ImportOperator joined(std::string op, bool is_mean = false) {
  return [op, is_mean](const Node& node) {
    Builder& b = node.builder();
    Value all = node.input(0);
    for (size_t i = 1; i < node.inputs(); ++i) all = b.call(op, {all, node.input(i)});
    if (is_mean) all = b.divide(all, b.scalar(b.dtype(all), static_cast<double>(node.inputs())));
    return std::vector{all};
  };
}

// Up to version 6 the second operand lay along `axis` of the first.
Value beside(const Node& node, Value a, Value b) {
  if (!node.has_attribute("axis") || node.version() > 6) return b;
  Builder& builder = node.builder();
  Tensor::Shape shape = builder.shape(b);
  const size_t behind = node.axis(node.integer("axis"), builder.rank(a)) + shape.size();
  for (size_t d = behind; d < builder.shape(a).size(); ++d) shape.push_back(1);
  return builder.reshape(b, shape);
}

ImportOperator binary(std::string op) {
  return [op](const Node& node) {
    const Value a = node.input(0);
    return std::vector{node.builder().call(op, {a, beside(node, a, node.input(1))})};
  };
}

std::vector<Value> divide(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0), y = beside(node, x, node.input(1));
  return {b.call(b.dtype(x).is_float() ? "divide" : "truncated_divide", {x, y})};
}

std::vector<Value> power(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0), y = node.input(1);
  const DType dtype = b.dtype(x);
  if (dtype.is_float()) return {b.call("power", {x, b.cast(y, dtype)})};
  // Of integers by way of floats that hold them.
  const Value wide = b.call("power", {b.cast(x, kFloat64), b.cast(y, kFloat64)});
  const Value whole = b.call("round", {wide});
  if (!b.dtype(y).is_float()) return {b.cast(whole, dtype)};
  // Roots may come out next to a whole number that they are; all others are cut.
  const Value off = b.call("abs", {b.subtract(wide, whole)});
  const Value is_whole = b.call("less", {off, b.multiply(b.call("abs", {whole}), 0x1p-40)});
  return {b.cast(b.call("where", {is_whole, whole, wide}), dtype)};
}

std::vector<Value> modulo(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0), y = node.input(1);
  return {b.call(node.integer("fmod", 0) != 0 ? "remainder" : "modulo", {x, y})};
}

std::vector<Value> shift(const Node& node) {
  const std::string direction = node.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") fail("its direction is '{}', expected LEFT or RIGHT", direction);
  Builder& b = node.builder();
  Value amount = node.input(1);
  const DType dtype = b.dtype(amount);
  // By less than 0 is by more than all bits.
  if (dtype.is_signed()) {
    const Value is_negative = b.call("less", {amount, b.scalar(dtype, 0)});
    amount = b.call("where", {is_negative, b.scalar(dtype, dtype.bits()), amount});
  }
  return {b.call(direction == "LEFT" ? "left_shift" : "right_shift", {node.input(0), amount})};
}

std::vector<Value> where(const Node& node) {
  return {node.builder().call("where", node.all_inputs())};
}

std::vector<Value> clip(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0);
  const DType dtype = b.dtype(x);
  // Attributes before opset 11, inputs since.
  const auto limit = [&](const char* name, size_t input) -> std::optional<Value> {
    if (node.has_attribute(name)) return b.scalar(dtype, node.number(name, 0));
    return node.has(input) ? std::optional(node.input(input)) : std::nullopt;
  };
  const std::optional<Value> low = limit("min", 1), high = limit("max", 2);
  // One operator, which quantization knows, where both are numbers that are known.
  const auto number = [&](const std::optional<Value>& value) {
    const Tensor* known = value ? b.known(*value) : nullptr;
    return known != nullptr && known->size() == 1 ? known->number(0) : NAN;
  };
  if (dtype.is_float() && std::isfinite(number(low)) && std::isfinite(number(high)) && number(low) <= number(high)) {
    return {b.call("clip", {x}, {{"min", number(low)}, {"max", number(high)}})};
  }
  if (low) x = b.call("maximum", {x, *low});
  if (high) x = b.call("minimum", {x, *high});
  return {x};
}

std::vector<Value> prelu(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0), zero = b.scalar(b.dtype(x), 0);
  return {b.call("where", {b.call("less", {x, zero}), b.multiply(x, node.input(1)), x})};
}

std::vector<Value> cast(const Node& node) {
  try {
    return {node.builder().cast(node.input(0), dtype_of(node.integer("to")))};
  } catch (const Error& error) {
    fail("what it makes {}", error.what());
  }
}

std::vector<Value> cast_like(const Node& node) {
  Builder& b = node.builder();
  return {b.cast(node.input(0), b.dtype(node.input(1)))};
}

// At inference nothing is dropped.
std::vector<Value> dropout(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const bool trains = node.has(2) && node.number(2, "training mode") != 0;
  const double ratio = node.has(1) ? node.number(1, "ratio") : node.number("ratio", 0.5);
  if (trains && ratio != 0) fail("it drops elements at random, as in training; export the network for inference");
  if (!node.wants(1)) return {x};
  Tensor mask = b.blank(node.version() < 10 ? b.dtype(x) : kBool, b.shape(x));
  for (int64_t e = 0; e < mask.size(); ++e) mask.set_integer(e, 1);
  return {x, b.constant(std::move(mask))};
}

std::vector<Value> is_inf(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const bool positive = node.integer("detect_positive", 1) != 0, negative = node.integer("detect_negative", 1) != 0;
  const auto equals = [&](double value) { return b.call("equal", {x, b.scalar(b.dtype(x), value)}); };
  const double infinity = std::numeric_limits<double>::infinity();
  if (positive && negative) return {b.call("isinf", {x})};
  if (positive) return {equals(infinity)};
  if (negative) return {equals(-infinity)};
  return {b.call("logical_and", {equals(0), b.call("not_equal", {x, x})})};
}

// Two parts of a line, by the side of 0 that x is on.
Value sides(Builder& b, Value x, Value negative, Value positive) {
  return b.call("where", {b.call("less", {x, b.scalar(b.dtype(x), 0)}), negative, positive});
}

Value exp_less_1(Builder& b, Value x) {
  return b.add(b.call("exp", {x}), -1.0);
}

// log(1 + exp(x)), which large x make no infinity of.
Value softplus(Builder& b, Value x) {
  const Value small = b.call("negative", {b.call("abs", {x})});
  return b.add(b.call("relu", {x}), b.call("log1p", {b.call("exp", {small})}));
}

OperatorFamily activations() {
  return {
      {"LeakyRelu", formula([](Builder& b, Value x, const Node& n) {
         return sides(b, x, b.multiply(x, n.number("alpha", 0.01)), x);
       })},
      {"Elu", formula([](Builder& b, Value x, const Node& n) {
         return sides(b, x, b.multiply(exp_less_1(b, x), n.number("alpha", 1)), x);
       })},
      {"Selu", formula([](Builder& b, Value x, const Node& n) {
         const double alpha = n.number("alpha", 1.67326319217681884765625),
                      gamma = n.number("gamma", 1.05070102214813232421875);
         return b.multiply(sides(b, x, b.multiply(exp_less_1(b, x), alpha), x), gamma);
       })},
      {"Celu", formula([](Builder& b, Value x, const Node& n) {
         const double alpha = n.number("alpha", 1);
         return sides(b, x, b.multiply(exp_less_1(b, b.multiply(x, 1 / alpha)), alpha), x);
       })},
      {"ThresholdedRelu", formula([](Builder& b, Value x, const Node& n) {
         const Value zero = b.scalar(b.dtype(x), 0), alpha = b.scalar(b.dtype(x), n.number("alpha", 1));
         return b.call("where", {b.call("greater", {x, alpha}), x, zero});
       })},
      {"HardSigmoid", formula([](Builder& b, Value x, const Node& n) {
         const Value line = b.add(b.multiply(x, n.number("alpha", 0.2)), n.number("beta", 0.5));
         return b.call("clip", {line}, {{"min", 0.0}, {"max", 1.0}});
       })},
      {"HardSwish", formula([](Builder& b, Value x, const Node&) {
         const Value line = b.add(b.multiply(x, 1.0 / 6), 0.5);
         return b.multiply(x, b.call("clip", {line}, {{"min", 0.0}, {"max", 1.0}}));
       })},
      {"Softplus", formula([](Builder& b, Value x, const Node&) { return softplus(b, x); })},
      {"Softsign",
       formula([](Builder& b, Value x, const Node&) { return b.divide(x, b.add(b.call("abs", {x}), 1.0)); })},
      {"Mish",
       formula([](Builder& b, Value x, const Node&) { return b.multiply(x, b.call("tanh", {softplus(b, x)})); })},
      {"Swish", formula([](Builder& b, Value x, const Node& n) {
         return b.multiply(x, b.call("sigmoid", {b.multiply(x, n.number("alpha", 1))}));
       })},
      {"SwiGLU", formula([](Builder& b, Value x, const Node& n) {
         const Value gate = b.multiply(x, b.call("sigmoid", {b.multiply(x, n.number("alpha", 1))}));
         if (b.shape(x) != b.shape(n.input(1)))
           fail("it multiplies {} by {}", describe(b.type(x)), describe(b.type(n.input(1))));
         return b.multiply(gate, n.input(1));
       })},
      {"Gelu", formula([](Builder& b, Value x, const Node& n) {
         const std::string how = n.text("approximate", "none");
         Value inner = b.multiply(x, std::sqrt(0.5));
         if (how == "tanh") {
           const Value cube = b.multiply(b.multiply(b.multiply(x, x), x), 0.044715);
           inner = b.call("tanh", {b.multiply(b.add(x, cube), std::sqrt(2 / M_PI))});
         } else {
           inner = b.call("erf", {inner});
         }
         return b.multiply(b.multiply(x, 0.5), b.add(inner, 1.0));
       })},
      {"Shrink", formula([](Builder& b, Value x, const Node& n) {
         const double lambda = n.number("lambd", 0.5), bias = n.number("bias", 0);
         const DType dtype = b.dtype(x);
         const Value wide = dtype.is_float() ? x : b.cast(x, kFloat32);
         const auto number = [&](double value) { return b.scalar(b.dtype(wide), value); };
         const Value above =
             b.call("where", {b.call("greater", {wide, number(lambda)}), b.add(wide, -bias), number(0)});
         return b.cast(b.call("where", {b.call("less", {wide, number(-lambda)}), b.add(wide, bias), above}), dtype);
       })},
      {"PRelu", prelu},
  };
}

OperatorFamily functions() {
  return {
      {"Reciprocal", formula([](Builder& b, Value x, const Node&) { return b.divide(b.scalar(b.dtype(x), 1), x); })},
      {"Identity", [](const Node& node) { return std::vector{node.input(0)}; }},
  };
}

}  // namespace

OperatorFamily elementwise_family() {
  OperatorFamily all = {
      {"Abs", one_to_one("abs")},
      {"Neg", one_to_one("negative")},
      {"Relu", one_to_one("relu")},
      {"Sigmoid", one_to_one("sigmoid")},
      {"Tanh", one_to_one("tanh")},
      {"Erf", one_to_one("erf")},
      {"Exp", one_to_one("exp")},
      {"Log", one_to_one("log")},
      {"Sqrt", one_to_one("sqrt")},
      {"Floor", one_to_one("floor")},
      {"Ceil", one_to_one("ceil")},
      {"Round", one_to_one("round")},
      {"Sign", one_to_one("sign")},
      {"Sin", one_to_one("sin")},
      {"Cos", one_to_one("cos")},
      {"Tan", one_to_one("tan")},
      {"Asin", one_to_one("asin")},
      {"Acos", one_to_one("acos")},
      {"Acosh", one_to_one("acosh")},
      {"Asinh", one_to_one("asinh")},
      {"Atanh", one_to_one("atanh")},
      {"Atan", one_to_one("atan")},
      {"Sinh", one_to_one("sinh")},
      {"Cosh", one_to_one("cosh")},
      {"IsNaN", one_to_one("isnan")},
      {"IsInf", is_inf},
      {"Not", one_to_one("logical_not")},
      {"BitwiseNot", one_to_one("bit_not")},
      {"Add", binary("add")},
      {"Sub", binary("subtract")},
      {"Mul", binary("multiply")},
      {"Div", divide},
      {"Pow", power},
      {"Mod", modulo},
      {"BitShift", shift},
      {"BitwiseAnd", binary("bit_and")},
      {"BitwiseOr", binary("bit_or")},
      {"BitwiseXor", binary("bit_xor")},
      {"And", binary("logical_and")},
      {"Or", binary("logical_or")},
      {"Xor", binary("logical_xor")},
      {"Equal", binary("equal")},
      {"Less", binary("less")},
      {"LessOrEqual", binary("less_equal")},
      {"Greater", binary("greater")},
      {"GreaterOrEqual", binary("greater_equal")},
      {"Where", where},
      {"Max", joined("maximum")},
      {"Min", joined("minimum")},
      {"Sum", rounded_once(joined("add"))},
      {"Mean", rounded_once(joined("add", true))},
      {"Clip", clip},
      {"Cast", cast},
      {"CastLike", cast_like},
      {"Dropout", dropout},
  };
  for (const OperatorFamily& more : {activations(), functions()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace vantage::onnx_models
