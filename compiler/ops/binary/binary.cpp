#include "compiler/ops/binary/binary.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/wrapping.h"

namespace vantage::ops {

namespace {

using te::Expr;

// A function of two elements, three times: as a formula, and on numbers of either kind.
struct BinaryFunction {
  std::string name, meaning;
  std::function<Expr(Expr, Expr)> formula;
  std::function<double(double, double)> of_floats;       // none: of integers alone
  std::function<int64_t(int64_t, int64_t)> of_integers;  // none: of floats alone
  // All but the first make bools; those that tell what is equal take them, too, and logic nothing else.
  enum class Kind : uint8_t { kArithmetic, kOrder, kEquality, kLogic } kind = Kind::kArithmetic;

  bool makes_bool() const { return kind != Kind::kArithmetic; }
  bool takes(DType dtype) const {
    if (dtype.is_bool()) return kind == Kind::kLogic || kind == Kind::kEquality;
    if (kind == Kind::kLogic) return false;
    return dtype.is_float() ? of_floats != nullptr : of_integers != nullptr;
  }
};
using enum BinaryFunction::Kind;

// Toward 0, or down; by 0 it is 0, and the least value by -1 wraps.
int64_t quotient(int64_t x, int64_t y, bool down) {
  if (y == 0) return 0;
  if (y == -1) return static_cast<int64_t>(-static_cast<uint64_t>(x));
  return x / y - (down && x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}
// To the left, or by less than 0 to the right.
int64_t shifted(int64_t x, int64_t left) {
  if (left >= 64) return 0;
  if (left >= 0) return static_cast<int64_t>(static_cast<uint64_t>(x) << left);
  return x >> std::min<int64_t>(-left, 63);
}
// What is left then.
int64_t rest(int64_t x, int64_t y, bool down) {
  if (y == 0) return 0;
  return static_cast<int64_t>(static_cast<uint64_t>(x) -
                              static_cast<uint64_t>(y) * static_cast<uint64_t>(quotient(x, y, down)));
}

// What is left of a by b with the sign of b, of floats.
Expr floored_rest(const Expr& a, const Expr& b) {
  const Expr rest = te::fmod(a, b), zero = ir::make_zero(a.dtype());
  return ir::if_then_else(rest != zero && (rest < zero) != (b < zero), rest + b, rest);
}

std::vector<BinaryFunction> arithmetic() {
  return {
      {"add", "a + b", [](Expr a, Expr b) { return a + b; }, [](double a, double b) { return a + b; }, wrapping_sum},
      {"subtract", "a - b", [](Expr a, Expr b) { return a - b; }, [](double a, double b) { return a - b; },
       [](int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }},
      {"multiply", "a * b", [](Expr a, Expr b) { return a * b; }, [](double a, double b) { return a * b; },
       wrapping_product},
      {"divide", "a / b", [](Expr a, Expr b) { return a / b; }, [](double a, double b) { return a / b; }, nullptr},
      {"power", "a to the power of b", [](Expr a, Expr b) { return te::pow(std::move(a), std::move(b)); },
       [](double a, double b) { return std::pow(a, b); }, nullptr},
      {"maximum", "the greater of a and b", [](Expr a, Expr b) { return ir::max(std::move(a), std::move(b)); },
       [](double a, double b) { return std::max(a, b); }, [](int64_t a, int64_t b) { return std::max(a, b); }},
      {"minimum", "the lesser of a and b", [](Expr a, Expr b) { return ir::min(std::move(a), std::move(b)); },
       [](double a, double b) { return std::min(a, b); }, [](int64_t a, int64_t b) { return std::min(a, b); }},
      {"floor_divide", "a / b, rounded down", [](const Expr& a, const Expr& b) { return ir::floor_div(a, b); }, nullptr,
       [](int64_t a, int64_t b) { return quotient(a, b, true); }},
      {"truncated_divide", "a / b, rounded toward 0", [](const Expr& a, const Expr& b) { return ir::trunc_div(a, b); },
       nullptr, [](int64_t a, int64_t b) { return quotient(a, b, false); }},
      {"modulo", "what is left of a by b, rounded down",
       [](const Expr& a, const Expr& b) { return a.dtype().is_float() ? floored_rest(a, b) : ir::floor_mod(a, b); },
       [](double a, double b) {
         const double rest = std::fmod(a, b);
         return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
       },
       [](int64_t a, int64_t b) { return rest(a, b, true); }},
      {"remainder", "what is left of a by b, rounded toward 0",
       [](const Expr& a, const Expr& b) { return a.dtype().is_float() ? te::fmod(a, b) : ir::trunc_mod(a, b); },
       [](double a, double b) { return std::fmod(a, b); }, [](int64_t a, int64_t b) { return rest(a, b, false); }},
      {"bit_and", "the bits that both have", [](const Expr& a, const Expr& b) { return a & b; }, nullptr,
       [](int64_t a, int64_t b) { return a & b; }},
      {"bit_or", "the bits that either has", [](const Expr& a, const Expr& b) { return a | b; }, nullptr,
       [](int64_t a, int64_t b) { return a | b; }},
      {"bit_xor", "the bits that one of them has", [](const Expr& a, const Expr& b) { return a ^ b; }, nullptr,
       [](int64_t a, int64_t b) { return a ^ b; }},
      {"left_shift", "a times two to the power of b", [](const Expr& a, const Expr& b) { return a << b; }, nullptr,
       [](int64_t a, int64_t b) { return shifted(a, b); }},
      {"right_shift", "a by two to the power of b, rounded down", [](const Expr& a, const Expr& b) { return a >> b; },
       nullptr, [](int64_t a, int64_t b) { return shifted(a, -std::max(b, -INT64_MAX)); }},
  };
}

std::vector<BinaryFunction> comparisons() {
  return {
      {"equal", "whether a = b", [](Expr a, Expr b) { return a == b; }, [](double a, double b) { return a == b; },
       [](int64_t a, int64_t b) { return a == b; }, kEquality},
      {"not_equal", "whether a and b differ", [](Expr a, Expr b) { return a != b; },
       [](double a, double b) { return a != b; }, [](int64_t a, int64_t b) { return a != b; }, kEquality},
      {"less", "whether a < b", [](Expr a, Expr b) { return a < b; }, [](double a, double b) { return a < b; },
       [](int64_t a, int64_t b) { return a < b; }, kOrder},
      {"less_equal", "whether a is b or less", [](Expr a, Expr b) { return a <= b; },
       [](double a, double b) { return a <= b; }, [](int64_t a, int64_t b) { return a <= b; }, kOrder},
      {"greater", "whether a > b", [](Expr a, Expr b) { return a > b; }, [](double a, double b) { return a > b; },
       [](int64_t a, int64_t b) { return a > b; }, kOrder},
      {"greater_equal", "whether a is b or more", [](Expr a, Expr b) { return a >= b; },
       [](double a, double b) { return a >= b; }, [](int64_t a, int64_t b) { return a >= b; }, kOrder},
  };
}

std::vector<BinaryFunction> logic() {
  return {
      {"logical_and", "whether both hold", [](const Expr& a, const Expr& b) { return a && b; }, nullptr,
       [](int64_t a, int64_t b) { return a & b; }, kLogic},
      {"logical_or", "whether one holds, or both", [](const Expr& a, const Expr& b) { return a || b; }, nullptr,
       [](int64_t a, int64_t b) { return a | b; }, kLogic},
      {"logical_xor", "whether one holds, but not both", [](const Expr& a, const Expr& b) { return a != b; }, nullptr,
       [](int64_t a, int64_t b) { return a ^ b; }, kLogic},
  };
}

// What such a function takes, in words.
std::string_view expected(const BinaryFunction& f) {
  if (f.kind == kLogic) return "bools";
  if (f.of_floats == nullptr) return "integers";
  return f.of_integers == nullptr ? "floats" : "numbers";
}

Operator binary_operator(const BinaryFunction& f) {
  Operator op;
  op.name = f.name;
  op.meaning = f.meaning;
  op.inputs = {{"a", "any shape"}, {"b", "a shape that repeats along a's, of a's type"}};
  op.pattern = Pattern::kBroadcast;
  op.infer = [f](const OperatorCall& call) {
    const TensorType &a = call.inputs[0], &b = call.inputs[1];
    require_same_dtype(a, b, "a", "b");
    if (!f.takes(a.dtype)) fail("a and b are {}, expected {}", name(a.dtype), expected(f));
    return std::vector{TensorType{f.makes_bool() ? kBool : a.dtype, broadcast(a.shape, b.shape)}};
  };
  op.define = [f](const OperatorCall&, const std::vector<te::Tensor>& in) {
    return std::vector{te::map(in[0], in[1], f.formula, f.name)};
  };
  op.reference = [f](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Tensor &a = *in[0], &b = *in[1];
    Tensor y(f.makes_bool() ? kBool : a.dtype(), broadcast(a.shape(), b.shape()));
    for (int64_t e = 0; e < y.size(); ++e) {
      const Tensor::Shape index = y.index_of(e);
      const int64_t at_a = broadcast_element(a.shape(), index), at_b = broadcast_element(b.shape(), index);
      if (call.inputs[0].dtype.is_float()) {
        y.set_number(e, f.of_floats(a.number(at_a), b.number(at_b)));
      } else {
        y.set_integer(e, wrap(y.dtype(), f.of_integers(a.integer(at_a), b.integer(at_b))));
      }
    }
    return std::vector{std::move(y)};
  };
  return op;
}

Operator where() {
  Operator op;
  op.name = "where";
  op.meaning = "a where the condition holds, else b";
  op.inputs = {{"condition", "bool, a shape that repeats along the others"},
               {"a", "any shape"},
               {"b", "a shape that repeats along a's, of a's type"}};
  op.pattern = Pattern::kBroadcast;
  op.infer = [](const OperatorCall& call) {
    const TensorType &condition = call.inputs[0], &a = call.inputs[1], &b = call.inputs[2];
    if (!condition.dtype.is_bool()) fail("condition is {}, expected bool", describe(condition));
    require_same_dtype(a, b, "a", "b");
    return std::vector{TensorType{a.dtype, broadcast(condition.shape, broadcast(a.shape, b.shape))}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Tensor::Shape all = broadcast(call.inputs[0].shape, broadcast(call.inputs[1].shape, call.inputs[2].shape));
    const std::vector<Expr> shape(all.begin(), all.end());
    return std::vector{te::compute(
        shape,
        [&](const std::vector<te::Var>& i) {
          const auto at = [&](size_t n) { return te::detail::broadcast_at(in[n], shape, i); };
          return ir::if_then_else(at(0), at(1), at(2));
        },
        "where")};
  };
  op.reference = [](const OperatorCall&, const std::vector<const Tensor*>& in) {
    Tensor y(in[1]->dtype(), broadcast(in[0]->shape(), broadcast(in[1]->shape(), in[2]->shape())));
    for (int64_t e = 0; e < y.size(); ++e) {
      const Tensor::Shape index = y.index_of(e);
      const auto at = [&](size_t n) { return broadcast_element(in[n]->shape(), index); };
      const size_t chosen = in[0]->integer(at(0)) != 0 ? 1 : 2;
      y.set(e, in[chosen]->get(at(chosen)));
    }
    return std::vector{std::move(y)};
  };
  return op;
}

}  // namespace

std::vector<Operator> binary_operators() {
  std::vector<Operator> all;
  for (const BinaryFunction& f : arithmetic()) all.push_back(binary_operator(f));
  for (const BinaryFunction& f : comparisons()) all.push_back(binary_operator(f));
  for (const BinaryFunction& f : logic()) all.push_back(binary_operator(f));
  all.push_back(where());
  return all;
}

}  // namespace vantage::ops
