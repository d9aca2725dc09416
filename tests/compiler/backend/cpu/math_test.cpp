// Functions of floats: the compiled code, in lanes and one by one, against the interpreter, which computes in double
// precision and rounds once.
#include <cmath>

#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::backend_cpu_math_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

constexpr int64_t kSize = 1000;

// Where a function is defined and does not overflow.
double argument(std::string_view name, bool second, std::mt19937_64& random) {
  const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
  if (name == "acos" || name == "asin") return 2 * unit - 1;
  if (name == "log" || name == "log2" || name == "log10" || name == "log1p" || name == "rsqrt" || name == "sqrt") {
    return unit * 100 + 0x1p-10;
  }
  if (name == "pow") return second ? 6 * unit - 3 : unit * 4 + 0x1p-10;
  if (name == "tan") return 2.8 * unit - 1.4;
  return 16 * unit - 8;
}

// out[i] = f(A[i], B[i]), vectorized or not.
PrimFunc apply(const Intrinsic& row, DType type, ForKind kind, const std::string& name) {
  const bool to_bool = row.kind == IntrinsicKind::kPredicate;
  const Buffer a = make_buffer("A", {kSize}, type), b = make_buffer("B", {kSize}, type);
  const Buffer out = make_buffer("out", {kSize}, to_bool ? kBool : type);
  const Var i("i");
  std::vector<Expr> arguments = {load(a, {i})};
  if (row.arity == 2) arguments.push_back(load(b, {i}));
  PrimFunc f = function({a, b, out}, loop(kind, i, kSize, store(out, {i}, call(row.name, arguments))));
  f.name = name;
  return f;
}

// Units in the last place between two values of a type.
double ulps(DType type, double expected, double got) {
  if (expected == got || (std::isnan(expected) && std::isnan(got))) return 0;
  const int smallest = type == kFloat64 ? -1022 : type == kFloat16 ? -14 : -126;
  int exponent = 0;
  std::frexp(expected, &exponent);
  return std::abs(got - expected) / std::ldexp(1.0, std::max(exponent - 1, smallest) - type.digits() + 1);
}

}  // namespace

TEST_CASE("functions are within 4 units in the last place, whatever the lanes", "[unit]") {
  std::mt19937_64 random(1);
  std::vector<PrimFunc> functions;
  std::vector<const Intrinsic*> rows;
  for (const Intrinsic& row : intrinsics()) {
    if (row.kind == IntrinsicKind::kHint || row.kind == IntrinsicKind::kBarrier || row.kind == IntrinsicKind::kBytes) {
      continue;
    }
    for (const DType type : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
      for (const ForKind kind : {ForKind::kSerial, ForKind::kVectorized}) {
        functions.push_back(apply(row, type, kind, fmt::format("f{}", functions.size())));
        rows.push_back(&row);
      }
    }
  }
  const auto compiled = cpu::jit(functions);
  for (size_t f = 0; f < functions.size(); ++f) {
    INFO(to_text(functions[f]));
    const auto buffers = functions[f].buffers();
    const DType type = buffers[0]->dtype;
    std::vector<Input> inputs;
    for (const Buffer& buffer : buffers) inputs.emplace_back(Tensor(buffer->dtype, {kSize}));
    for (int64_t e = 0; e < kSize; ++e) {
      for (size_t p = 0; p < 2; ++p) {
        std::get<Tensor>(inputs[p]).set_number(e, argument(rows[f]->name, p == 1, random));
      }
    }
    // What is no number, and what has no end.
    const auto name = rows[f]->name;
    const bool whole_line = name != "sin" && name != "cos" && name != "tan";
    if (whole_line) std::get<Tensor>(inputs[0]).set_number(3, std::nan(""));
    if (name == "exp" || name == "isinf" || name == "abs" || name == "sigmoid" || name == "tanh") {
      std::get<Tensor>(inputs[0]).set_number(5, INFINITY);
    }
    const auto expected = run_interpreted(functions[f], inputs);
    const auto got = run_compiled(compiled[f], inputs);
    double worst = 0;
    for (int64_t e = 0; e < kSize; ++e) {
      const double distance = ulps(type, std::get<Tensor>(expected[2]).number(e), std::get<Tensor>(got[2]).number(e));
      // Not a number is not within anything.
      if (!(distance <= worst)) worst = distance;
    }
    CHECK(worst <= 4);
  }
}

}  // namespace vantage::test::backend_cpu_math_test
