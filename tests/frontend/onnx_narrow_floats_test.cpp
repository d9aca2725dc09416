// Operators of ONNX files on floats of 16 bits: each gives what it gives of the same numbers as floats of 32 bits,
// rounded, whatever it is made of.
#include <functional>
#include <random>

#include "tests/catch.h"
#include "tests/frontend/onnx_result.h"

namespace vantage::test::frontend_onnx_narrow_floats_test {

using namespace vantage;

namespace {

using Attributes = std::function<void(::onnx::NodeProto&)>;

struct Operand {
  std::vector<int64_t> shape;
  std::vector<float> floats = {};  // of the type in question
  std::vector<int64_t> integers = {};
};

struct Case {
  std::string op;
  std::vector<Operand> operands;
  Attributes attributes = nullptr;
};

std::vector<double> made_of(const Case& c, int type) {
  OnnxFile file(20);
  file.output("y", {});
  file.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  std::vector<std::string> names;
  for (const Operand& operand : c.operands) {
    const std::string name = "x" + std::to_string(names.size());
    if (operand.shape.empty()) {
      names.emplace_back();
      continue;
    }
    names.push_back(name);
    if (!operand.integers.empty()) {
      file.integers(name, operand.shape, operand.integers);
      continue;
    }
    file.weights(name, operand.shape, operand.floats);
    set(file.node("Cast", {name}, {name + "_cast"}), "to", int64_t{type});
    names.back() += "_cast";
  }
  ::onnx::NodeProto& node = file.node(c.op, names, {"made"});
  if (c.attributes) c.attributes(node);
  set(file.node("Cast", {"made"}, {"y"}), "to", int64_t{::onnx::TensorProto::FLOAT});
  return result_of(file);
}

void check(const Case& c) {
  INFO(c.op << " of " << c.operands.size() << " operands");
  const std::vector<double> narrow = made_of(c, ::onnx::TensorProto::FLOAT16);
  const std::vector<double> wide = made_of(c, ::onnx::TensorProto::FLOAT);
  REQUIRE(narrow.size() == wide.size());
  Tensor rounded(kFloat16, {static_cast<int64_t>(wide.size())});
  for (int64_t e = 0; e < rounded.size(); ++e) {
    rounded.set_number(e, wide[static_cast<size_t>(e)]);
    CHECK(narrow[static_cast<size_t>(e)] == rounded.number(e));
  }
}

// Numbers that are floats of 16 bits, too.
Operand random(std::vector<int64_t> shape, std::mt19937_64& from, int lowest = -64) {
  size_t count = 1;
  for (const int64_t size : shape) count *= static_cast<size_t>(size);
  Operand operand{std::move(shape)};
  for (size_t e = 0; e < count; ++e) {
    operand.floats.push_back(static_cast<float>(lowest + static_cast<int>(from() % 128)) / 16);
  }
  return operand;
}

const Operand kNone = {};

}  // namespace

TEST_CASE("what is made of floats of 16 bits on the way may be more than they hold", "[unit]") {
  const Operand image{{1, 1, 2, 2}, {300, 300, 300, 300}};
  const auto square = [](::onnx::NodeProto& n) { set(n, "kernel_shape", std::vector<int64_t>{2, 2}); };
  const auto equation = [](const char* text) {
    return [text](::onnx::NodeProto& n) { set(n, "equation", std::string(text)); };
  };
  for (const Case& c : std::vector<Case>{
           {"ReduceL2", {{{1, 2}, {300, 400}}}},
           {"ReduceLogSum", {{{1, 2}, {60000, 60000}}}},
           {"ReduceLogSumExp", {{{1, 70000}, std::vector<float>(70000)}}},
           {"ReduceSum", {{{1, 3}, {60000, 60000, -60000}}}},
           {"ReduceMean", {{{1, 2}, {60000, 60000}}}},
           {"LpNormalization", {{{1, 2}, {300, 400}}}},
           {"MeanVarianceNormalization", {{{1, 1, 1, 2}, {300, 60000}}}},
           {"Gemm", {{{1, 2}, {300, 400}}, {{2, 1}, {300, 400}}}, [](auto& n) { set(n, "alpha", 0x1p-10F); }},
           {"LRN",
            {{{1, 2, 1, 1}, {300, 400}}},
            [](auto& n) {
              set(n, "size", int64_t{1});
              set(n, "alpha", 1.0F);
            }},
           {"LpPool", {image}, square},
           {"GlobalLpPool", {image}},
           {"Mean", {{{1}, {60000}}, {{1}, {60000}}}},
           {"Sum", {{{1}, {60000}}, {{1}, {60000}}, {{1}, {-60000}}}},
           {"Einsum", {{{1}, {300}}, {{1}, {300}}, {{1}, {0x1p-10F}}}, equation("i,i,i->i")},
           {"Einsum", {{{2}, {60000, 60000}}, {{1}, {0x1p-10F}}}, equation("i,j->")},
           {"Asinh", {{{1}, {300}}}},
           {"Acosh", {{{1}, {300}}}},
           {"InstanceNormalization", {{{1, 1, 2}, {300, 60000}}, {{1}, {1}}, {{1}, {0}}}},
           {"LayerNormalization", {{{1, 2}, {300, 60000}}, {{2}, {1, 1}}}},
           {"Softmax", {{{1, 3}, {60000, 60000, 60000}}}},
           {"CumSum", {{{3}, {60000, 60000, -60000}}, {{1}, {}, {0}}}},
       }) {
    check(c);
  }
}

TEST_CASE("what is added to sums of products of floats of 16 bits is added before they are rounded", "[unit]") {
  // 2048 + 1 is no float16, and 2048 + 1 + 1 is one. Of a volume, each plane of the kernel has a part of the sum.
  const Operand one{{1}, {1}};
  const auto kernel = [](std::vector<int64_t> shape) { return Operand{std::move(shape), {2048, 1}}; };
  const auto ones = [](std::vector<int64_t> shape) { return Operand{std::move(shape), {1, 1}}; };
  const auto relu = [](::onnx::NodeProto& n) {
    set(n, "hidden_size", int64_t{1});
    set(n, "activations", std::vector<std::string>{"Relu"});
  };
  for (const Case& c : std::vector<Case>{
           {"Conv", {ones({1, 2, 1}), kernel({1, 2, 1}), one}},
           {"Conv", {ones({1, 2, 1, 1}), kernel({1, 2, 1, 1}), one}},
           {"Conv", {ones({1, 1, 2, 1, 1}), kernel({1, 1, 2, 1, 1}), one}},
           {"ConvTranspose", {ones({1, 2, 1}), kernel({2, 1, 1}), one}},
           {"ConvTranspose", {ones({1, 2, 1, 1}), kernel({2, 1, 1, 1}), one}},
           {"ConvTranspose", {ones({1, 2, 1, 1, 1}), kernel({2, 1, 1, 1, 1}), one}},
           {"Gemm", {ones({1, 2}), kernel({2, 1}), one}},
           {"RNN", {ones({1, 1, 2}), kernel({1, 1, 2}), {{1, 1, 1}, {0}}, {{1, 2}, {1, 0}}}, relu},
       }) {
    INFO(c.op << " of " << c.operands[0].shape.size() << " axes");
    CHECK(made_of(c, ::onnx::TensorProto::FLOAT16) == std::vector<double>{2050});
  }
}

TEST_CASE("operators that are several steps round floats of 16 bits once", "[unit]") {
  std::mt19937_64 from(7);
  const auto with = [](const std::string& name, const auto& value) {
    return [name, value](::onnx::NodeProto& n) { set(n, name, value); };
  };
  const auto cells = [](::onnx::NodeProto& n) { set(n, "hidden_size", int64_t{3}); };
  const Operand image = random({2, 4, 5, 6}, from), volume = random({1, 2, 4, 3, 5}, from);
  const Operand four = random({4}, from), positive = random({4}, from, 1);
  std::vector<Case> cases = {
      {"BatchNormalization", {image, four, four, four, positive}},
      {"InstanceNormalization", {image, four, four}},
      {"GroupNormalization", {image, random({2}, from), random({2}, from)}, with("num_groups", int64_t{2})},
      {"LayerNormalization", {image, random({6}, from), random({6}, from)}},
      {"MeanVarianceNormalization", {image}},
      {"LpNormalization", {image}},
      {"LRN", {image}, with("size", int64_t{3})},
      {"Softmax", {image}},
      {"LogSoftmax", {image}},
      {"AveragePool", {image}, with("kernel_shape", std::vector<int64_t>{3, 2})},
      {"AveragePool", {volume}, with("kernel_shape", std::vector<int64_t>{3, 2, 2})},
      {"GlobalAveragePool", {volume}},
      {"LpPool", {volume}, with("kernel_shape", std::vector<int64_t>{2, 2, 2})},
      {"Conv", {volume, random({3, 2, 2, 3, 2}, from), random({3}, from)}},
      {"ConvTranspose", {volume, random({2, 3, 2, 3, 2}, from), random({3}, from)}},
      {"Col2Im", {random({1, 8, 6}, from), {{2}, {}, {3, 4}}, {{2}, {}, {2, 2}}}},
      {"MatMul", {random({3, 40}, from), random({40, 5}, from)}},
      {"Einsum",
       {random({3, 4}, from), random({4, 5}, from), random({5, 2}, from)},
       with("equation", std::string("ij,jk,kl->il"))},
      {"Resize", {image, kNone, kNone, {{4}, {}, {2, 4, 8, 12}}}, with("mode", std::string("linear"))},
      {"DFT", {random({1, 8, 1}, from)}},
      {"NegativeLogLikelihoodLoss", {random({3, 4}, from), {{3}, {}, {1, 0, 3}}, four}},
      {"SoftmaxCrossEntropyLoss", {random({3, 4}, from), {{3}, {}, {1, 0, 3}}, positive}},
      {"RNN", {random({4, 2, 3}, from), random({1, 3, 3}, from), random({1, 3, 3}, from), random({1, 6}, from)}, cells},
      {"GRU",
       {random({4, 2, 3}, from), random({1, 9, 3}, from), random({1, 9, 3}, from), random({1, 18}, from)},
       cells},
      {"LSTM",
       {random({4, 2, 3}, from), random({1, 12, 3}, from), random({1, 12, 3}, from), random({1, 24}, from)},
       cells},
      {"Mean", {image, image, random({6}, from)}},
      {"Sum", {image, image, random({6}, from)}},
  };
  for (const char* op :
       {"Elu", "Selu", "Celu", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Mish", "Softplus", "Softsign",
        "Shrink", "Asinh", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp", "ReduceSum", "ReduceMean"}) {
    cases.push_back({op, {image}});
  }
  for (const Case& c : cases) check(c);
}

TEST_CASE("products of floats of 16 bits are added up in 32, and rounded once", "[unit]") {
  OnnxFile file;
  file.input("x", {"1", "2", "4", "4"}, ::onnx::TensorProto::FLOAT16).output("y", {"1", "3", "4", "4"});
  file.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::FLOAT16);
  file.weights("w", {3, 2, 1, 1}, {1, 2, 3, 4, 5, 6});
  set(file.node("Cast", {"w"}, {"w16"}), "to", int64_t{::onnx::TensorProto::FLOAT16});
  file.node("Conv", {"x", "w16"}, {"y"});
  const graph::Graph graph = onnx_models::import_model(file.bytes(), "f.onnx", "/nonexistent");
  const graph::Node& rounded = graph.node(graph.outputs()[0]);
  REQUIRE(rounded.is_call("cast"));
  CHECK(rounded.types[0].dtype == kFloat16);
  CHECK(graph.node(rounded.inputs[0]).is_call("conv2d"));
  CHECK(graph.type(rounded.inputs[0]).dtype == kFloat32);
}

}  // namespace vantage::test::frontend_onnx_narrow_floats_test
