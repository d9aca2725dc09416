// The interpreter against another one, and against plain loops.
#include <cmath>

#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/compiler/ir/interpreter/support.h"
#include "tests/compiler/ir/interpreter/tree_interpreter.h"
#include "tests/compiler/ir/random_function.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_ir_interpreter_property_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

bool same(DType type, Scalar got, Value expected) {
  if (!type.is_float()) return got.i == expected.i;
  return got.f == expected.f || (std::isnan(got.f) && std::isnan(expected.f));
}

struct Outcome {
  size_t runs = 0, undefined = 0;
};

// Runs `body` with random arguments in both interpreters: they must agree in every element, and where one refuses the
// other must, for the same reason.
void compare(RandomFunction& random, const Stmt& body, Outcome& outcome) {
  PrimFunc f = function({}, body);
  TreeInterpreter tree;
  std::vector<Tensor> arrays;
  std::vector<Argument> arguments;
  for (const Var& var : random.vars) {
    f.params.emplace_back(var);
    if (var.dtype().is_float()) {
      const double value = round_to(var.dtype(), random.number(var.dtype()));
      arguments.emplace_back(value);
      tree.set(var, {0, value});
    } else {
      const int64_t value = random.integer(var.dtype());
      arguments.emplace_back(value);
      tree.set(var, {value, 0});
    }
  }
  arrays.reserve(random.buffers.size());
  for (const Buffer& buffer : random.buffers) {
    std::vector<int64_t> shape;
    for (const Expr& size : buffer->shape) shape.push_back(*as_int(size));
    Tensor& array = arrays.emplace_back(buffer->dtype, shape);
    for (int64_t e = 0; e < array.size(); ++e) {
      if (buffer->dtype.is_float()) {
        array.set_number(e, random.number(buffer->dtype));
      } else {
        array.set_integer(e, random.integer(buffer->dtype));
      }
    }
    tree.add(buffer, array);
    f.params.emplace_back(buffer);
    arguments.emplace_back(&array);
  }

  std::string expected, got;
  try {
    tree.run(body);
  } catch (const Undefined& undefined) {
    expected = undefined.what();
  }
  try {
    interpret(f, arguments);
  } catch (const Error& error) {
    got = error.what();
  }
  ++outcome.runs;
  if (!expected.empty()) ++outcome.undefined;
  if (expected.empty() && !got.empty()) FAIL(got);
  REQUIRE_THAT(got, ContainsSubstring(expected));
  for (size_t b = 0; b < arrays.size(); ++b) {
    const auto& elements = tree.tensor(random.buffers[b]).elements;
    for (int64_t e = 0; e < arrays[b].size(); ++e) {
      if (same(arrays[b].dtype(), arrays[b].get(e), *elements[static_cast<size_t>(e)])) continue;
      FAIL("element " << e << " of " << random.buffers[b]->name << " is " << arrays[b].number(e));
    }
  }
}

template <typename Operand, typename Result>
void check_matmul(DType operand, DType result, int64_t low, int64_t high) {
  constexpr int64_t kM = 13, kN = 9, kK = 17;
  Tensor a(operand, {kM, kK}), b(operand, {kK, kN}), c(result, {kM, kN}), expected(result, {kM, kN});
  std::mt19937_64 random(11);
  fill(a, random, low, high);
  fill(b, random, low, high);
  for (int64_t i = 0; i < kM; ++i) {
    for (int64_t j = 0; j < kN; ++j) {
      Result sum = 0;
      for (int64_t k = 0; k < kK; ++k) {
        const auto x = static_cast<Result>(static_cast<Operand>(a.at({i, k})));
        const auto y = static_cast<Result>(static_cast<Operand>(b.at({k, j})));
        sum = static_cast<Result>(sum + static_cast<Result>(x * y));
      }
      if (result.is_float()) {
        expected.set_number(i * kN + j, static_cast<double>(sum));
      } else {
        expected.set_integer(i * kN + j, static_cast<int64_t>(sum));
      }
    }
  }
  const Var m("m"), n("n"), k("k");
  interpret(matmul(m, n, k, operand, result), {&a, &b, &c});
  INFO(name(operand) << " to " << name(result));
  CHECK(difference(expected, c) == std::nullopt);
}

}  // namespace

TEST_CASE("random expressions have the values that another interpreter gives them", "[property]") {
  Outcome outcome;
  for (uint64_t seed = 0; seed < test::seeds(3000); ++seed) {
    INFO("seed " << seed);
    RandomFunction random(seed);
    const Buffer out = random.buffers[random.pick(random.buffers.size())];
    std::vector<Expr> first(out->rank(), Expr(0));
    compare(random, store(out, first, random.expr(out->dtype, 6)), outcome);
  }
  // Most have a meaning, some must not.
  CHECK(outcome.undefined < outcome.runs / 4);
  CHECK(outcome.undefined > outcome.runs / 100);
}

TEST_CASE("random functions do what another interpreter makes of them", "[property]") {
  Outcome outcome;
  for (uint64_t seed = 0; seed < test::seeds(2000); ++seed) {
    INFO("seed " << seed);
    RandomFunction random(seed);
    compare(random, random.stmt(5), outcome);
  }
  CHECK(outcome.undefined < outcome.runs / 2);
  CHECK(outcome.undefined > outcome.runs / 100);
}

TEST_CASE("an operation has the same value folded and run", "[property]") {
  using enum BinaryOp;
  for (uint64_t seed = 0; seed < test::seeds(1500); ++seed) {
    RandomFunction random(seed);
    for (DType type : {kInt4, kInt8, kInt32, kInt64, kFloat16, kBFloat16, kFloat32, kFloat64}) {
      const auto op = static_cast<BinaryOp>(random.pick(static_cast<uint64_t>(kBitXor) + 1));
      const bool floats = op == kAdd || op == kSub || op == kMul || op == kMin || op == kMax || is_comparison(op);
      if (op == kAnd || op == kOr || (type.is_float() ? !floats && op != kDiv : op == kDiv)) continue;
      const Var a("a", type), b("b", type);
      Argument x, y;
      Expr fold_x, fold_y;
      if (type.is_float()) {
        fold_x = make_float(type, round_to(type, random.number(type)));
        fold_y = make_float(type, round_to(type, random.number(type)));
        x = fold_x.as<FloatImm>()->value;
        y = fold_y.as<FloatImm>()->value;
      } else {
        fold_x = make_int(type, random.integer(type));
        fold_y = make_int(type, random.integer(type));
        x = *as_int(fold_x);
        y = *as_int(fold_y);
      }
      const Expr folded = make_binary(op, fold_x, fold_y);
      if (folded.kind() == ExprKind::kBinary) continue;  // a division by zero
      Tensor result(folded.dtype(), {1});
      const Buffer out = make_buffer("out", {1}, folded.dtype());
      interpret(function({a, b, out}, store(out, {0}, make_binary(op, a, b))), {x, y, &result});
      INFO(to_text(fold_x) << " " << symbol(op) << " " << to_text(fold_y));
      if (const int64_t* whole = as_int(folded)) {
        REQUIRE(result.integer(0) == *whole);
      } else {
        const double value = folded.as<FloatImm>()->value;
        REQUIRE((result.number(0) == value || (std::isnan(value) && std::isnan(result.number(0)))));
      }
    }
  }
}

TEST_CASE("matrices multiply as plain loops multiply them", "[property]") {
  check_matmul<int8_t, int8_t>(kInt8, kInt8, -128, 127);
  check_matmul<int8_t, int32_t>(kInt8, kInt32, -128, 127);
  check_matmul<int32_t, int64_t>(kInt32, kInt64, -(1 << 29), 1 << 29);
  check_matmul<float, float>(kFloat32, kFloat32, -1000000, 1000000);
  check_matmul<double, double>(kFloat64, kFloat64, -1000000000, 1000000000);
  check_matmul<float, float>(kFloat16, kFloat32, -1000, 1000);
  // Small whole numbers, exact in binary16 as in float.
  check_matmul<float, float>(kFloat16, kFloat16, -8, 8);
  check_matmul<float, float>(kBFloat16, kFloat32, -256, 256);
}

TEST_CASE("floats of 16 bits are rounded after every step of a sum", "[unit]") {
  for (const auto& [type, most] : {std::pair(kFloat16, 2048), std::pair(kBFloat16, 256)}) {
    const Buffer s = make_buffer("S", {1}, type);
    const Var i("i");
    Tensor sum(type, {1});
    interpret(function({s}, loop(i, 4000, store(s, {0}, load(s, {0}) + 1.0F))), {&sum});
    CHECK(sum.number(0) == most);
  }
}

}  // namespace vantage::test::compiler_ir_interpreter_property_test
