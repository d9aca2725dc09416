// A step that makes something else than its node is found, and named.
#include "workload/node_check.h"

#include "base/tensor/random.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/text.h"
#include "compiler/network/compile_network.h"
#include "tests/catch.h"

namespace vantage::test::workload_node_check_test {

using namespace vantage;

namespace {

graph::Graph network(const std::string& offset, const std::string& slope) {
  return graph::parse_graph(
      "graph g(%x: float32[2, 3]) {\n  %c = constant float32[1] {" + offset + "}\n  %d = constant float32[1] {" +
          slope +
          "}\n  %sum = add(%x, %c)\n  %product = multiply(%sum, %d)\n"
          "  %rounded = round(%product)\n  %small = cast(%rounded, dtype=\"int8\")\n  return %small\n}\n",
      "g");
}

// What a check by `other` says of the first step of `compiled` that it finds something wrong with.
std::string wrong(const graph::Graph& compiled_from, const graph::Graph& other) {
  network::CompiledNetwork compiled = network::compile_network(compiled_from);
  const auto processor = driver::Processor::open("cpu:", 1);
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   cpu::jit(compiled.functions), *processor, nullptr);
  Tensor x(kFloat32, {2, 3});
  for (int64_t e = 0; e < x.size(); ++e) x.set_number(e, static_cast<double>(e));
  executor.set_input("x", x);
  workload::NodeCheck check(other, executor);
  std::string found;
  executor.run([&](const driver::StepRun& run) {
    if (found.empty()) found = check(run.step).value_or("");
  });
  return found;
}

}  // namespace

TEST_CASE("every step is compared with its node on the values that it had", "[unit]") {
  CHECK(wrong(network("0.5", "3"), network("0.5", "3")).empty());
  CHECK_THAT(wrong(network("0.5", "3"), network("0.25", "3")), ContainsSubstring("sum: "));
  // Behind a step that is right, one is wrong; what follows it is right again.
  CHECK_THAT(wrong(network("0.5", "3"), network("0.5", "4")), ContainsSubstring("product: "));
}

}  // namespace vantage::test::workload_node_check_test
