// Operators of ONNX files in cases that the ONNX project's own tests do not have, most as random models found them
// (frontend/onnx/random).
#include <cmath>

#include "compiler/graph/evaluate.h"
#include "frontend/onnx/import.h"
#include "tests/catch.h"
#include "tests/frontend/onnx_file.h"

namespace vantage::test::frontend_onnx_operators_test {

using namespace vantage;

namespace {

void set(::onnx::NodeProto& node, const std::string& name, float value) {
  ::onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::FLOAT);
  attribute.set_f(value);
}

void set(::onnx::NodeProto& node, const std::string& name, const std::string& text) {
  ::onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::STRING);
  attribute.set_s(text);
}

void set(::onnx::NodeProto& node, const std::string& name, int64_t value) {
  ::onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::INT);
  attribute.set_i(value);
}

// What a file of constants gives, which is computed as it is read; as numbers.
std::vector<double> result_of(const OnnxFile& file) {
  const graph::Graph graph = onnx_models::import_model(file.bytes(), "f.onnx", "/nonexistent");
  std::vector<double> numbers;
  const Tensor value = evaluate(graph, {})[0];
  for (int64_t e = 0; e < value.size(); ++e) numbers.push_back(value.number(e));
  return numbers;
}

}  // namespace

TEST_CASE("a Gemm may say how its third operand is scaled, and have none", "[unit]") {
  OnnxFile file;
  file.output("y", {"1", "1"});
  file.weights("a", {1, 2}, {1, 2});
  file.weights("b", {2, 1}, {3, 4});
  set(file.node("Gemm", {"a", "b"}, {"y"}), "beta", 2.0F);
  CHECK(result_of(file) == std::vector<double>{11});
}

TEST_CASE("what is made of floats of 16 bits on the way may be more than they hold", "[unit]") {
  const auto made_of = [](const std::string& op, const std::vector<float>& values, const std::string& attribute = {},
                          float number = 0) {
    const auto count = static_cast<int64_t>(values.size());
    OnnxFile file;
    file.output("y", {});
    file.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    file.weights("x", {1, count}, values);
    file.weights("w", {count, 1}, values);
    for (const char* name : {"x", "w"}) {
      set(file.node("Cast", {name}, {std::string(name) + "16"}), "to", int64_t{::onnx::TensorProto::FLOAT16});
    }
    std::vector<std::string> inputs = {"x16"};
    if (op == "Gemm") inputs.emplace_back("w16");
    ::onnx::NodeProto& node = file.node(op, inputs, {"y16"});
    if (op == "LRN") set(node, "size", int64_t{1});
    if (!attribute.empty()) set(node, attribute, number);
    set(file.node("Cast", {"y16"}, {"y"}), "to", int64_t{::onnx::TensorProto::FLOAT});
    return result_of(file).front();
  };
  CHECK(made_of("ReduceL2", {300, 400}) == 500);
  CHECK(made_of("ReduceLogSum", {60000, 60000}) == Approx(std::log(120000)).epsilon(0x1p-10));
  CHECK(made_of("LpNormalization", {300, 400}) == Approx(0.6).epsilon(0x1p-10));
  CHECK(made_of("Gemm", {300, 400}, "alpha", 0x1p-10F) == Approx(250000.0 / 1024).epsilon(0x1p-10));
  CHECK(made_of("LRN", {300, 400}, "alpha", 1) == Approx(300 / std::pow(90001, 0.75)).epsilon(0x1p-10));
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

TEST_CASE("means of integers go towards zero", "[unit]") {
  OnnxFile file;
  OnnxFile::set_type(*file.graph().add_output(), "y", {"2", "1"}, ::onnx::TensorProto::INT32);
  file.weights("x", {2, 2}, {-4, -3, 5, -2});
  set(file.node("Cast", {"x"}, {"integers"}), "to", int64_t{::onnx::TensorProto::INT32});
  ::onnx::AttributeProto& axes = *file.node("ReduceMean", {"integers"}, {"y"}).add_attribute();
  axes.set_name("axes");
  axes.set_type(::onnx::AttributeProto::INTS);
  axes.add_ints(1);
  CHECK(result_of(file) == std::vector<double>{-3, 1});
}

TEST_CASE("folds of whole images are the operators that accelerators know", "[unit]") {
  OnnxFile file;
  file.input("x", {"1", "3", "4", "4"}).output("mean", {"1", "3", "1", "1"}).output("max", {"1", "3", "1", "1"});
  file.node("GlobalAveragePool", {"x"}, {"mean"});
  file.node("GlobalMaxPool", {"x"}, {"max"});
  const graph::Graph graph = onnx_models::import_model(file.bytes(), "f.onnx", "/nonexistent");
  CHECK(graph.node(graph.outputs()[0]).is_call("global_avg_pool2d"));
  CHECK(graph.node(graph.outputs()[1]).is_call("global_max_pool2d"));
}

TEST_CASE("cubic samples beyond a border are made of its pixels, by their own distances", "[unit]") {
  OnnxFile file(20);
  file.output("y", {"1", "1", "1", "1"});
  file.weights("x", {1, 1, 1, 4}, {1, 2, 4, 8});
  file.weights("places", {1, 1, 1, 2}, {-1, 0});  // half a pixel beyond the first
  ::onnx::NodeProto& node = file.node("GridSample", {"x", "places"}, {"y"});
  set(node, "mode", "cubic");
  set(node, "padding_mode", "border");
  // The shares of -2, -1, 0 and 1, of which the first three are the first pixel.
  CHECK(result_of(file)[0] == Approx(1 - 0.09375 * (2 - 1)));
}

}  // namespace vantage::test::frontend_onnx_operators_test
