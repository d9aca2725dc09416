// Products of the processor on panels: the same results, in panels where that pays.
#include "compiler/network/pack_products.h"

#include <algorithm>

#include "base/tensor/compare.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/evaluate.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/network/compile_network.h"
#include "compiler/network/processor_functions.h"
#include "driver/runtime/executor.h"
#include "tests/catch.h"
#include "tests/compiler/graph/random_graph.h"
#include "tests/compiler/network/random_product.h"
#include "tests/support/effort.h"

namespace vantage::test::pack_products_test {

using namespace vantage;
using graph::Graph;
using graph::Value;

namespace {

bool has_panels(const Graph& graph) {
  return to_text(graph).find("= panel_") != std::string::npos;
}

}  // namespace

TEST_CASE("products in panels make what products make", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  int in_panels = 0;
  for (int round = 0; round < test::rounds(40); ++round) {
    const Graph plain = test::random_product(random);
    const Graph fused = graph::fuse_operators(plain, round % 3 == 0 ? graph::Fusion::kNone : graph::Fusion::kAll);
    INFO(to_text(plain));
    in_panels += has_panels(network::pack_products(fused, cpu::host_target())) ? 1 : 0;
    const int threads = 1 + round % 2;
    const auto processor = driver::Processor::open("cpu:", threads);
    network::CompiledNetwork compiled = network::compile_network(fused, {.threads = threads});
    driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                     cpu::jit(compiled.functions), *processor, nullptr);
    const graph::Inputs inputs = test::random_inputs(plain, random);
    for (const auto& [name, value] : inputs) executor.set_input(name, value);
    executor.run();
    const Tensor expected = evaluate(plain, inputs)[0];
    CHECK(difference(expected, executor.output(0), {0x1p-16, 0x1p-16}).value_or("") == "");
  }
  CHECK(in_panels > test::rounds(40) / 5);
}

TEST_CASE("products in panels are scheduled for processors of any kind", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(6);) {
    cpu::Target target = cpu::host_target();
    target.vector_bytes = 16 << round % 3;
    target.vector_registers = round % 2 == 0 ? 16 : 32;
    // Rows that are more than the cache holds.
    target.l2_bytes = 4096;
    const Graph plain = test::random_product(random);
    const Graph packed = network::pack_products(graph::fuse_operators(plain), target);
    if (!has_panels(packed)) continue;
    INFO(to_text(packed));
    ++round;
    const graph::Inputs inputs = test::random_inputs(plain, random);
    const Tensor expected = evaluate(plain, inputs)[0];
    CHECK(difference(expected, evaluate(packed, inputs)[0], {0x1p-16, 0x1p-16}).value_or("") == "");
    network::ProcessorFunctions functions;
    for (const graph::Node& node : packed.nodes()) {
      if (node.function != nullptr && has_panels(*node.function)) functions.add(*node.function);
    }
    const ir::PrimFunc defined = functions.functions().at(0);
    const ir::PrimFunc scheduled = network::schedule_functions(functions.functions(), target, 2).at(0);
    std::vector<Tensor> arguments;
    for (const ir::Buffer& buffer : defined.buffers()) {
      Tensor::Shape shape;
      for (const ir::Expr& extent : buffer->shape) shape.push_back(*ir::as_int(extent));
      arguments.push_back(test::random_floats(random, shape));
    }
    const auto run = [&](const ir::PrimFunc& function) {
      std::vector<Tensor> tensors = arguments;
      std::vector<ir::Argument> given;
      for (Tensor& tensor : tensors) given.emplace_back(&tensor);
      ir::interpret(function, given, {.externs = {}, .check_parallel = true});
      return tensors.back();
    };
    CHECK(difference(run(defined), run(scheduled), {0x1p-16, 0x1p-16}).value_or("") == "");
  }
}

TEST_CASE("a constant is packed once, and few rows are multiplied as they are", "[unit]") {
  std::mt19937_64 random(5);
  const Tensor weights = test::random_floats(random, {64, 64});
  const auto network = [&](int64_t rows) {
    Graph g("twice");
    const Value x = g.input("x", {kFloat32, {rows, 64}}), w = g.constant(weights, "w");
    g.set_outputs({g.call("dense", {g.call("dense", {x, w}), w})});
    return network::compile_network(g).network;
  };
  const auto constants = [](const Network& of) {
    std::vector<std::string> names;
    for (const NetworkTensor& tensor : of.tensors) {
      if (tensor.constant) names.push_back(tensor.name);
    }
    return names;
  };
  CHECK(constants(network(64)) == std::vector<std::string>{"w.panels"});
  CHECK(constants(network(1)) == std::vector<std::string>{"w"});
}

TEST_CASE("a function that asks for a schedule rule that there is not is refused", "[unit]") {
  Graph g("g");
  g.set_outputs({g.call("relu", {g.input("x", {kFloat32, {4}})})});
  network::ProcessorFunctions functions;
  functions.add(g);
  ir::PrimFunc function = functions.functions()[0];
  function.annotations["schedule_rule"] = ir::make_string("panel");
  CHECK_THROWS_WITH(network::schedule_functions({function}, cpu::host_target(), 1),
                    ContainsSubstring("there is no schedule rule \"panel\""));
}

}  // namespace vantage::test::pack_products_test
