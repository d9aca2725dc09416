#include "compiler/ir/expr.h"

#include <cmath>
#include <limits>
#include <random>

#include "compiler/ir/buffer.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/stmt.h"
#include "compiler/ir/structural.h"
#include "tests/catch.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_ir_expr_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

const std::vector<BinaryOp>& integer_ops() {
  using enum BinaryOp;
  static const std::vector<BinaryOp> kOps = {kAdd, kSub, kMul, kFloorDiv, kFloorMod, kTruncDiv, kTruncMod,
                                             kMin, kMax, kEq,  kNe,       kLt,       kLe,       kGt,
                                             kGe,  kShl, kShr, kBitAnd,   kBitOr,    kBitXor};
  return kOps;
}

// What the operations mean, written with arbitrarily wide integers in mind; nothing where undefined.
bool reference(BinaryOp op, DType dtype, int64_t a, int64_t b, int64_t* result) {
  __extension__ using Wide = __int128;
  const auto set = [&](Wide value) {
    *result = wrap(dtype, static_cast<int64_t>(value));
    return true;
  };
  const auto floored = [](Wide x, Wide y) {
    Wide q = x / y;
    while (q * y > x && y > 0) --q;
    while (q * y < x && y < 0) --q;
    return q;
  };
  const auto shifted = [&](Wide value, Wide left) {
    Wide result_of = value;
    for (Wide i = 0; i < left && i < 64; ++i) result_of = wrap(dtype, static_cast<int64_t>(result_of * 2));
    for (Wide i = 0; i < -left && i < 64; ++i) result_of = floored(result_of, 2);
    return result_of;
  };
  switch (op) {
    case BinaryOp::kAdd: return set(Wide{a} + b);
    case BinaryOp::kSub: return set(Wide{a} - b);
    case BinaryOp::kMul: return set(Wide{a} * b);
    case BinaryOp::kFloorDiv: return b != 0 && set(floored(a, b));
    case BinaryOp::kFloorMod: return b != 0 && set(a - floored(a, b) * b);
    case BinaryOp::kTruncDiv: return b != 0 && set(Wide{a} / b);
    case BinaryOp::kTruncMod: return b != 0 && set(Wide{a} % b);
    case BinaryOp::kMin: return set(a < b ? a : b);
    case BinaryOp::kMax: return set(a < b ? b : a);
    case BinaryOp::kShl: return set(shifted(a, b));
    case BinaryOp::kShr: return set(shifted(a, -Wide{b}));
    case BinaryOp::kBitAnd: return set(a & b);
    case BinaryOp::kBitOr: return set(a | b);
    case BinaryOp::kBitXor: return set(a ^ b);
    case BinaryOp::kEq: *result = a == b; return true;
    case BinaryOp::kNe: *result = a != b; return true;
    case BinaryOp::kLt: *result = a < b; return true;
    case BinaryOp::kLe: *result = a <= b; return true;
    case BinaryOp::kGt: *result = a > b; return true;
    case BinaryOp::kGe: *result = a >= b; return true;
    default: return false;
  }
}

std::string text(const Expr& e) {
  return to_text(e);
}

}  // namespace

TEST_CASE("a literal takes the type that holds it", "[unit]") {
  CHECK(Expr(3).dtype() == kInt32);
  CHECK(Expr(int64_t{1} << 31).dtype() == kInt64);
  CHECK(Expr(-(int64_t{1} << 31)).dtype() == kInt32);
  CHECK(Expr(uint8_t{200}).dtype() == kInt32);
  CHECK(Expr(true).dtype() == kBool);
  CHECK(Expr(1.5).dtype() == kFloat32);
  CHECK(Expr(1.5f).dtype() == kFloat32);
  CHECK_FALSE(Expr().defined());
  CHECK(*as_int(make_int(kInt4, -8)) == -8);
  CHECK(make_float(kFloat16, 0.1).as<FloatImm>()->value == from_half(to_half(0.1)));
  CHECK(*as_int(make_const(kInt8, -3.9)) == -3);
  CHECK(make_const(kFloat64, 0.1).as<FloatImm>()->value == 0.1);
  CHECK(*as_int(make_zero(kBool)) == 0);
  CHECK(*as_int(max_value(kInt8)) == 127);
  CHECK(*as_int(min_value(kInt32)) == std::numeric_limits<int32_t>::min());
  CHECK(std::isinf(max_value(kFloat16).as<FloatImm>()->value));
  CHECK(min_value(kFloat32).as<FloatImm>()->value < 0);
}

TEST_CASE("small and large literals are what they were made as", "[unit]") {
  for (const DType type : {kInt8, kInt32, kInt64, kUInt8}) {
    for (const int64_t value : {INT64_MIN, int64_t{-17}, int64_t{-16}, int64_t{-1}, int64_t{0}, int64_t{1},
                                int64_t{127}, int64_t{2031}, int64_t{2032}, INT64_MAX}) {
      if (!type.holds(value)) continue;
      CAPTURE(name(type), value);
      const Expr literal = make_int(type, value);
      CHECK(literal.dtype() == type);
      CHECK(*as_int(literal) == value);
      CHECK(structural_equal(literal, make_int(type, value)));
    }
  }
  CHECK(Expr(5).dtype() == kInt32);
  CHECK(Expr(true).dtype() == kBool);
}

TEST_CASE("a literal that its type does not hold is refused", "[unit]") {
  CHECK(ERROR_OF(make_int(kInt8, 128)) == "128 is no int8, whose values are -128 to 127");
  CHECK(ERROR_OF(make_int(kBool, 2)) == "2 is no bool, whose values are 0 to 1");
  CHECK(ERROR_OF(make_int(kFloat32, 1)) == "the integer 1 cannot be a literal of type float32");
  CHECK(ERROR_OF(make_float(kInt32, 1.5)) == "the number 1.5 cannot be a literal of type int32");
  CHECK(ERROR_OF(make_zero(kVoid)) == "the integer 0 cannot be a literal of type void");
  CHECK(ERROR_OF(make_const(kInt8, 1e30)) == "1e+30 is no int8, whose values are -128 to 127");
  CHECK(ERROR_OF(make_const(kInt64, 9223372036854775808.0)) ==
        "9.223372036854776e+18 is no int64, whose values are -9223372036854775808 to 9223372036854775807");
  CHECK(*as_int(make_const(kInt64, -9223372036854775808.0)) == std::numeric_limits<int64_t>::min());
  CHECK(ERROR_OF(make_float(kFloat16, 1e6)) ==
        "1000000 is no float16, whose values are -65504 to 65504, and the infinities");
  CHECK(ERROR_OF(make_float(kFloat32, -1e39)).starts_with("-1e+39 is no float32, whose values are -3.4028234"));
  CHECK(make_float(kFloat16, 65519).as<FloatImm>()->value == 65504);
  CHECK(make_float(kFloat16, HUGE_VAL).as<FloatImm>()->value == HUGE_VAL);
  CHECK(make_const(kFloat16, -1e6).as<FloatImm>()->value == -HUGE_VAL);
  CHECK(cast(kFloat16, Expr(1e6f)).as<FloatImm>()->value == HUGE_VAL);
  CHECK(ERROR_OF(make_const(kInt32, std::nan(""))) == "nan is no int32, whose values are -2147483648 to 2147483647");
}

TEST_CASE("a literal adapts to the other operand", "[unit]") {
  const Var b("b", kInt8), l("l", kInt64), h("h", kFloat16), f("f", kFloat32), p("p", kBool);
  CHECK((b + 100).dtype() == kInt8);
  CHECK((100 + b).dtype() == kInt8);
  CHECK((l * 3).dtype() == kInt64);
  CHECK((h * 0.1).dtype() == kFloat16);
  CHECK((h * 0.1).as<Binary>()->b.as<FloatImm>()->value == from_half(to_half(0.1)));
  CHECK((f + 1).as<Binary>()->b.as<FloatImm>() != nullptr);
  CHECK((1 - f).dtype() == kFloat32);
  CHECK(if_then_else(p, b, 1).dtype() == kInt8);
  CHECK(if_then_else(p, 1, f).dtype() == kFloat32);
  CHECK((b < 3).dtype() == kBool);
  CHECK((Expr(1) + 1.5).as<FloatImm>()->value == 2.5);
  // Two literals: the wider type stays.
  CHECK((Expr(1) + (int64_t{1} << 40)).dtype() == kInt64);
  CHECK(*as_int(Expr(1) + (int64_t{1} << 40)) == (int64_t{1} << 40) + 1);
  // One that does not fit does not adapt.
  CHECK(ERROR_OF(b + 128) == "'b' + '128' mixes the types int8 and int32; cast one of them");
  CHECK(ERROR_OF(Var("i") * 0.5) == "'i' * 'T.float32(0.5)' mixes the types int32 and float32; cast one of them");
  CHECK(ERROR_OF(h * 70000) == "'h' * '70000' mixes the types float16 and int32; cast one of them");
  CHECK(ERROR_OF(h + 1e6) == "'h' + 'T.float32(1000000)' mixes the types float16 and float32; cast one of them");
  CHECK((h * HUGE_VAL).dtype() == kFloat16);
  CHECK(ERROR_OF(b + true) == "'b' + 'True' mixes the types int8 and bool; cast one of them");
}

TEST_CASE("operands that do not fit are refused", "[unit]") {
  const Var i("i"), l("l", kInt64), f("f", kFloat32), p("p", kBool);
  const Expr s = make_string("x");
  CHECK(ERROR_OF(i + l) == "'i' + 'l' mixes the types int32 and int64; cast one of them");
  CHECK(ERROR_OF(i && i) == "'i' and 'i' needs bools, got int32");
  CHECK(ERROR_OF(f || f) == "'f' or 'f' needs bools, got float32");
  CHECK(ERROR_OF(floor_div(f, f)) == "'f' // 'f' needs integers, got float32");
  CHECK(ERROR_OF(floor_mod(f, f)) == "'f' % 'f' needs integers, got float32");
  CHECK(ERROR_OF(trunc_div(p, p)) == "'p' truncdiv 'p' needs integers, got bool");
  CHECK(ERROR_OF(trunc_mod(f, f)) == "'f' truncmod 'f' needs integers, got float32");
  CHECK(ERROR_OF(f << f) == "'f' << 'f' needs integers, got float32");
  CHECK(ERROR_OF(p >> p) == "'p' >> 'p' needs integers, got bool");
  CHECK(ERROR_OF(f & f) == "'f' & 'f' needs integers, got float32");
  CHECK(ERROR_OF(p | p) == "'p' | 'p' needs integers, got bool");
  CHECK(ERROR_OF(p ^ p) == "'p' ^ 'p' needs integers, got bool");
  CHECK(ERROR_OF(i / 2) == "'i' / '2' divides int32; say which way integers round: floor_div or trunc_div");
  CHECK(ERROR_OF(s + s) == "'\"x\"' + '\"x\"' needs numbers, got texts or nothing");
  CHECK(ERROR_OF(p + p) == "'p' + 'p' needs numbers, got bools");
  CHECK(ERROR_OF(min(p, p)) == "'p' min 'p' needs numbers, got bools");
  CHECK(ERROR_OF(p < p) == "'p' < 'p' needs numbers, got bools");
  CHECK((p == p).dtype() == kBool);
  CHECK((p != p).dtype() == kBool);
  CHECK(ERROR_OF(-p) == "-'p' needs a number, got bool");
  CHECK(ERROR_OF(-s) == "-'\"x\"' needs a number, got void");
  CHECK(ERROR_OF(ceil_div(f, f)) == "'f' // 'f' needs integers, got float32");
  const Var narrow("narrow", kInt8);
  CHECK(ERROR_OF(narrow + i) == "'narrow' + 'i' mixes the types int8 and int32; cast one of them");
  CHECK(ERROR_OF(!i) == "not 'i' needs a bool, got int32");
  CHECK(ERROR_OF(if_then_else(i, i, i)) == "the condition 'i' is of type int32, expected bool");
  CHECK(ERROR_OF(if_then_else(p, i, f)) == "the branches 'i' and 'f' have types int32 and float32; cast one of them");
  CHECK(ERROR_OF(cast(kVoid, i)) == "'i' cannot be cast to void");
  CHECK(ERROR_OF(cast(kInt32, s)) == "'\"x\"' cannot be cast to int32");
}

TEST_CASE("loads and calls check what they are given", "[unit]") {
  const Var i("i"), f("f", kFloat32), g("g", kFloat64), p("p", kBool);
  const Buffer a = make_buffer("A", {4, 4}, kInt8);
  CHECK(load(a, {i, 0}).dtype() == kInt8);
  CHECK(ERROR_OF(load(a, {i})) == "A has 2 dimensions, but is read with 1 indices");
  CHECK(ERROR_OF(load(a, {i, f})) == "A is indexed by 'f' of type float32, expected an integer");
  CHECK(ERROR_OF(load(a, {p, i})) == "A is indexed by 'p' of type bool, expected an integer");
  CHECK(call("exp", {f}).dtype() == kFloat32);
  CHECK(call("pow", {f, 2}).dtype() == kFloat32);
  CHECK(call("isnan", {g}).dtype() == kBool);
  CHECK(call("abs", {i}).dtype() == kInt32);
  CHECK(call("likely", {p}).dtype() == kBool);
  CHECK(call("storage_sync", {make_string("shared")}).dtype() == kVoid);
  CHECK(ERROR_OF(call("frobnicate", {f})) == "there is no intrinsic 'frobnicate'");
  CHECK(ERROR_OF(call("pow", {f})) == "pow takes 2 arguments, got 1");
  CHECK(ERROR_OF(call("exp", {i})) == "exp does not take 'i' of type int32, expected a float; cast it");
  CHECK(ERROR_OF(call("pow", {f, g})) ==
        "pow does not take 'g' of type float64, expected float32 like its first argument");
  CHECK(ERROR_OF(call("abs", {p})) == "abs does not take 'p' of type bool, expected an integer or a float");
  CHECK(ERROR_OF(call("likely", {i})) == "likely does not take 'i' of type int32, expected bool");
  CHECK(ERROR_OF(call("storage_sync", {i})) == "storage_sync does not take 'i' of type int32, expected a text");
  for (const Intrinsic& intrinsic : intrinsics()) CHECK(find_intrinsic(intrinsic.name) == &intrinsic);
}

TEST_CASE("a store takes a value of the buffer's type", "[unit]") {
  const Var i("i"), f("f", kFloat32);
  const Buffer a = make_buffer("A", {4}, kInt8);
  const Buffer h = make_buffer("H", {4}, kFloat16);
  CHECK(store(a, {i}, 7).as<Store>()->value.dtype() == kInt8);
  CHECK(store(h, {i}, 7).as<Store>()->value.dtype() == kFloat16);
  CHECK(store(h, {i}, 0.1).as<Store>()->value.as<FloatImm>()->value == from_half(to_half(0.1)));
  CHECK(ERROR_OF(store(a, {i}, i)) == "A holds int8, but is to be given 'i' of type int32; cast it");
  CHECK(ERROR_OF(store(a, {i}, 200)) == "A holds int8, but is to be given '200' of type int32; cast it");
  CHECK(ERROR_OF(store(a, {i}, 1.5)) == "A holds int8, but is to be given 'T.float32(1.5)' of type float32; cast it");
  CHECK(ERROR_OF(store(a, {i, i}, 1)) == "A has 1 dimensions, but is written with 2 indices");
  CHECK(ERROR_OF(store(a, {f}, 1)) == "A is indexed by 'f' of type float32, expected an integer");
}

TEST_CASE("buffers are checked", "[unit]") {
  const Var n("n");
  CHECK(text(make_buffer("A", {n, 3}, kInt8)->span()) ==
        "T.int64(2) + (T.Cast(\"int64\", n) - T.int64(1)) * T.int64(3) + T.int64(1)");
  CHECK(ERROR_OF(make_buffer("1A", {4}, kInt8)) ==
        "'1A' cannot name a buffer; use letters, digits, underscores and inner dots");
  CHECK(ERROR_OF(make_buffer("A.", {4}, kInt8)) ==
        "'A.' cannot name a buffer; use letters, digits, underscores and inner dots");
  CHECK(make_buffer("A.local", {4}, kInt8)->name == "A.local");
  CHECK(ERROR_OF(make_buffer("A", {0}, kInt8)) == "the buffer A has the size 0, expected positive integers");
  CHECK(ERROR_OF(make_buffer("A", {Expr()}, kInt8)) == "the buffer A has the size (none), expected positive integers");
  CHECK(ERROR_OF(make_buffer("A", {1.5}, kInt8)) ==
        "the buffer A has the size T.float32(1.5) of type float32, expected positive integers");
  CHECK(ERROR_OF(make_buffer("A", {4, 4}, kInt8, "global", {4})) ==
        "the buffer A has 2 dimensions and 1 strides, expected one each or none");
  CHECK(ERROR_OF(make_buffer("A", {4}, kInt8, "global", {}, 12)) ==
        "the buffer A is to be aligned to 12 bytes, expected a power of two");
  CHECK(ERROR_OF(make_buffer("A", {4}, kVoid)) == "the buffer A has no element type");
}

TEST_CASE("operations on literals are carried out", "[property]") {
  std::mt19937_64 random = test::generator(3);
  for (const DType dtype : {DType::integer(1), kInt4, kInt8, DType::integer(13), kInt32, kInt64}) {
    for (int round = 0; round < 300; ++round) {
      const auto draw = [&] {
        if (random() % 8 == 0) return dtype.min_int();
        if (random() % 8 == 0) return dtype.max_int();
        if (random() % 2 == 0) return wrap(dtype, static_cast<int64_t>(random() % 9) - 4);
        return wrap(dtype, static_cast<int64_t>(random()));
      };
      const int64_t a = draw(), b = draw();
      for (const BinaryOp op : integer_ops()) {
        INFO(name(dtype) << " " << a << " " << symbol(op) << " " << b);
        int64_t expected = 0, got = 0;
        const bool defined = reference(op, dtype, a, b, &expected);
        REQUIRE(evaluate_int(op, dtype, a, b, &got) == defined);
        const Expr e = make_binary(op, make_int(dtype, a), make_int(dtype, b));
        REQUIRE(e.dtype() == (is_comparison(op) ? kBool : dtype));
        if (defined) {
          REQUIRE(got == expected);
          REQUIRE(is_int(e, expected));
        } else {
          REQUIRE(e.as<Binary>() != nullptr);
        }
      }
    }
  }
}

TEST_CASE("operations on float literals round to their type", "[unit]") {
  const auto half = [](double v) { return make_float(kFloat16, v); };
  const auto value = [](const Expr& e) { return e.as<FloatImm>()->value; };
  CHECK(value(half(2048) + half(1)) == 2048);  // a tie
  CHECK(value(half(1) / half(3)) == from_half(to_half(1.0 / 3.0)));
  CHECK(std::isinf(value(half(60000) * half(2))));
  CHECK(std::isnan(value(min(half(std::nan("")), half(1)))));
  CHECK(std::isnan(value(max(half(1), half(std::nan(""))))));
  CHECK(value(max(half(1), half(2))) == 2);
  CHECK(is_int(half(1) < half(2), 1));
  CHECK(is_int(half(std::nan("")) == half(std::nan("")), 0));
  CHECK(is_int(half(std::nan("")) != half(std::nan("")), 1));
  CHECK(is_int(half(2) <= half(2), 1));
  CHECK(is_int(half(2) > half(2), 0));
  CHECK(is_int(half(2) >= half(3), 0));
}

TEST_CASE("what 0 and 1 leave unchanged disappears", "[unit]") {
  const Var i("i"), f("f", kFloat32), p("p", kBool);
  CHECK((i + 0).same_as(i));
  CHECK((0 + i).same_as(i));
  CHECK((i - 0).same_as(i));
  CHECK(is_int(i - i, 0));
  CHECK((i * 1).same_as(i));
  CHECK((1 * i).same_as(i));
  CHECK(is_int(i * 0, 0));
  CHECK(is_int(0 * i, 0));
  CHECK(floor_div(i, 1).same_as(i));
  CHECK(trunc_div(i, 1).same_as(i));
  CHECK(is_int(floor_mod(i, 1), 0));
  CHECK(is_int(trunc_mod(i, 1), 0));
  CHECK(min(i, i).same_as(i));
  CHECK(max(i, i).same_as(i));
  CHECK((p && true).same_as(p));
  CHECK((true && p).same_as(p));
  CHECK(is_int(p && false, 0));
  CHECK(is_int(false && p, 0));
  CHECK((p || false).same_as(p));
  CHECK((false || p).same_as(p));
  CHECK(is_int(p || true, 1));
  CHECK(is_int(true || p, 1));
  CHECK((!!p).same_as(p));
  CHECK(is_int(!Expr(true), 0));
  CHECK(text(-i) == "0 - i");
  CHECK(text(ceil_div(i, 4)) == "(i + 3) // 4");
  // Not for floats: -0 + 0 is 0, NaN * 0 is NaN.
  CHECK((f + 0).as<Binary>() != nullptr);
  CHECK((f * 0).as<Binary>() != nullptr);
  CHECK((f - f).as<Binary>() != nullptr);
  // A division by zero stays for who runs it.
  CHECK(text(floor_div(4, 0)) == "4 // 0");
}

TEST_CASE("casts of literals are carried out", "[unit]") {
  const Var i("i"), f("f", kFloat32);
  CHECK(cast(kInt32, i).same_as(i));
  CHECK(is_int(cast(kInt8, 200), -56));
  CHECK(is_int(cast(kBool, 5), 1));
  CHECK(is_int(cast(kInt32, true), 1));
  CHECK(cast(kFloat16, 2049).as<FloatImm>()->value == 2048);
  CHECK(cast(kFloat16, make_float(kFloat64, 0.1)).as<FloatImm>()->value == from_half(to_half(0.1)));
  CHECK(cast(kInt8, f).as<Cast>() != nullptr);
  CHECK(cast(kInt64, i).dtype() == kInt64);
}

TEST_CASE("leaves, literals and variables are told apart", "[unit]") {
  const Var i("i");
  CHECK(is_leaf(i));
  CHECK(is_leaf(Expr(1)));
  CHECK(is_leaf(make_string("s")));
  CHECK_FALSE(is_leaf(i + 1));
  CHECK(Var::of(i).same_as(i));
  CHECK_FALSE(Var::of(i + 1).defined());
  CHECK(as_int(i) == nullptr);
  CHECK_FALSE(is_int(i, 0));
}

}  // namespace vantage::test::compiler_ir_expr_test
