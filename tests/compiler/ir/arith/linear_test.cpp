#include "compiler/ir/arith/linear.h"

#include <limits>

#include "compiler/ir/printer.h"
#include "tests/catch.h"

namespace vantage::test::compiler_ir_arith_linear_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

std::string text(const Expr& e) {
  return to_text(Linear::of(e).to_expr(e.dtype()));
}

}  // namespace

TEST_CASE("an expression becomes a sum of atoms", "[unit]") {
  const Var i("i"), j("j"), n("n");
  const Linear sum = Linear::of((i + j * 4 - 3) * 2 - i + floor_div(i, 2));
  CHECK(sum.constant == -6);
  CHECK(sum.terms.size() == 3);
  CHECK(sum.factor_of(i) == 1);
  CHECK(sum.factor_of(j) == 8);
  CHECK(sum.factor_of(floor_div(i, 2)) == 1);
  CHECK(sum.factor_of(n) == 0);
  CHECK_FALSE(sum.is_constant());
  CHECK(Linear::of(i * 3 - i - i * 2 + 7).is_constant());
  CHECK(Linear::of(i * 6 - j * 4 + 1).factor_gcd() == 2);
  CHECK(Linear::of(Expr(5)).factor_gcd() == 0);
  Linear more = sum;
  more.add(Linear::of(j - 1), -8);
  CHECK(more.factor_of(j) == 0);
  CHECK(more.constant == 2);
}

TEST_CASE("sums print with the positive terms first", "[unit]") {
  const Var i("i"), j("j"), n("n"), m("m");
  CHECK(text(i + 4 - 4) == "i");
  CHECK(text(0 - i) == "0 - i");
  CHECK(text(5 - i) == "5 - i");
  CHECK(text(0 - i - 5) == "0 - i - 5");
  CHECK(text(j - i * 2 + 1) == "j - i * 2 + 1");
  CHECK(text(0 - i * 2 + j) == "j - i * 2");
  CHECK(text(0 - i * 2 - 4) == "i * (-2) - 4");
  CHECK(text(i - i + 3) == "3");
  CHECK(text((n + 1) * m) == "n * m + m");
  CHECK(text((n + 1) * (m - 2)) == "n * m + m - n * 2 - 2");
  CHECK(text((n + i) * (n + i) - n * n) == "n * i + i * n + i * i");
}

TEST_CASE("literals at the edge of their type survive", "[unit]") {
  const Var i("i"), l("l", kInt64);
  const int64_t least = std::numeric_limits<int64_t>::min();
  CHECK(text(i + std::numeric_limits<int32_t>::min()) == "i + (-2147483648)");
  CHECK(text(0 - i - std::numeric_limits<int32_t>::max() - 1) == "0 - i + (-2147483648)");
  CHECK(text(i * std::numeric_limits<int32_t>::min()) == "i * (-2147483648)");
  CHECK(text(i + std::numeric_limits<int32_t>::max()) == "i + 2147483647");
  CHECK(text(i + std::numeric_limits<int32_t>::max() + 2) == "i + 2147483647 + 2");
  CHECK(text(i + std::numeric_limits<int32_t>::min() - 3) == "i + (-2147483648) - 3");
  CHECK(text(std::numeric_limits<int32_t>::max() - i + 2) == "0 - i + 2147483647 + 2");
  CHECK(text(i * 65536 * 65536 * 3 + 1) == "1");
  CHECK(text(l + make_int(kInt64, least)) == "l + T.int64(-9223372036854775808)");
  CHECK(text(l * make_int(kInt64, least)) == "l * T.int64(-9223372036854775808)");
}

TEST_CASE("sums that are too large to count with are no sums", "[unit]") {
  const Var l("l", kInt64), m("m", kInt64);
  const Expr large = make_int(kInt64, int64_t{1} << 62);
  for (const Expr& e : {l + large, l * large, (l + (int64_t{1} << 40)) * (m + (int64_t{1} << 40)), l - (0 - large)}) {
    const Linear whole = Linear::of(e);
    CHECK(whole.exact);
    CHECK(whole.terms.size() == 1);
    CHECK(whole.terms[0].atom.same_as(e));
  }
  Linear sum = Linear::of(l * (int64_t{1} << 59));
  sum.add(Linear::of(l * (int64_t{1} << 59)), 2);
  CHECK(sum.exact);
  sum.add(Linear::of(l), int64_t{1} << 60);
  CHECK_FALSE(sum.exact);
  Linear constant = Linear::of(make_int(kInt64, int64_t{1} << 60));
  constant.add_constant(int64_t{1} << 60, 2);
  CHECK_FALSE(constant.exact);
}

}  // namespace vantage::test::compiler_ir_arith_linear_test
