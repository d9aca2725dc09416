// Networks on the processor: what steps in shared memory make is what the operators' plain loops make.
#include "driver/runtime/executor.h"

#include <algorithm>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/network/compile_network.h"
#include "tests/catch.h"
#include "tests/compiler/graph/random_graph.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::runtime_executor_test {

using namespace vantage;
using driver::NetworkExecutor;
using graph::Graph;
using graph::Node;
using graph::Value;

namespace {

// Where rounding decides which integer a sum becomes, another order of its terms may make another one.
bool rounds_to_integers(const Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](const Node& node) {
    return node.is_call("cast") && node.types[0].dtype.is_int() && graph.type(node.inputs[0]).dtype.is_float();
  });
}

struct Compiled {
  std::unique_ptr<driver::Processor> processor;
  std::unique_ptr<NetworkExecutor> executor;

  explicit Compiled(const Graph& graph, int threads = 1) : processor(driver::Processor::open("cpu:", threads)) {
    network::CompiledNetwork compiled = network::compile_network(graph, {.threads = threads});
    executor = std::make_unique<NetworkExecutor>(std::make_shared<const Network>(std::move(compiled.network)),
                                                 cpu::jit(compiled.functions), *processor, nullptr);
  }
  std::vector<Tensor> operator()(const Graph& graph, const graph::Inputs& inputs) const {
    for (const auto& [name, value] : inputs) executor->set_input(name, value);
    executor->run();
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < graph.outputs().size(); ++i) outputs.push_back(executor->output(i));
    return outputs;
  }
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a compiled network makes what its graph makes, again and again", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(12);) {
    const Graph plain = test::random_graph(random, 1 + round % 12);
    if (rounds_to_integers(plain)) continue;
    ++round;
    const Graph graph = graph::fuse_operators(plain, round % 2 == 0 ? graph::Fusion::kAll : graph::Fusion::kNone);
    INFO(to_text(graph));
    const Compiled compiled(graph, 1 + round % 2);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const graph::Inputs inputs = test::random_inputs(plain, random);
      const std::vector<Tensor> expected = evaluate(plain, inputs), got = compiled(graph, inputs);
      for (size_t i = 0; i < expected.size(); ++i) {
        CHECK(difference(expected[i], got[i], {0x1p-16, 0x1p-16}).value_or("") == "");
      }
    }
    // With what it has.
    compiled.executor->run();
  }
}

TEST_CASE("steps of a network share memory", "[unit]") {
  // The input's, the output's, and what lies between: a tensor that is read as the next one is written.
  const auto chain = [](std::string_view op, const graph::GivenAttributes& attributes, size_t slots) {
    Graph g("chain");
    const Value x = g.input("x", {kFloat32, {8, 8}});
    Value value = x;
    for (int i = 0; i < 10; ++i) value = g.call(op, {value}, attributes);
    g.set_outputs({g.call("reshape", {value}, {{"shape", ops::Integers{64}}})});
    const Network network = network::compile_network(g).network;
    CHECK(network.host_slots.size() == slots);
    CHECK(network.steps.size() == 10);
    CHECK(network.functions.size() == 1);
  };
  chain("transpose", {{"order", ops::Integers{1, 0}}}, 3);
  // Or one that is written over.
  chain("sigmoid", {}, 2);
}

TEST_CASE("a value that is read twice, or kept, is not written over", "[property]") {
  const Graph g = graph::parse_graph(
      "graph g(%x: float32[64, 100], %y: float32[64, 100]) {\n"
      "  %a = add(%x, %y)\n  %b = multiply(%a, %a)\n  %c = subtract(%b, %a)\n  %d = relu(%c)\n"
      "  %e = multiply(%d, %c)\n  %f = reshape(%e, shape=[100, 64])\n  %h = exp(%f)\n  return %c, %f, %h\n}\n",
      "g");
  for (const int threads : {1, 2}) {
    const Compiled compiled(g, threads);
    std::mt19937_64 random = test::generator(3);
    const graph::Inputs inputs = test::random_inputs(g, random);
    const std::vector<Tensor> expected = evaluate(g, inputs), got = compiled(g, inputs);
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(difference(expected[i], got[i], {0x1p-16, 0x1p-16}).value_or("") == "");
    }
    // x; y; b, then c; a, then d, e and f; h.
    CHECK(compiled.executor->network().host_slots.size() == 5);
  }
}

TEST_CASE("a network is told what it is given wrong", "[unit]") {
  Graph g("net");
  const Value image = g.input("image", {kFloat32, {2, 3}});
  g.set_outputs({g.call("relu", {image})});
  const Compiled net(g);
  CHECK(message_of([&] {
          net.executor->set_input("imge", Tensor(kFloat32, {2, 3}));
        }) == "net has no input imge; did you mean 'image'?");
  CHECK(message_of([&] {
          net.executor->set_input("image", Tensor(kFloat32, {3, 2}));
        }) == "input image is float32[3, 2], expected float32[2, 3]");
}

}  // namespace vantage::test::runtime_executor_test
