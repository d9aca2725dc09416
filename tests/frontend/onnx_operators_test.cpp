// Operators of ONNX files in cases that the ONNX project's own tests do not have, most as random models found them
// (frontend/onnx/random).
#include <cmath>

#include "tests/catch.h"
#include "tests/frontend/onnx_result.h"

namespace vantage::test::frontend_onnx_operators_test {

using namespace vantage;

TEST_CASE("a Gemm may say how its third operand is scaled, and have none", "[unit]") {
  OnnxFile file;
  file.output("y", {"1", "1"});
  file.weights("a", {1, 2}, {1, 2});
  file.weights("b", {2, 1}, {3, 4});
  set(file.node("Gemm", {"a", "b"}, {"y"}), "beta", 2.0F);
  CHECK(result_of(file) == std::vector<double>{11});
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

TEST_CASE("what is left by a number is exact, however often that goes into it", "[unit]") {
  OnnxFile file;
  file.output("y", {"4"});
  const std::vector<float> x = {1000, -4.7e6F, 12345.678F, 7}, by = {0.1F, 1.1F, 6.2831855F, HUGE_VALF};
  file.weights("x", {4}, x);
  file.weights("by", {4}, by);
  set(file.node("Mod", {"x", "by"}, {"y"}), "fmod", int64_t{1});
  std::vector<double> expected;
  for (size_t i = 0; i < x.size(); ++i) expected.push_back(std::fmod(x[i], by[i]));
  CHECK(result_of(file) == expected);
}

TEST_CASE("inverse hyperbolic functions are near for small and large numbers", "[unit]") {
  const std::vector<float> x = {3e-8F, -1e-6F, 0.5F, 1, 1e4F, 1e20F};
  for (const auto& [op, function] : std::initializer_list<std::pair<const char*, double (*)(double)>>{
           {"Asinh", [](double v) { return std::asinh(v); }},
           {"Acosh", [](double v) { return std::acosh(v); }},
           {"Atanh", [](double v) { return std::atanh(v); }}}) {
    INFO(op);
    OnnxFile file;
    file.output("y", {"6"});
    file.weights("x", {6}, x);
    file.node(op, {"x"}, {"y"});
    const std::vector<double> got = result_of(file);
    for (size_t i = 0; i < x.size(); ++i) {
      const double expected = function(x[i]);
      const bool is_same = std::isnan(expected) ? std::isnan(got[i]) : expected == got[i];
      CHECK((is_same || got[i] == Approx(expected).epsilon(1e-6)));
    }
  }
}

TEST_CASE("a letter that an operand of einsum has twice is summed up where no result is named", "[unit]") {
  for (const auto& [equation, shape, expected] :
       {std::tuple{"ii", std::vector<std::string>{}, std::vector<double>{0 + 4 + 8}},
        {"iij", {"2"}, {0 + 6, 1 + 7}},
        {"ii->i", {"3"}, {0, 4, 8}}}) {
    INFO(equation);
    OnnxFile file;
    file.output("y", shape);
    const bool is_square = std::string(equation) != "iij";
    file.weights(
        "x", is_square ? std::vector<int64_t>{3, 3} : std::vector<int64_t>{2, 2, 2},
        is_square ? std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8} : std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
    set(file.node("Einsum", {"x"}, {"y"}), "equation", equation);
    CHECK(result_of(file) == expected);
  }
}

TEST_CASE("pixels beyond an image count as those at its ends where it shrinks smoothly, too", "[unit]") {
  OnnxFile file(18);
  file.output("y", {"1", "1", "2"});
  file.weights("x", {1, 1, 4}, {1, 2, 4, 8});
  file.weights("scales", {3}, {1, 1, 0.5});
  ::onnx::NodeProto& node = file.node("Resize", {"x", "", "scales"}, {"y"});
  set(node, "mode", "linear");
  set(node, "antialias", int64_t{1});
  // Pixels within 2 of 0.5 and of 2.5, by 0.25, 0.75, 0.75, 0.25 of 2, the first and last of which lie outside.
  CHECK(result_of(file) == std::vector<double>{(0.25 * 1 + 0.75 * 1 + 0.75 * 2 + 0.25 * 4) / 2,
                                               (0.25 * 2 + 0.75 * 4 + 0.75 * 8 + 0.25 * 8) / 2});
}

TEST_CASE("powers of integers are cut, and whole roots are whole", "[unit]") {
  OnnxFile file;
  OnnxFile::set_type(*file.graph().add_output(), "y", {"4"}, ::onnx::TensorProto::INT32);
  file.weights("x", {4}, {3, 9, 64, 7});
  file.weights("by", {4}, {0.5, 0.5, 1.0F / 3, 2});
  set(file.node("Cast", {"x"}, {"integers"}), "to", int64_t{::onnx::TensorProto::INT32});
  file.node("Pow", {"integers", "by"}, {"y"});
  // A third is a little more than that as a float.
  CHECK(result_of(file) == std::vector<double>{1, 3, 4, 49});
}

TEST_CASE("the statistics that LayerNormalization gives are float32", "[unit]") {
  OnnxFile file;
  OnnxFile::set_type(*file.graph().add_output(), "y", {"2", "2"}, ::onnx::TensorProto::DOUBLE);
  file.output("mean", {"2", "1"});
  for (const char* name : {"x", "scale"}) {
    file.weights(name + std::string(".f"), {2, 2}, {1, 2, 3, 5});
    set(file.node("Cast", {name + std::string(".f")}, {name}), "to", int64_t{::onnx::TensorProto::DOUBLE});
  }
  file.node("ReduceMax", {"scale"}, {"largest"});
  file.node("LayerNormalization", {"x", "largest"}, {"y", "mean"});
  const graph::Graph graph = onnx_models::import_model(file.bytes(), "f.onnx", "/nonexistent");
  CHECK(graph.type(graph.outputs()[0]).dtype == kFloat64);
  CHECK(graph.type(graph.outputs()[1]).dtype == kFloat32);
}

TEST_CASE("old files may say what pads with, whatever the mode", "[unit]") {
  OnnxFile file(10);
  file.output("y", {"4"});
  file.weights("x", {3}, {1, 2, 3});
  ::onnx::NodeProto& node = file.node("Pad", {"x"}, {"y"});
  set(node, "mode", "edge");
  set(node, "value", 7.0F);
  set(node, "pads", std::vector<int64_t>{1, 0});
  CHECK(result_of(file) == std::vector<double>{1, 1, 2, 3});
}

}  // namespace vantage::test::frontend_onnx_operators_test
