#include "workload/mlp.h"

#include "base/tensor/npy.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"
#include "workload/matrix.h"
#include "workload/resnet18.h"

namespace vantage::test::workload_mlp_test {

using namespace vantage;
using namespace vantage::workload;

namespace {

std::string layer_json(const std::string& name, const std::string& more = R"("shift": 3, "clip": [0, 127])") {
  return R"({"name": ")" + name + R"(", "weight": ")" + name + R"(_w.npy", "bias": ")" + name + R"(_b.npy", )" + more +
         "}";
}

// A layer's arrays of ones.
void write_arrays(const test::TemporaryFolder& folder, const std::string& name, int64_t outputs, int64_t inputs) {
  Tensor weights(kInt8, {outputs, inputs}), bias(kInt32, {outputs});
  for (int8_t& value : weights.values<int8_t>()) value = 1;
  write_npy(folder.path() / (name + "_w.npy"), weights);
  write_npy(folder.path() / (name + "_b.npy"), bias);
}

}  // namespace

TEST_CASE("a perceptron is read from its folder, and one that does not fit is refused", "[unit]") {
  const test::TemporaryFolder folder;
  write_arrays(folder, "fc1", 6, 8);
  write_arrays(folder, "fc2", 4, 6);
  const auto load = [&](const std::string& layers, int64_t classes = 4) {
    folder.file("mlp.json", R"({"layers": [)" + layers + "]}");
    return load_mlp(folder.path(), classes);
  };
  const auto network = load(layer_json("fc1") + ", " + layer_json("fc2"));
  REQUIRE(network.size() == 2);
  CHECK(network[0].inputs() == 8);
  CHECK(network[0].bias.shape() == Tensor::Shape{1, 6});
  CHECK(network[1].outputs() == 4);
  CHECK(network[1].epilogue.shift == 3);
  CHECK_THAT(ERROR_OF(load(layer_json("fc1"), 10)), ContainsSubstring("must give at least 10 outputs"));
  CHECK_THAT(ERROR_OF(load(layer_json("fc2") + ", " + layer_json("fc1"))),
             ContainsSubstring("layer fc1 takes 8 inputs, the one before gives 4"));
  CHECK_THAT(ERROR_OF(load(layer_json("fc2", R"("shift": 3, "clip": [1])"))),
             ContainsSubstring("expected two integers"));
  CHECK_THAT(ERROR_OF(load(layer_json("fc2", R"("shft": 3, "clip": [0, 1])"))),
             ContainsSubstring("layers[0]: unknown key \"shft\"; did you mean 'shift'?"));
  write_npy(folder.path() / "fc2_b.npy", Tensor(kInt32, {5}));
  CHECK_THAT(ERROR_OF(load(layer_json("fc2"))), ContainsSubstring("its bias has 5 values for 4 outputs"));
  write_npy(folder.path() / "fc2_b.npy", Tensor(kInt32, {1, 2, 2}));
  CHECK_THAT(ERROR_OF(load(layer_json("fc2"))), ContainsSubstring("fc2_b.npy: it has 3 dimensions, expected 1 or 2"));
  write_npy(folder.path() / "fc2_b.npy", Tensor(kFloat32, {4}));
  CHECK_THAT(ERROR_OF(load(layer_json("fc2"))), ContainsSubstring("expected int32"));
}

TEST_CASE("the test images are read with what is known of them", "[unit]") {
  const auto folder = test::source_dir() / "examples" / "mnist_mlp";
  const auto network = load_mlp(folder, 10);
  const MnistImages images = load_mnist(folder, network);
  CHECK(images.pixels.shape() == Tensor::Shape{10000, 784});
  CHECK(images.labels.shape() == Tensor::Shape{10000});
  CHECK(images.logits.extent(1) == network.back().outputs());
  CHECK(images.labels.values<int16_t>()[0] == 7);
  const auto pixels = images.pixels.values<int8_t>();
  CHECK(*std::max_element(pixels.begin(), pixels.end()) == 127);
  CHECK(*std::min_element(pixels.begin(), pixels.end()) == 0);
  const std::vector<DenseLayer> other(network.begin() + 1, network.end());
  CHECK_THAT(ERROR_OF(load_mnist(folder, other)), ContainsSubstring("do not fit each other"));
}

TEST_CASE("layers of ResNet-18 are known by name", "[unit]") {
  CHECK(resnet18_layers().size() == 10);
  CHECK(resnet18_layer("C9").shape.out_channels == 512);
  CHECK(ERROR_OF(resnet18_layer("C1")) == "there is no layer 'C1'; there are C2, C3, C4, C5, C6, C7, C8, C9, C10, C11");
}

}  // namespace vantage::test::workload_mlp_test
