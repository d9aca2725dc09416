#include "frontend/models/models.h"

#include "base/error.h"
#include "base/tensor/npy.h"
#include "tests/catch.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::models_test {

using namespace vantage;

namespace {

// Multiplications of a model's convolutions and dense layers.
int64_t products(const graph::Graph& graph) {
  int64_t all = 0;
  for (const graph::Node& node : graph.nodes()) {
    if (node.kind != graph::Node::Kind::kCall || node.op->pattern != ops::Pattern::kAnchor) continue;
    const TensorType& weights = graph.type(node.inputs[1]);
    all += node.types[0].size() * (weights.size() / weights.shape[0]);
  }
  return all;
}

// Weights of no memory to speak of.
Tensor zeros(const std::string&, const TensorType& type, models::WeightRole) {
  return Tensor(type.dtype, type.shape);
}

}  // namespace

TEST_CASE("models have the sizes that they are known for", "[golden]") {
  std::string text;
  for (const models::Model& model : models::models()) {
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

}  // namespace vantage::test::models_test
