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

}  // namespace vantage::test::frontend_onnx_operators_test
