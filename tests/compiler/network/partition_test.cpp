// Networks of integers on the accelerator: bit by bit what the operators' plain loops make.
#include "compiler/network/partition.h"

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/passes/plain_products.h"
#include "compiler/graph/quantize/integer_functions.h"
#include "compiler/graph/quantize/quantize_stated.h"
#include "compiler/graph/text.h"
#include "compiler/network/compile_network.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "tests/catch.h"
#include "tests/compiler/network/random_network.h"
#include "tests/compiler/network/random_pointwise.h"
#include "tests/compiler/network/random_stated.h"
#include "tests/support/effort.h"
#include "tests/support/first_mapping.h"
#include "tests/support/golden.h"
#include "tests/support/random_config.h"

namespace vantage::test::network_partition_test {

using namespace vantage;
using graph::Graph;

namespace {

// Layers of tests are so small that any processor is faster.
const network::PartitionCost kAlways{.memory = {}, .operations_per_second = 1, .bytes_per_second = 1};

std::vector<Tensor> run_on(const std::string& uri, const Graph& graph, const isa::Config& config,
                           const graph::Inputs& inputs) {
  network::CompileOptions options;
  options.config = config;
  options.find_mapping = test::first_mappings(config);
  network::CompiledNetwork compiled = network::compile_network(graph, options);
  const auto processor = driver::Processor::open("cpu:", 1);
  const auto device = driver::open_accelerator(uri, config);
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   cpu::jit(compiled.functions), *processor, device.get());
  for (const auto& [name, value] : inputs) executor.set_input(name, value);
  executor.run();
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < graph.outputs().size(); ++i) outputs.push_back(executor.output(i));
  return outputs;
}

// Of floats sums are added in another order.
void check_equal(const std::vector<Tensor>& expected, const std::vector<Tensor>& got) {
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(difference(expected[i], got[i], {0x1p-18, 0x1p-18}).value_or("") == "");
  }
}

size_t on_vta(const Graph& graph) {
  size_t count = 0;
  for (const graph::Node& node : graph.nodes()) count += node.function && node.function->device() == "vta" ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a network with parts on the accelerator makes what its plain loops make", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const char* const configs[] = {"default", "batch2", "32x32", "16x32", "8x8", "int4"};
  size_t layers = 0;
  for (int round = 0; round < test::rounds(15); ++round) {
    const isa::Config config = test::shipped_config(configs[static_cast<size_t>(round) % std::size(configs)]);
    const Graph floats = graph::plain_products(test::random_network(random));
    const graph::Inputs inputs = test::random_images(floats, random);
    graph::QuantizeOptions options = test::random_quantize_options(random);
    options.activation_bits = config.inp_bits();
    options.weight_bits = config.wgt_bits();
    options.joins_additions = config.out_bits() == 8;
    const Graph integers = graph::quantize(floats, test::statistics_of(floats, inputs), options).graph;
    const network::Partitioned parts = network::partition_for_vta(integers, config, kAlways);
    const Graph fused = graph::fuse_operators(parts.graph);
    INFO(config.name() << "\n" << to_text(fused));
    const std::vector<Tensor> expected = evaluate(integers, inputs);
    CHECK(evaluate(fused, inputs) == expected);
    check_equal(expected, run_on("fsim:", fused, config, inputs));
    layers += on_vta(fused);
    const Graph again = graph::parse_graph(to_text(fused), "parts.graph", graph::constants(fused));
    CHECK(same_structure(fused, again));
  }
  CHECK(layers >= 15);
}

TEST_CASE("a network that states its quantization makes on the accelerator what its integers make", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const char* const configs[] = {"default", "batch2", "32x32", "16x32", "8x8"};
  size_t layers = 0;
  for (int round = 0; round < test::rounds(15); ++round) {
    const isa::Config config = test::shipped_config(configs[static_cast<size_t>(round) % std::size(configs)]);
    const Graph stated = passes::run_passes(test::random_stated_network(random, 3), graph::simplifying_passes());
    const graph::Inputs inputs = test::random_stated_inputs(stated, random);
    const Graph integers = graph::quantize_as_stated(stated).quantized.graph;
    const network::Partitioned parts = network::partition_for_vta(integers, config, kAlways);
    const Graph fused = graph::fuse_operators(parts.graph);
    INFO(config.name() << "\n" << to_text(fused));
    const std::vector<Tensor> expected = evaluate(integers, inputs);
    CHECK(evaluate(fused, inputs) == expected);
    CHECK(run_on("fsim:", fused, config, inputs) == expected);
    layers += on_vta(fused);
  }
  CHECK(layers >= 20);
}

TEST_CASE("the accelerator takes products, sums and folds in all of their forms", "[unit]") {
  const isa::Config config = isa::Config::vta_default();
  std::mt19937_64 random(1);
  using Build = std::function<graph::Value(Graph&, const std::function<graph::Value(Tensor::Shape)>& weights)>;
  const auto image = [](Graph& g, Tensor::Shape shape = {1, 20, 9, 8}) { return g.input("x", {kFloat32, shape}); };
  using ops::Integers;
  // Where integers begin.
  const auto activation = [&](Graph& g, const auto& weights) {
    return g.call("conv2d", {image(g), weights({20, 20, 1, 1})});
  };
  const std::vector<std::pair<std::string, Build>> forms = {
      {"unequal steps and borders",
       [&](Graph& g, const auto& weights) {
         return g.call("conv2d", {image(g), weights({17, 20, 3, 2})},
                       {{"strides", Integers{2, 1}}, {"padding", Integers{0, 1, 2, 0}}});
       }},
      {"gaps in the kernel",
       [&](Graph& g, const auto& weights) {
         return g.call("conv2d", {image(g), weights({17, 20, 3, 3})}, {{"dilation", Integers{2, 3}}});
       }},
      {"groups that share tiles",
       [&](Graph& g, const auto& weights) {
         return g.call("conv2d", {image(g), weights({10, 10, 3, 3})}, {{"groups", int64_t{2}}});
       }},
      {"a transposed convolution",
       [&](Graph& g, const auto& weights) {
         return g.call("conv2d_transpose", {image(g), weights({20, 5, 4, 3})},
                       {{"strides", Integers{2, 3}}, {"padding", Integers{1, 0, 1, 2}}});
       }},
      {"means of windows",
       [&](Graph& g, const auto& weights) {
         return g.call("avg_pool2d", {activation(g, weights)},
                       {{"kernel", Integers{3, 2}}, {"strides", Integers{1, 2}}});
       }},
      {"the greatest of windows with gaps",
       [&](Graph& g, const auto& weights) {
         return g.call("max_pool2d", {g.call("relu", {activation(g, weights)})},
                       {{"kernel", Integers{2, 3}}, {"padding", Integers{1, 0, 0, 1}}, {"dilation", Integers{2, 1}}});
       }},
      {"a product of activations, stack by stack",
       [&](Graph& g, const auto&) {
         const graph::Value a = image(g, {2, 3, 10, 20}), b = g.input("y", {kFloat32, {3, 20, 7}});
         return g.call("matmul", {a, b});
       }},
      {"a product of an activation with itself",
       [&](Graph& g, const auto&) {
         const graph::Value a = image(g, {30, 33});
         return g.call("matmul", {a, a}, {{"transpose_b", true}});
       }},
      {"a matrix of weights that is not transposed, on rows of rows",
       [&](Graph& g, const auto& weights) {
         return g.call("matmul", {image(g, {2, 5, 20}), weights({20, 9})});
       }},
      {"an image as a row",
       [&](Graph& g, const auto& weights) {
         const graph::Value a = g.call("conv2d", {image(g, {2, 20, 4, 5}), weights({32, 20, 3, 2})});
         const graph::Value row = g.call("reshape", {g.call("relu", {a})}, {{"shape", Integers{2, -1}}});
         return g.call("dense", {row, weights({11, 256})});
       }},
      {"a sum of two activations",
       [&](Graph& g, const auto& weights) {
         const graph::Value a = g.call("max_pool2d", {activation(g, weights)}, {{"kernel", Integers{2, 2}}});
         return g.call("add", {a, g.call("relu", {a})});
       }},
  };
  for (const auto& [name, build] : forms) {
    for (const bool by_shifts : {true, false}) {
      Graph g("form");
      g.set_outputs({build(g, [&](Tensor::Shape shape) {
        Tensor tensor(kFloat32, std::move(shape));
        fill(tensor, random);
        return g.constant(std::move(tensor));
      })});
      g = graph::plain_products(std::move(g));
      const graph::Inputs inputs = test::random_images(g, random);
      graph::QuantizeOptions options;
      if (!by_shifts) options.scaling = graph::Scaling::kMultiplyShift;
      const Graph integers = graph::quantize(g, test::statistics_of(g, inputs), options).graph;
      const network::Partitioned parts = network::partition_for_vta(integers, config, kAlways);
      INFO(name << "\n" << to_text(parts.graph));
      CHECK(!parts.placements.empty());
      for (const network::Placement& placement : parts.placements) CHECK(placement.reason.empty());
      check_equal(evaluate(integers, inputs), run_on("fsim:", graph::fuse_operators(parts.graph), config, inputs));
    }
  }
}

TEST_CASE("integers that are made element by element are made so on the accelerator", "[property]") {
  std::mt19937_64 random(Catch::rngSeed() + 7);
  const char* const configs[] = {"default", "batch2", "32x32", "16x32", "8x8"};
  size_t layers = 0;
  for (int round = 0; round < test::rounds(25); ++round) {
    const isa::Config config = test::shipped_config(configs[static_cast<size_t>(round) % std::size(configs)]);
    const Graph net = test::random_pointwise(random);
    const graph::Inputs inputs = test::random_images(net, random);
    const network::Partitioned parts = network::partition_for_vta(net, config, kAlways);
    const Graph fused = graph::fuse_operators(parts.graph);
    INFO(config.name() << "\n" << to_text(net));
    const std::vector<Tensor> expected = evaluate(net, inputs);
    CHECK(evaluate(fused, inputs) == expected);
    check_equal(expected, run_on(round % 5 == 4 ? "systemc:" : "fsim:", fused, config, inputs));
    layers += on_vta(fused);
    for (const network::Placement& p : parts.placements) {
      INFO(p.node << ": " << p.reason);
      CHECK((p.device == "vta" || p.reason.find("may be") != std::string::npos));
    }
  }
  CHECK(layers >= 15);
}

TEST_CASE("activation functions of every int8 are on the accelerator what they are in a graph", "[unit]") {
  std::mt19937_64 random(1);
  for (const char* name : {"default", "batch2"}) {
    const isa::Config config = test::shipped_config(name);
    for (const char* op : {"gelu", "gelu_tanh", "silu", "sigmoid", "tanh"}) {
      const bool is_step = op[1] == 'i' ? op[2] == 'g' : op[0] == 't';
      const auto function = graph::integer_function(op, 5.0 / 127, (is_step ? 1.0 : 5.0) / 127);
      REQUIRE(function);
      Graph g("net");
      g.set_outputs({append(g, *function, g.input("x", {kInt8, {4, 64}}), "y")});
      Tensor all(kInt8, {4, 64});
      for (int64_t x = -128; x < 128; ++x) all.set_integer(x + 128, x);
      const network::Partitioned parts = network::partition_for_vta(g, config, kAlways);
      REQUIRE(parts.placements.size() == 1);
      CHECK(parts.placements[0].reason == "");
      CHECK(run_on("fsim:", graph::fuse_operators(parts.graph), config, {{"x", all}}) == evaluate(g, {{"x", all}}));
    }
  }
}

TEST_CASE("the simulators agree on a network", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const isa::Config config = isa::Config::vta_default();
  const Graph floats = test::random_network(random);
  const graph::Inputs inputs = test::random_images(floats, random);
  const Graph integers = graph::quantize(floats, test::statistics_of(floats, inputs)).graph;
  const Graph fused = graph::fuse_operators(network::partition_for_vta(integers, config, kAlways).graph);
  check_equal(evaluate(integers, inputs), run_on("systemc:", fused, config, inputs));
}

TEST_CASE("what the accelerator takes, and why it does not take the rest", "[golden]") {
  const Graph net = graph::parse_graph(R"(
graph net(%x: int8[1, 16, 6, 6], %f: float32[1, 16, 6, 6]) {
  %w = constant int8[1, 16, 1, 1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
  %four = constant int32[1] {4}
  %sums = conv2d(%x, %w)
  %shifted = right_shift(%sums, %four)
  %limited = clip(%shifted, min=0.0, max=127.0)
  %conv = cast(%limited, dtype="int8")
  %pool = max_pool2d(%conv, kernel=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])
  %wide = conv2d(%x, %w)
  %wf = constant float32[1, 16, 1, 1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
  %floats = conv2d(%f, %wf)
  %negative = max_pool2d(%x, kernel=[2, 2], padding=[1, 1, 1, 1])
  %both = max_pool2d(%x, kernel=[2, 2], strides=[2, 1])
  %int32 = cast(%x, dtype="int32")
  %square = multiply(%int32, %int32)
  %small = right_shift(%square, %four)
  %times = multiply(%small, %int32)
  %less = right_shift(%times, %four)
  %within = clip(%less, min=-127.0, max=127.0)
  %cube = cast(%within, dtype="int8")
  %y = cast(%x, dtype="int32")
  %y2 = multiply(%y, %y)
  %y4 = multiply(%y2, %y2)
  %large = multiply(%y4, %y)
  %limits = clip(%large, min=-127.0, max=127.0)
  %wraps = cast(%limits, dtype="int8")
  return %pool, %wide, %floats, %negative, %both, %cube, %wraps
}
)",
                                       "net.graph");
  const network::Partitioned parts = network::partition_for_vta(net, isa::Config::vta_default(), kAlways);
  std::string text = to_text(parts.graph) + "\n";
  for (const network::Placement& p : parts.placements) {
    text += p.node + ": " + (p.device.empty() ? p.reason : "on " + p.device) + "\n";
  }
  const std::string difference = test::compare_golden("partition.txt", text);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("what the processor does faster stays there, and says so", "[unit]") {
  Graph g("net");
  const graph::Value x = g.input("x", {kInt8, {1, 512}});
  const graph::Value sums = g.call("dense", {x, g.constant(Tensor(kInt8, {512, 512}))});
  g.set_outputs({g.call("cast", {g.call("clip", {sums}, {{"min", 0.0}, {"max", 127.0}})}, {{"dtype", kInt8}}, "y")});
  const isa::Config config = isa::Config::vta_default();
  const auto placed = [&](double operations_per_second) {
    return network::partition_for_vta(g, config, {.memory = {}, .operations_per_second = operations_per_second})
        .placements.at(0);
  };
  // 262,144 products; the accelerator reads the weights in 32,768 cycles.
  CHECK(placed(0.7e9).device == "vta");
  CHECK(placed(0.9e9).device.empty());
  CHECK(placed(0.9e9).reason.starts_with("a processor would take some 0.29 ms"));
}

TEST_CASE("a network is not run on another configuration, or without an accelerator", "[unit]") {
  std::mt19937_64 random(1);
  Graph g("net");
  const graph::Value x = g.input("x", {kInt8, {1, 16}});
  const graph::Value sums = g.call("dense", {x, g.constant(Tensor(kInt8, {16, 16}))});
  g.set_outputs({g.call("cast", {g.call("clip", {sums}, {{"min", 0.0}, {"max", 127.0}})}, {{"dtype", kInt8}})});
  const isa::Config config = isa::Config::vta_default();
  const Graph fused = graph::fuse_operators(network::partition_for_vta(g, config, kAlways).graph);
  network::CompileOptions options;
  CHECK_THROWS_WITH(network::compile_network(fused, options), ContainsSubstring("no configuration is given"));
  options.config = config;
  network::CompiledNetwork compiled = network::compile_network(fused, options);
  const auto shared = std::make_shared<const Network>(compiled.network);
  const auto processor = driver::Processor::open("cpu:", 1);
  const std::vector<native::Function> functions = cpu::jit(compiled.functions);
  CHECK_THROWS_WITH(driver::NetworkExecutor(shared, functions, *processor, nullptr),
                    ContainsSubstring("there is no accelerator"));
  const auto other = driver::open_accelerator("fsim:", test::shipped_config("32x32"));
  CHECK_THROWS_WITH(driver::NetworkExecutor(shared, functions, *processor, other.get()),
                    ContainsSubstring("is compiled for 1x16_i8w8a32_15_15_18_17"));
}

}  // namespace vantage::test::network_partition_test
