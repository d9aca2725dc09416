#include "workload/elementwise.h"

#include "compiler/backend/vta/lower.h"
#include "compiler/ops/elementwise/search.h"
#include "driver/open/open.h"
#include "tests/catch.h"
#include "tests/support/generator.h"
#include "tests/support/random_config.h"

namespace vantage::test::workload_elementwise_test {

using namespace vantage;
using namespace vantage::workload;

TEST_CASE("elementwise layers give what plain loops do", "[property]") {
  std::mt19937_64 random = test::generator(3);
  for (const char* name : {"default", "batch2", "int4", "32x32"}) {
    const auto config = test::shipped_config(name);
    const auto device = driver::open_accelerator("fsim:", config);
    const int largest = (1 << (config.out_bits() - 1)) - 1;
    for (const auto op : {isa::AluOp::kAdd, isa::AluOp::kMul, isa::AluOp::kMin, isa::AluOp::kMax}) {
      std::optional<int> immediate;
      if (random() % 2 == 0) immediate = static_cast<int16_t>(random());
      const ops::Elementwise layer = ops::combination(1 + static_cast<int64_t>(random() % 3000), op, immediate,
                                                      static_cast<int>(random() % 9), -largest - 1, largest);
      const auto tiling = ops::search_elementwise(layer, config).tiling;
      const Program program = vta::compile(ops::schedule_elementwise(layer, tiling, config).function(), config);
      const Tensor a = random_elementwise_operand(layer, config, random);
      std::optional<Tensor> b;
      if (layer.operands > 1) b = random_elementwise_operand(layer, config, random);
      const auto run = run_elementwise(*device, layer, program, a, b);
      INFO(name << " " << isa::name(op) << " " << layer.size);
      CHECK(first_value_difference(elementwise_reference(layer, config, a, b), run.values) == "");
    }
  }
}

TEST_CASE("a wrong value is named", "[unit]") {
  Tensor expected(kInt32, {3}), got = expected;
  CHECK(first_value_difference(expected, got).empty());
  got.set_integer(1, 4);
  CHECK(first_value_difference(expected, got) == "first mismatch at value 1: expected 0, got 4");
}

}  // namespace vantage::test::workload_elementwise_test
