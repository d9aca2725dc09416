// Files that were quantized before: what is read of them, and what is refused. Operators: frontend/onnx/conformance.sh.
#include <filesystem>

#include "base/error.h"
#include "compiler/graph/evaluate.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/text.h"
#include "frontend/onnx/import.h"
#include "onnx/onnx.pb.h"
#include "tests/catch.h"
#include "tests/frontend/onnx/quantized_case.h"
#include "tests/support/temporary.h"

namespace vantage::test::onnx_quantized_test {

using namespace vantage;

namespace {

using ::onnx::TensorProto;

// x is rounded, and multiplied by weights that are integers.
struct Quantized {
  ::onnx::ModelProto model;

  Quantized() {
    model.set_ir_version(8);
    model.add_opset_import()->set_version(21);
    model.mutable_graph()->set_name("net");
    auto& x = *model.mutable_graph()->add_input();
    x.set_name("x");
    auto& type = *x.mutable_type()->mutable_tensor_type();
    type.set_elem_type(TensorProto::FLOAT);
    for (const int64_t size : {2, 3}) type.mutable_shape()->add_dim()->set_dim_value(size);
    model.mutable_graph()->add_output()->set_name("y");
    floats("x_scale", {0.5F});
    integers("x_zero", TensorProto::UINT8, {10}, {});
    floats("w_scale", {0.25F, 2});
    integers("w_zero", TensorProto::INT8, {0, 0}, {2});
    integers("w", TensorProto::INT8, {1, -2, 3, -4, 5, -6}, {3, 2});
    node("QuantizeLinear", {"x", "x_scale", "x_zero"}, "q", "round");
    node("DequantizeLinear", {"q", "x_scale", "x_zero"}, "d", "unround");
    node("DequantizeLinear", {"w", "w_scale", "w_zero"}, "v", "weigh");
    node("MatMul", {"d", "v"}, "y", "product");
  }

  void floats(const std::string& name, const std::vector<float>& values) {
    TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::FLOAT);
    if (values.size() > 1) tensor.add_dims(static_cast<int64_t>(values.size()));
    for (const float value : values) tensor.add_float_data(value);
  }
  void integers(const std::string& name, int type, const std::vector<int>& values, const std::vector<int64_t>& shape) {
    TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const int64_t size : shape) tensor.add_dims(size);
    for (const int value : values) tensor.add_int32_data(value);
  }
  void node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output,
            const std::string& name) {
    ::onnx::NodeProto& node = *model.mutable_graph()->add_node();
    node.set_op_type(op);
    node.set_name(name);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
  }
  TensorProto& initializer(const std::string& name) {
    for (TensorProto& tensor : *model.mutable_graph()->mutable_initializer()) {
      if (tensor.name() == name) return tensor;
    }
    fail("there is no {}", name);
  }
  void set_axis(int node, int64_t axis) {
    auto& attribute = *model.mutable_graph()->mutable_node(node)->add_attribute();
    attribute.set_name("axis");
    attribute.set_type(::onnx::AttributeProto::INT);
    attribute.set_i(axis);
  }
  graph::Graph read() const { return onnx_models::import_model(model.SerializeAsString(), "f.onnx", ""); }
  std::string error() const { return ERROR_OF(read()); }
};

}  // namespace

TEST_CASE("networks that onnxruntime quantized have its results, in integers", "[unit]") {
  size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "tests/data/quantized")) {
    const std::string name = entry.path().stem().string();
    INFO(name);
    CHECK(test::complaint(test::run_quantized_case(entry.path()), name) == "");
    ++cases;
  }
  CHECK(cases == 14);
}

TEST_CASE("weights of a file that are integers stay so in the graph", "[unit]") {
  Quantized file;
  file.set_axis(2, 1);
  const graph::Graph graph = file.read();
  INFO(to_text(graph));
  const auto product = std::ranges::find_if(graph.nodes(), [](const auto& node) { return node.is_call("matmul"); });
  REQUIRE(product != graph.nodes().end());
  const auto weights = graph::find_narrow_weights(graph, product->inputs[1]);
  REQUIRE(weights);
  CHECK(weights->integers->at({2, 1}) == -6);
  CHECK(weights->scales->shape() == Tensor::Shape{1, 2});
  graph::Inputs inputs;
  Tensor x(kFloat32, {2, 3});
  for (int64_t e = 0; e < 6; ++e) x.set_number(e, 0.6 * static_cast<double>(e));  // 0 .5 1; 2 2.5 3
  inputs.emplace("x", std::move(x));
  const Tensor y = evaluate(graph, inputs)[0];
  CHECK(y.at({0, 0}) == 0.25 * (0.5 * 3 + 1 * 5));
  CHECK(y.at({1, 1}) == 2 * (2 * -2 + 2.5 * -4 + 3 * -6));
}

TEST_CASE("scales and zero points that cannot be are refused, with the node", "[unit]") {
  const auto with = [](const std::string& name, const auto& change) {
    Quantized file;
    file.set_axis(2, 1);
    change(file.initializer(name));
    return file.error();
  };
  const auto number = [&](float value) {
    return with("x_scale", [&](TensorProto& tensor) { tensor.set_float_data(0, value); });
  };
  const std::string begin = "f.onnx: node round (QuantizeLinear): its scale is ";
  CHECK(number(0) == begin + "0 at element 0, expected a number above 0");
  CHECK(number(-1) == begin + "-1 at element 0, expected a number above 0");
  CHECK(number(INFINITY) == begin + "inf at element 0, expected a number above 0");
  CHECK(number(NAN) == "f.onnx: the tensor x_scale has NaN at element 0; was the training sound?");
  CHECK(with("w_scale", [](TensorProto& tensor) { tensor.set_float_data(1, -2); }) ==
        "f.onnx: node weigh (DequantizeLinear): its scale is -2 at element 1, expected a number above 0");
  CHECK(with("x_zero", [](TensorProto& tensor) { tensor.set_data_type(TensorProto::FLOAT16); }) ==
        "f.onnx: node round (QuantizeLinear): it rounds to float16, expected integers");
  CHECK(with("w_zero", [](TensorProto& tensor) { tensor.set_data_type(TensorProto::UINT8); }) ==
        "f.onnx: node weigh (DequantizeLinear): its zero point is uint8, but the integers that it belongs to are int8");
  Quantized axis;
  axis.set_axis(2, 0);
  CHECK_THAT(axis.error(),
             ContainsSubstring("node weigh (DequantizeLinear): float32[2] is no scale or zero point for axis 0"));
  Quantized none;
  none.set_axis(2, 5);
  CHECK_THAT(none.error(), ContainsSubstring("node weigh (DequantizeLinear)"));
}

}  // namespace vantage::test::onnx_quantized_test
