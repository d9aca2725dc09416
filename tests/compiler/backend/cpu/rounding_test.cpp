// What is rounded before it is added: values that one number scales, as files of integers have them.
#include <random>

#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::backend_cpu_rounding_test {

using namespace vantage;
using namespace vantage::te;

namespace {

constexpr int64_t kTerms = 49, kSums = 200;

// Sums of integers by these scales, of which there is one without axes, or one in a tensor, or a literal.
enum class Scale { kScalar, kElement, kLiteral };
ir::PrimFunc sums_of_scaled(Scale scale) {
  const te::Tensor x = placeholder({kSums, kTerms}, kInt8, "X");
  const te::Tensor s =
      placeholder(scale == Scale::kElement ? std::vector<Expr>{1} : std::vector<Expr>{}, kFloat32, "S");
  const te::ReduceAxis k = reduce_axis(kTerms, "k");
  const te::Tensor y = compute(
      {kSums},
      [&](Expr i) {
        const Expr by = scale == Scale::kLiteral ? Expr(0.0123F) : scale == Scale::kElement ? s(0) : s();
        return sum(cast(kFloat32, x(i, k)) * by, {k});
      },
      "Y");
  return scale == Scale::kLiteral ? create_prim_func({x, y}, "sums") : create_prim_func({x, s, y}, "sums");
}

}  // namespace

TEST_CASE("values that one number scales are rounded before they are added", "[unit]") {
  std::mt19937_64 random(1);
  for (const Scale scale : {Scale::kScalar, Scale::kElement, Scale::kLiteral}) {
    const ir::PrimFunc f = sums_of_scaled(scale);
    vantage::Tensor x(kInt8, {kSums, kTerms});
    fill(x, random);
    std::vector<test::Input> inputs = {x};
    if (scale != Scale::kLiteral) {
      vantage::Tensor s(kFloat32, scale == Scale::kElement ? vantage::Tensor::Shape{1} : vantage::Tensor::Shape{});
      s.set_number(0, 0.0123F);
      inputs.emplace_back(s);
    }
    inputs.emplace_back(vantage::Tensor(kFloat32, {kSums}));
    CHECK(std::get<vantage::Tensor>(test::run_compiled(cpu::jit(f), inputs).back()) ==
          std::get<vantage::Tensor>(test::run_interpreted(f, inputs).back()));
  }
}

}  // namespace vantage::test::backend_cpu_rounding_test
