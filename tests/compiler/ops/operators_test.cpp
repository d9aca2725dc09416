// Every operator: its types, its formula and its plain loops say the same.
#include "compiler/ops/operators.h"

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "base/tensor/compare.h"
#include "compiler/ops/operator_list.h"
#include "tests/catch.h"
#include "tests/compiler/ops/random_call.h"
#include "tests/support/effort.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::ops_operators_test {

using namespace vantage;

TEST_CASE("an operator's formula makes what its plain loops make, of the types that it says", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (const ops::Operator& op : ops::operators()) {
    for (int round = 0; round < test::rounds(12); ++round) {
      const test::RandomCall call = test::random_call(op, random);
      INFO(test::describe(call));
      const std::vector<TensorType> types = ops::infer(op, call.call);
      std::vector<const Tensor*> operands;
      for (const Tensor& operand : call.operands) operands.push_back(&operand);
      const std::vector<Tensor> expected = op.reference(call.call, operands), got = test::by_formula(call);
      REQUIRE(expected.size() == types.size());
      REQUIRE(got.size() == types.size());
      for (size_t i = 0; i < types.size(); ++i) {
        CHECK(describe(type_of(expected[i])) == describe(types[i]));
        CHECK(describe(type_of(got[i])) == describe(types[i]));
        CHECK(difference(expected[i], got[i], {0x1p-18, 0x1p-18}).value_or("") == "");
      }
    }
  }
}

TEST_CASE("floats of 16 bits are added up in 32, and rounded once", "[unit]") {
  const auto check = [](const char* name, const Tensor::Shape& shape, double value,
                        std::vector<std::pair<std::string, ops::Attribute>> given = {}) {
    for (const DType dtype : {kFloat16, kBFloat16}) {
      const ops::Operator& op = ops::find_operator(name);
      test::RandomCall call{&op, {{{dtype, shape}}, ops::Attributes(op.attributes, given)}, {Tensor(dtype, shape)}};
      for (int64_t e = 0; e < call.operands[0].size(); ++e) call.operands[0].set_number(e, value);
      INFO(test::describe(call));
      const auto expected = op.reference(call.call, {&call.operands[0]}), got = test::by_formula(call);
      CHECK(difference(expected[0], got[0], {0x1p-7, 0}).value_or("") == "");
      CHECK(std::isfinite(got[0].number(0)));
    }
  };
  check("sum", {2, 5000}, 1, {{"axes", ops::Integers{1}}});
  check("mean", {2, 5000}, 100, {{"axes", ops::Integers{1}}});
  check("prod", {12}, 0.9);
  check("cumsum", {3000}, 1, {{"axis", int64_t{0}}});
  check("softmax", {1, 5000}, 3);
  check("log_softmax", {1, 5000}, 3);
  check("global_avg_pool2d", {1, 1, 56, 56}, 30);
  check("avg_pool2d", {1, 1, 50, 50}, 2000, {{"kernel", ops::Integers{50, 50}}});
}

TEST_CASE("every operator says what it is for", "[unit]") {
  std::vector<std::string> names;
  for (const ops::Operator& op : ops::operators()) {
    INFO(op.name);
    CHECK_FALSE(op.meaning.empty());
    CHECK_FALSE(op.inputs.empty());
    CHECK(&ops::find_operator(op.name) == &op);
    for (size_t i = 0; i + 1 < op.inputs.size(); ++i) CHECK(op.inputs[i].count == ops::OperatorInput::Count::kOne);
    names.push_back(op.name);
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("docs/graphs.md has the operators that there are", "[golden]") {
  const std::filesystem::path file = test::source_dir() / "docs" / "graphs.md";
  std::string page = read_file(file, Bytes(1 << 20));
  const size_t begin = page.find("- **`", page.find("## Operators"));
  REQUIRE(begin != std::string::npos);
  const size_t end = std::min(page.find("\n\n", begin), page.size() - 1) + 1;
  if (test::updates_goldens()) {
    write_file(file, page.replace(begin, end - begin, ops::operator_list()));
  } else {
    CHECK(page.substr(begin, end - begin) == ops::operator_list());
  }
}

}  // namespace vantage::test::ops_operators_test
