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
std::string wrong(const graph::Graph& compiled_from, const graph::Graph& other, const Tensor& x) {
  network::CompiledNetwork compiled = network::compile_network(compiled_from);
  const auto processor = driver::Processor::open("cpu:", 1);
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   cpu::jit(compiled.functions), *processor, nullptr);
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
  Tensor x(kFloat32, {2, 3});
  for (int64_t e = 0; e < x.size(); ++e) x.set_number(e, static_cast<double>(e));
  CHECK(wrong(network("0.5", "3"), network("0.5", "3"), x).empty());
  CHECK_THAT(wrong(network("0.5", "3"), network("0.25", "3"), x), ContainsSubstring("sum: "));
  // Behind a step that is right, one is wrong; what follows it is right again.
  CHECK_THAT(wrong(network("0.5", "3"), network("0.5", "4"), x), ContainsSubstring("product: "));
}

TEST_CASE("what narrow floats inside of a step round to the other side is right", "[unit]") {
  const auto scaled = [](const std::string& by) {
    return graph::parse_graph(
        "graph scaled(%p0: float32[64, 64], %p1: float32[1]) {\n  %product = multiply(%p0, %p1)\n"
        "  %half = cast(%product, dtype=\"float16\")\n  %back = cast(%half, dtype=\"float32\")\n  return %back\n}\n"
        "graph g(%x: float32[64, 64]) {\n  %c = constant float32[1] {" +
            by + "}\n  %y = @scaled(%x, %c)\n  return %y\n}\n",
        "g");
  };
  std::mt19937_64 random(1);
  Tensor x(kFloat32, {64, 64});
  fill(x, random);
  CHECK(wrong(scaled("1"), scaled("1.0000005"), x).empty());
  CHECK_THAT(wrong(scaled("1"), scaled("1.01"), x), ContainsSubstring("y: "));
}

TEST_CASE("what is left of sums that cancel is as right as they are", "[unit]") {
  const auto mean = [](const std::string& offset) {
    return graph::parse_graph(
        "graph shifted(%p0: float32[2, 4096], %p1: float32[1]) {\n  %sum = add(%p0, %p1)\n"
        "  %mean = mean(%sum, axes=[1])\n  return %mean\n}\n"
        "graph g(%x: float32[2, 4096]) {\n  %c = constant float32[1] {" +
            offset + "}\n  %y = @shifted(%x, %c)\n  return %y\n}\n",
        "g");
  };
  std::mt19937_64 random(1);
  Tensor x(kFloat32, {2, 4096});
  fill(x, random);
  for (int64_t e = 0; e < 2048; ++e) {
    x.set_number(2048 + e, -x.number(e));
    x.set_number(6144 + (e * 5) % 2048, -x.number(4096 + e));
  }
  CHECK(wrong(mean("0"), mean("0"), x).empty());
  CHECK_THAT(wrong(mean("0"), mean("0.0001"), x), ContainsSubstring("y: "));
}

}  // namespace vantage::test::workload_node_check_test
