#include "compiler/graph/quantize/integer_functions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "compiler/graph/evaluate.h"

namespace vantage::graph {

namespace {

constexpr int64_t kMostOperand = (1 << 15) - 1;  // that an instruction holds
constexpr int kLineBits = 15;                    // of the clipped line and its squares
constexpr int kMostFunctionShift = 15;           // whose half an instruction holds
constexpr double kMostStepsOff = 2;              // off

// The coefficients of a function, in floats.
struct FunctionShape {
  std::string_view op;
  bool is_step;
  int squares;  // log2 of the power
  double reach, height;
  double middle, step;  // of a step: what it gives of 0, and how much more far from there
};

constexpr std::array kShapes = {
    FunctionShape{"gelu", false, 2, 3.6965, 0.5493, 0, 0},        // 0.0038 off at the most
    FunctionShape{"gelu_tanh", false, 2, 3.6975, 0.5494, 0, 0},   // 0.0038
    FunctionShape{"silu", false, 3, 11.556, 0.5454, 0, 0},        // 0.0055
    FunctionShape{"sigmoid", true, 2, 6.7750, 0.5056, 0.5, 0.5},  // 0.0056
    FunctionShape{"tanh", true, 2, 3.3875, 0.5056, 0, 1},         // 0.011
};

const FunctionShape* shape_of(std::string_view op) {
  const auto* found = std::ranges::find(kShapes, op, &FunctionShape::op);
  return found == kShapes.end() ? nullptr : found;
}

// The one program of both kinds, on numbers or as nodes of a graph: up to what the last shift takes.
template <typename Machine>
typename Machine::Number unrounded(Machine& m, const IntegerFunction& f, typename Machine::Number x) {
  const auto negative = m.minimum(x, m.multiply(x, -1));  // -|x|
  auto tail = m.maximum(m.add(m.multiply(negative, f.slope), f.from), 0);
  for (const int shift : f.shifts) tail = m.right_shift(m.multiply(tail, tail), shift);
  if (f.is_step) {
    const auto height = m.add(m.multiply(tail, -1), f.gain);
    return m.add(m.multiply(m.clip(x, -1, 1), height), f.offset);
  }
  const auto line = m.multiply(m.maximum(x, 0), f.gain);
  return m.add(m.add(m.multiply(negative, tail), line), f.offset);
}

struct Numbers {
  using Number = int64_t;
  static int64_t add(int64_t a, int64_t b) { return a + b; }
  static int64_t multiply(int64_t a, int64_t b) { return a * b; }
  static int64_t minimum(int64_t a, int64_t b) { return std::min(a, b); }
  static int64_t maximum(int64_t a, int64_t b) { return std::max(a, b); }
  static int64_t clip(int64_t a, int64_t least, int64_t most) { return std::clamp(a, least, most); }
  static int64_t right_shift(int64_t a, int by) { return a >> by; }
};

class Nodes {
 public:
  using Number = Value;
  Nodes(Graph& graph, const std::string& name) : graph_(graph), name_(name) {}

  Value add(Value a, Value b) { return call("add", {a, b}); }
  Value add(Value a, int64_t b) { return call("add", {a, constant(b)}); }
  Value multiply(Value a, Value b) { return call("multiply", {a, b}); }
  Value multiply(Value a, int64_t b) { return call("multiply", {a, constant(b)}); }
  Value minimum(Value a, Value b) { return call("minimum", {a, b}); }
  Value maximum(Value a, int64_t b) { return call("maximum", {a, constant(b)}); }
  Value clip(Value a, int64_t least, int64_t most) {
    return call("clip", {a}, {{"min", static_cast<double>(least)}, {"max", static_cast<double>(most)}});
  }
  Value right_shift(Value a, int by) { return call("right_shift", {a, constant(by)}); }
  Value call(const std::string& op, std::vector<Value> inputs, GivenAttributes attributes = {}) {
    return graph_.call(op, std::move(inputs), std::move(attributes), name_ + "." + op);
  }

 private:
  Value constant(int64_t number) {
    Tensor tensor(kInt32, {});
    tensor.set_integer(0, number);
    return graph_.constant(std::move(tensor), name_ + ".number");
  }

  Graph& graph_;
  const std::string& name_;
};

// Steps of the output that the function is of all inputs from -128 on, as floats.
std::vector<double> wanted_of(std::string_view op, double from, double to) {
  Tensor inputs(kFloat32, {256});
  for (int64_t x = -128; x < 128; ++x) inputs.set_number(x + 128, from * static_cast<double>(x));
  Graph graph("function");
  graph.set_outputs({graph.call(op, {graph.constant(std::move(inputs))})});
  const Tensor values = evaluate(graph, {})[0];
  std::vector<double> wanted;
  for (int64_t x = 0; x < values.size(); ++x) wanted.push_back(values.number(x) / to);
  return wanted;
}

// In integers of these scales; slope 0 where these do not go.
IntegerFunction in_integers(const FunctionShape& shape, double from, double to, int64_t limit) {
  IntegerFunction f;
  f.is_step = shape.is_step;
  f.limit = limit;
  // What a gain of 1 << shift stands for, and the largest number that comes of it.
  const double unit = (shape.is_step ? shape.step : from) / to;
  const double most = unit + (shape.is_step ? shape.middle / to + 0.5 : 0);
  f.shift =
      std::min(kMostFunctionShift, static_cast<int>(std::floor(std::log2(static_cast<double>(kMostOperand) / most))));
  if (f.shift < 1) return f;
  const double gain = std::ldexp(unit, f.shift);
  f.gain = std::llround(gain);
  f.offset = std::llround(std::ldexp(shape.is_step ? shape.middle / to : 0, f.shift)) + (int64_t{1} << (f.shift - 1));
  // The tail's height, which the squares of the line come to: of a step its part above the middle alone.
  const double height = gain * shape.height * (shape.is_step ? 1 / 0.5 : 1);
  const int last = 2 * kLineBits - static_cast<int>(std::ceil(std::log2(height)));
  const double part = std::pow(std::ldexp(height, last - 2 * kLineBits), std::ldexp(1.0, -shape.squares));
  f.from = std::min<int64_t>(kMostOperand, std::llround(std::ldexp(part, kLineBits)));
  f.slope = std::llround(static_cast<double>(f.from) * from / shape.reach);
  f.shifts.assign(static_cast<size_t>(shape.squares - 1), kLineBits);
  f.shifts.push_back(last);
  if (f.slope > kMostOperand || last < 0 || last > 31) f.slope = 0;
  return f;
}

// The most steps that it is off before it is rounded.
double worst_of(const IntegerFunction& f, const std::vector<double>& wanted) {
  if (f.slope == 0) return HUGE_VAL;
  Numbers numbers;
  const double half = std::ldexp(0.5, f.shift);
  double worst = 0;
  for (int64_t x = -128; x < 128; ++x) {
    const double limit = static_cast<double>(f.limit);
    const double got = std::ldexp(static_cast<double>(unrounded(numbers, f, x)) - half, -f.shift);
    const double error =
        std::clamp(got, -limit, limit) - std::clamp(wanted[static_cast<size_t>(x + 128)], -limit, limit);
    worst = std::max(worst, std::abs(error));
  }
  return worst;
}

}  // namespace

bool has_integer_function(std::string_view op) {
  return shape_of(op) != nullptr;
}

int64_t IntegerFunction::operator()(int64_t x) const {
  Numbers numbers;
  return std::clamp(unrounded(numbers, *this, x) >> shift, -limit, limit);
}

std::optional<IntegerFunction> integer_function(std::string_view op, double from, double to, int64_t limit) {
  FunctionShape shape = *shape_of(op);
  const std::vector<double> wanted = wanted_of(op, from, to);
  IntegerFunction best = in_integers(shape, from, to, limit);
  double least = worst_of(best, wanted);
  // Of these inputs others may be better: what is next to the best so far, in ever smaller steps.
  for (double step = 0.04; step > 0.001; step /= 2) {
    for (bool better = true; better;) {
      better = false;
      for (const auto& [reach, height] :
           {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
        FunctionShape next = shape;
        next.reach *= 1 + reach * step;
        next.height *= 1 + height * step;
        const IntegerFunction f = in_integers(next, from, to, limit);
        const double worst = worst_of(f, wanted);
        if (worst >= least) continue;
        least = worst;
        shape = next;
        best = f;
        better = true;
      }
    }
  }
  if (best.slope == 0) return std::nullopt;
  for (int64_t x = -128; x < 128; ++x) {
    const double most = static_cast<double>(limit);
    const double exact = std::clamp(std::nearbyint(wanted[static_cast<size_t>(x + 128)]), -most, most);
    best.worst = std::max(best.worst, std::abs(static_cast<double>(best(x)) - exact));
  }
  if (best.worst > kMostStepsOff) return std::nullopt;
  return best;
}

Value append(Graph& graph, const IntegerFunction& function, Value x, const std::string& name) {
  Nodes nodes(graph, name);
  const Value wide = nodes.call("cast", {x}, {{"dtype", kInt32}});
  const Value steps = nodes.right_shift(unrounded(nodes, function, wide), function.shift);
  return graph.call("cast", {nodes.clip(steps, -function.limit, function.limit)}, {{"dtype", kInt8}}, name);
}

}  // namespace vantage::graph
