// Whole networks on a GPU: what they make is what their graphs say, all at once and step by step, compiled in this
// process or from a file.
#include <dlfcn.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tensor/compare.h"
#include "base/tensor/npy.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/network/gpu_functions.h"
#include "driver/cuda/gpu.h"
#include "frontend/models/models.h"
#include "tests/catch.h"
#include "tests/compiler/network/random_network.h"
#include "tests/driver/cuda/network_on_gpu.h"
#include "tests/support/cli.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"
#include "workload/node_check.h"
#include "workload/prepared_network.h"

namespace vantage::test::driver_cuda_gpu_network_test {

using namespace vantage;
using graph::Graph;
using graph::Value;
using ops::Integers;

namespace {

Tensor random_weights(std::mt19937_64& random, Tensor::Shape shape) {
  Tensor values(kFloat32, std::move(shape));
  std::uniform_real_distribution<double> distribution(-0.25, 0.25);
  for (int64_t e = 0; e < values.size(); ++e) values.set_number(e, distribution(random));
  return values;
}

Value convolution(Graph& g, std::mt19937_64& random, Value x, int64_t channels, int64_t stride) {
  const Value w = g.constant(random_weights(random, {channels, g.type(x).shape[1], 3, 3}), "w");
  const Value b = g.constant(random_weights(random, {channels, 1, 1}), "b");
  const Value sums =
      g.call("conv2d", {x, w}, {{"strides", Integers{stride, stride}}, {"padding", Integers{1, 1, 1, 1}}});
  return g.call("add", {sums, b});
}

Value classes(Graph& g, std::mt19937_64& random, Value x) {
  const int64_t features = g.type(x).size();
  const Value row = g.call("reshape", {x}, {{"shape", Integers{1, features}}});
  const Value w = g.constant(random_weights(random, {10, features}), "w");
  return g.call("softmax", {g.call("dense", {row, w})});
}

// Convolutions one after another, pooling, and a dense layer.
Graph plain_net(std::mt19937_64& random) {
  Graph g("plain");
  Value x = g.input("image", {kFloat32, {1, 3, 16, 16}});
  x = g.call("relu", {convolution(g, random, x, 8, 1)});
  x = g.call("max_pool2d", {x}, {{"kernel", Integers{2, 2}}, {"strides", Integers{2, 2}}});
  x = g.call("relu", {convolution(g, random, x, 16, 1)});
  g.set_outputs({classes(g, random, x)});
  return g;
}

// Sums of what was and what is made of it, two of them alike.
Graph residual_net(std::mt19937_64& random) {
  Graph g("residual");
  Value x = g.call("relu", {convolution(g, random, g.input("image", {kFloat32, {1, 3, 16, 16}}), 8, 2)});
  for (int block = 0; block < 2; ++block) {
    const Value inner = g.call("relu", {convolution(g, random, x, 8, 1)});
    x = g.call("relu", {g.call("add", {convolution(g, random, inner, 8, 1), x})});
  }
  g.set_outputs({classes(g, random, x), x});
  return g;
}

// Networks that are compiled once for all tests.
struct Case {
  Graph floats;
  NetworkForGpu network;
  graph::Inputs inputs;

  Case(Graph graph, std::mt19937_64& random)
      : floats(std::move(graph)), network(floats), inputs(test::random_images(floats, random)) {}
};

const Case& plain_case() {
  static std::mt19937_64 random(1);
  static const Case kCase(plain_net(random), random);
  return kCase;
}

const Case& residual_case() {
  static std::mt19937_64 random(2);
  static const Case kCase(residual_net(random), random);
  return kCase;
}

void check_near(const std::vector<Tensor>& expected, const std::vector<Tensor>& got) {
  REQUIRE(expected.size() == got.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(difference(expected[i], got[i], {0x1p-16, 0x1p-16}).value_or("") == "");
  }
}

void check_on(const Case& one, const driver::CudaOptions& options, std::mt19937_64& random) {
  const RunningNetwork running = one.network.on(options);
  // The first time one by one, from the second on as a CUDA graph.
  for (int repeat = 0; repeat < 3; ++repeat) {
    const graph::Inputs inputs = test::random_images(one.floats, random);
    const std::vector<Tensor> whole = running.run(inputs);
    check_near(evaluate(one.floats, inputs), whole);
    CHECK(running.step(inputs) == whole);
  }
  CHECK(running.executor->time({.number = 2, .repeat = 3}).samples.size() == 3);
}

}  // namespace

TEST_CASE("a network runs on a GPU as its graph says, step by step and all at once", "[unit]") {
  std::mt19937_64 random(1);
  for (const Case* one : {&plain_case(), &residual_case()}) {
    INFO(to_text(one->floats));
    for (const driver::CudaOptions& options : {stand_in_here(), some_gpu()}) check_on(*one, options, random);
    // Some drivers make no graphs.
    const Variable knob("STAND_IN_NO_GRAPHS", "1");
    check_on(*one, stand_in_here(), random);
  }
}

TEST_CASE("a whole run is one CUDA graph from the second time on", "[unit]") {
  const Case& one = plain_case();
  const RunningNetwork running = one.network.on(stand_in_here());
  void* library = dlopen(VANTAGE_STAND_IN_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library != nullptr);
  const auto graphs = reinterpret_cast<long (*)()>(dlsym(library, "stand_in_graph_launches"));
  const long before = graphs();
  running.run(one.inputs);
  CHECK(graphs() == before);
  running.run(one.inputs);
  running.run(one.inputs);
  CHECK(graphs() == before + 2);
}

TEST_CASE("random networks run on a GPU as their graphs say", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(2); ++round) {
    const Graph floats = test::random_network(random);
    INFO(to_text(floats));
    const NetworkForGpu network(floats);
    const RunningNetwork running = network.on(some_gpu());
    const graph::Inputs images = test::random_images(floats, random);
    running.give(images);
    // Every step by itself, so that what one rounds otherwise is not the next one's fault.
    workload::NodeCheck check(network.graph(), *running.executor);
    running.executor->run([&](const driver::StepRun& step) { CHECK(check(step.step).value_or("") == ""); });
    const std::vector<Tensor> expected = running.outputs();
    // Streams take turns in another order every time.
    for (int repeat = 0; repeat < 4; ++repeat) {
      running.give(images);
      running.executor->run();
      CHECK(running.outputs() == expected);
    }
  }
}

TEST_CASE("models that are built in code run on a GPU", "[property]") {
  std::mt19937_64 random = test::generator(1);
  std::vector<std::string> names = {"resnet8"};
  // These take minutes where threads are the processor's.
  if (test::rounds(1) >= 20) names.insert(names.end(), {"mobilenet", "resnet18", "vgg16"});
  const Variable memory("STAND_IN_MEMORY", "2147483648");
  for (const std::string& name : names) {
    INFO(name);
    const Graph floats = workload::simplified(models::find_model(name).build(models::seeded_weights(1)));
    const NetworkForGpu network(floats);
    const RunningNetwork running = network.on(some_gpu());
    const graph::Inputs inputs = test::random_images(floats, random);
    const std::vector<Tensor> whole = running.run(inputs);
    CHECK(running.run(inputs) == whole);
    workload::NodeCheck check(network.graph(), *running.executor);
    running.executor->run([&](const driver::StepRun& step) { CHECK(check(step.step).value_or("") == ""); });
    CHECK(running.outputs() == whole);
  }
}

TEST_CASE("a network for GPUs that was saved and loaded makes the same, to the bit", "[unit]") {
  const auto& [floats, network, inputs] = residual_case();
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "net.tar";
  for (const driver::CudaOptions& options : {stand_in_apart(), some_gpu()}) {
    const std::vector<Tensor> expected = network.on(options).run(inputs);
    save_model(network.archive(options), path);
    const ModelArchive loaded = load_model(path);
    REQUIRE(loaded.gpu_code.size() == 1);
    const auto gpu = driver::Cuda::open("cuda:", options);
    const GpuFunctions& code = loaded.gpu_code_for(architecture_name(gpu->info()), "net.tar");
    const RunningNetwork running(loaded.network, code, options);
    CHECK(running.run(inputs) == expected);
    CHECK(running.step(inputs) == expected);
    // The same model is the same file.
    const std::string bytes = read_file(path, Bytes(1 << 28));
    save_model(loaded, path);
    CHECK(read_file(path, Bytes(1 << 28)) == bytes);
  }
}

TEST_CASE("the tool runs a file with code for GPUs", "[unit]") {
  const auto& [floats, network, inputs] = plain_case();
  const test::TemporaryFolder folder;
  const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
  save_model(network.archive(stand_in_apart()), file("net.tar"));
  write_npy(file("image.npy"), inputs.at("image"));
  // The tool takes the driver that the system finds.
  std::filesystem::create_symlink(VANTAGE_STAND_IN_LIBCUDA, folder.path() / "libcuda.so.1");
  const Variable knob("LD_LIBRARY_PATH", folder.path().string());
  const auto run = run_cli({"run", file("net.tar"), "--input", file("image.npy"), "--output", file("classes.npy"),
                            "--repeat", "2", "--json"});
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json json = parse_json(run.out, "run");
  CHECK(json.at("gpu_ms") >= 0);
  CHECK(json.at("gpu_run_ms").at("runs") == 2);
  for (const Json& layer : json.at("layers")) CHECK(layer.at("device") == "gpu");
  CHECK(read_npy(file("classes.npy")) == network.on(stand_in_apart()).run(inputs)[0]);
  const auto text = run_cli({"run", file("net.tar"), "--random", "1", "--target", "cuda:", "--repeat", "2"});
  CHECK_THAT(text.out, ContainsSubstring("plain on cuda:\nGPU ") &&
                           ContainsSubstring("ms of the GPU, the median of 2; the fastest took"));
  check_refused({"run", file("net.tar"), "--random", "1", "--processor", "cpu:"},
                "has code for GPUs alone (sm_80); run it with --target cuda:, or compile it with --processor host");
  const Variable older("STAND_IN_CAPABILITY", "75");
  check_refused({"run", file("net.tar"), "--random", "1"},
                "has code for sm_80, and the GPU is sm_75; compile it for that one (vantage compile --target cuda: "
                "--architecture sm_75)");
}

TEST_CASE("a kernel that faults ends a network's run with its name", "[unit]") {
  const auto& [floats, network, inputs] = plain_case();
  const Variable knob("STAND_IN_FAULT_AT", "3");
  const RunningNetwork whole = network.on(stand_in_apart());
  CHECK_THAT(ERROR_OF(whole.run(inputs)), ContainsSubstring("calls of a run (run step by step to learn which)") &&
                                              ContainsSubstring("CUDA_ERROR_ILLEGAL_ADDRESS"));
  // Its constants are lost, and it says so.
  CHECK_THAT(ERROR_OF(whole.run(inputs)), ContainsSubstring("of the whole run was lost when a kernel faulted"));
  const RunningNetwork steps = network.on(stand_in_apart());
  CHECK_THAT(ERROR_OF(steps.step(inputs)), ContainsSubstring("the kernel "));
}

TEST_CASE("what a network has of an accelerator does not run on a GPU, and the other way round", "[unit]") {
  const NetworkForGpu& network = plain_case().network;
  const RunningNetwork running = network.on(stand_in_here());
  CHECK(running.functions->is_gpu());
  CHECK(running.functions->architecture() == "sm_80");
  CHECK(ERROR_OF(running.functions->load_library({}, "net.tar", {})) ==
        "net.tar: has code for processors, and cuda: is a GPU");
  Network mixed = network.network();
  mixed.config = isa::Config::vta_default();
  mixed.programs.push_back({*mixed.config, {isa::Finish{}}, {}, {}, {}});
  mixed.estimates.emplace_back();
  CHECK_THAT(
      ERROR_OF(RunningNetwork(mixed, network.code(stand_in_here()), stand_in_here())),
      ContainsSubstring("has programs of an accelerator, and its functions then run on a processor, not on cuda:"));
  const auto processor = driver::functions_here(driver::Processor::open("cpu:", 1));
  CHECK(ERROR_OF(processor->load_programs({})) ==
        "cpu: is a processor, which runs no kernels; --target cuda: is a GPU");
}

TEST_CASE("ResNet-18 compiles for GPUs, each function once", "[property]") {
  const auto nvrtc = test::nvrtc_if_here();
  if (nvrtc == nullptr) return;
  const Graph floats = models::find_model("resnet18").build(models::seeded_weights(1));
  const network::CompiledNetwork compiled =
      network::compile_network(graph::fuse_operators(floats), {.is_for_gpu = true});
  CHECK(compiled.definitions.size() < compiled.network.steps.size());
  size_t last = 0;
  const GpuFunctions code = network::compile_for_gpu(compiled.definitions, cuda::find_architecture("sm_90a"), *nvrtc, 0,
                                                     [&](size_t done) { CHECK(done == ++last); });
  REQUIRE(code.size() == compiled.network.functions.size());
  for (size_t i = 0; i < code.size(); ++i) {
    CHECK(code[i].signature.name == compiled.network.functions[i]);
    CHECK(code[i].architecture == "sm_90a");
    CHECK(!code[i].cubin.empty());
    CHECK(!code[i].ptx.empty());
  }
}

}  // namespace vantage::test::driver_cuda_gpu_network_test
