#include "frontend/models/models.h"

#include <sys/mman.h>

#include <span>

#include "base/error.h"
#include "base/file.h"
#include "base/tensor/compare.h"
#include "base/tensor/npy.h"
#include "compiler/graph/evaluate.h"
#include "frontend/models/llama.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::models_test {

using namespace vantage;

namespace {

// Multiplications of a model's convolutions, dense layers and matrices.
int64_t products(const graph::Graph& graph) {
  int64_t all = 0;
  for (const graph::Node& node : graph.nodes()) {
    if (node.kind != graph::Node::Kind::kCall || node.op->pattern != ops::Pattern::kAnchor) continue;
    const TensorType& weights = graph.type(node.inputs[1]);
    const int64_t depth =
        node.is_call("matmul") ? graph.type(node.inputs[0]).shape.back() : weights.size() / weights.shape[0];
    all += node.types[0].size() * depth;
  }
  return all;
}

// Weights of no memory to speak of: pages that nobody has written to.
Tensor zeros(const std::string&, const TensorType& type, models::WeightRole) {
  constexpr size_t kMost = size_t{1} << 30;
  static void* const pages =
      ::mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE((pages != MAP_FAILED && type.bytes() <= kMost));
  return Tensor::borrow(type.dtype, type.shape, std::span(static_cast<std::byte*>(pages), type.bytes()));
}

}  // namespace

TEST_CASE("models have the sizes that they are known for", "[golden]") {
  std::string text;
  for (const models::Model& model : models::models()) {
    if (model.name == "llama_1b") continue;  // a billion weights, which it makes integers of
    const graph::Graph graph = model.build(zeros);
    int64_t weights = 0;
    for (const graph::Node& node : graph.nodes()) weights += node.constant ? node.constant->size() : 0;
    text += fmt::format("{}: {}; {} weights, {} multiplications, from {} to {}\n", model.name, model.meaning, weights,
                        products(graph), describe(graph.nodes()[graph.inputs()[0]].types[0]),
                        describe(graph.type(graph.outputs()[0])));
  }
  const std::string difference = test::compare_golden("models.txt", text);
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("weights of a seed depend on it and on their names", "[unit]") {
  const TensorType type = {kFloat32, {16, 8, 3, 3}};
  const auto one = models::seeded_weights(1), two = models::seeded_weights(2);
  const Tensor a = one("a", type, models::WeightRole::kProduct);
  CHECK(a == one("a", type, models::WeightRole::kProduct));
  CHECK_FALSE(a == one("b", type, models::WeightRole::kProduct));
  CHECK_FALSE(a == two("a", type, models::WeightRole::kProduct));
}

TEST_CASE("weights that are missing or have another shape are named", "[unit]") {
  const test::TemporaryFolder folder;
  const models::Weights weights = models::weights_from(folder.path());
  const TensorType type = {kFloat32, {2, 3}};
  CHECK_THROWS_WITH(weights("fc1.weight", type, models::WeightRole::kProduct),
                    ContainsSubstring("fc1_weight.npy: the weights fc1.weight are missing; expected float32[2, 3]"));
  write_npy(folder.path() / "fc1_weight.npy", Tensor(kFloat32, {3, 2}));
  CHECK_THROWS_WITH(weights("fc1.weight", type, models::WeightRole::kProduct),
                    ContainsSubstring("are float32[3, 2], expected float32[2, 3]"));
  CHECK_THROWS_WITH(models::find_model("resnet81"), ContainsSubstring("did you mean 'resnet"));
}

TEST_CASE("weights of a file may have longer names and narrower floats", "[unit]") {
  // "bert.dense.weight", float16 [1, 2], and "bert.dense.bias" and "other.dense.bias", float32 [1].
  const std::string header = R"({"bert.dense.weight":{"dtype":"F16","shape":[1,2],"data_offsets":[0,4]},)"
                             R"("bert.dense.bias":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                             R"("other.dense.bias":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})";
  const uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += header + std::string(
                        "\x00\x3c\x00\xc0"
                        "\x00\x00\x80\x3f"
                        "\x00\x00\x80\x7f",
                        12);
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "w.safetensors";
  write_file(path, bytes);
  const models::Weights weights = models::weights_from(path);
  const auto read = [&](const char* name, Tensor::Shape shape) {
    return weights(name, {kFloat32, std::move(shape)}, models::WeightRole::kProduct);
  };
  const Tensor weight = read("dense.weight", {1, 2});
  CHECK(weight.number(0) == 1);
  CHECK(weight.number(1) == -2);
  CHECK(read("bert.dense.bias", {1}).number(0) == 1);
  CHECK_THAT(ERROR_OF(read("dense.bias", {1})),
             ContainsSubstring("w.safetensors: the weights dense.bias may be bert.dense.bias or other.dense.bias"));
  CHECK_THAT(ERROR_OF(read("other.dense.bias", {1})), ContainsSubstring("have inf at element 0"));
  CHECK_THAT(ERROR_OF(read("bert.dense.bia", {1})), ContainsSubstring("are missing; did you mean 'bert.dense.bias'?"));
  CHECK_THAT(ERROR_OF(read("dense.weight", {2, 1})), ContainsSubstring("are float32[1, 2], expected float32[2, 1]"));
}

TEST_CASE("models have the sizes that are asked for, and no others", "[unit]") {
  const models::Model& bert = models::find_model("bert_base");
  const graph::Graph graph = bert.build(zeros, {{"sequence", 7}});
  CHECK(graph.type(graph.outputs()[0]).shape == Tensor::Shape{1, 7, 768});
  CHECK_THAT(ERROR_OF(bert.build(zeros, {{"sequenze", 7}})), ContainsSubstring("has no size sequenze; did you mean"));
  CHECK_THAT(ERROR_OF(bert.build(zeros, {{"sequence", 513}})), ContainsSubstring("positions end at 512"));
  CHECK_THAT(ERROR_OF(bert.build(zeros, {{"sequence", 0}})), ContainsSubstring("sequence is 0, expected 1 or more"));
  CHECK_THAT(ERROR_OF(models::find_model("lenet").build(zeros, {{"sequence", 1}})), ContainsSubstring("has no size"));
  CHECK_THAT(ERROR_OF(models::find_model("llama_1b").build(zeros, {{"tokens", 9}, {"context", 8}})),
             ContainsSubstring("tokens are 9, but the context has 8 places"));
}

TEST_CASE("tokens one by one make what they make together, by what the cache keeps of them", "[unit]") {
  constexpr models::LlamaShape kShape = {
      .vocabulary = 11, .layers = 2, .width = 12, .hidden = 8, .heads = 6, .key_heads = 3};
  constexpr int64_t kTokens = 4, kContext = 6;
  const models::Weights weights = models::seeded_weights(3);
  const graph::Graph whole = models::llama("whole", weights, kShape, kTokens, kContext),
                     step = models::llama("step", weights, kShape, 1, kContext);
  const std::vector<int64_t> tokens = {7, 2, 10, 2};
  const auto integers = [](std::vector<int64_t> values, Tensor::Shape shape) {
    Tensor tensor(kInt64, std::move(shape));
    std::ranges::copy(values, tensor.values<int64_t>().begin());
    return tensor;
  };
  graph::Inputs caches;
  for (const uint32_t n : step.inputs()) {
    const graph::Node& input = step.nodes()[n];
    // What lies behind the last token is never seen.
    Tensor garbage(kFloat32, input.types[0].shape);
    for (int64_t e = 0; e < garbage.size(); ++e) garbage.set_number(e, 1000 + static_cast<double>(e));
    if (input.name.starts_with("past.")) caches.emplace(input.name, std::move(garbage));
  }
  graph::Inputs inputs = caches;
  inputs.emplace("input_ids", integers(tokens, {1, kTokens}));
  inputs.emplace("position", integers({0}, {1}));
  const std::vector<Tensor> wanted = graph::evaluate(whole, inputs);
  std::vector<Tensor> got;
  for (int64_t t = 0; t < kTokens; ++t) {
    inputs = caches;
    inputs.emplace("input_ids", integers({tokens[static_cast<size_t>(t)]}, {1, 1}));
    inputs.emplace("position", integers({t}, {1}));
    got = graph::evaluate(step, inputs);
    for (size_t i = 1; i < got.size(); ++i) {
      const std::string name = step.node(step.outputs()[i]).name;
      caches.insert_or_assign("past" + name.substr(name.find('.')), got[i]);
    }
  }
  REQUIRE(got.size() == 5);
  for (size_t i = 0; i < got.size(); ++i) {
    CHECK(difference(wanted[i], got[i], {1e-4, 1e-5}).value_or("") == "");
  }
}

}  // namespace vantage::test::models_test
