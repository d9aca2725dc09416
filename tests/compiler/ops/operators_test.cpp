// Every operator: its types, its formula and its plain loops say the same.
#include "compiler/ops/operators.h"

#include <algorithm>

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
