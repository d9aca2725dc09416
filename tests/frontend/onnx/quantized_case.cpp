#include "tests/frontend/onnx/quantized_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/quantize/quantize_stated.h"
#include "compiler/graph/quantize/stated.h"
#include "frontend/onnx/import.h"
#include "onnx/onnx.pb.h"
#include "workload/graph_on_processor.h"

namespace vantage::test {

namespace {

// "[2,3] 1 2 3 4 5 6"
Tensor tensor_of(const std::string& text) {
  std::string shape_text = text.substr(1, text.find(']') - 1);
  std::ranges::replace(shape_text, ',', ' ');
  std::istringstream sizes(shape_text), values(text.substr(text.find(']') + 1));
  Tensor::Shape shape;
  for (int64_t size = 0; sizes >> size;) shape.push_back(size);
  Tensor tensor(kFloat32, std::move(shape));
  for (float& value : tensor.values<float>()) {
    if (!(values >> value)) fail("'{}' has too few numbers", text.substr(0, 40));
  }
  return tensor;
}

StepsOff steps_off(const Tensor& wanted, const Tensor& got, double step) {
  if (type_of(wanted) != type_of(got)) fail("it makes {}, expected {}", describe(got), describe(wanted));
  StepsOff off;
  for (int64_t e = 0; e < wanted.size(); ++e) {
    const double steps = std::abs(wanted.number(e) - got.number(e)) / step;
    off.most = std::max(off.most, steps);
    off.mean += steps / static_cast<double>(wanted.size());
  }
  return off;
}

}  // namespace

QuantizedCase run_quantized_case(const std::filesystem::path& file) {
  ::onnx::ModelProto model;
  const std::string bytes = read_file(file, Bytes(1 << 26));
  if (!model.ParseFromString(bytes)) fail("{}: is no model", file.string());
  std::map<std::string, std::string> given;
  for (const auto& entry : model.metadata_props()) given[entry.key()] = entry.value();
  const Tensor wanted = tensor_of(given.at("output"));
  const double step = std::stod(given.at("step"));
  graph::Inputs inputs;
  inputs.emplace("x", tensor_of(given.at("input")));

  const graph::Graph read = onnx_models::import_model(bytes, file.filename().string(), "");
  const graph::Graph simple = passes::run_passes(read, graph::simplifying_passes());
  if (!graph::states_quantization(simple)) fail("{}: states nothing", file.string());
  const graph::StatedGraph integers = graph::quantize_as_stated(simple);
  QuantizedCase result;
  result.read = steps_off(wanted, workload::run_on_processor(simple, inputs)[0], step);
  result.integers = steps_off(wanted, workload::run_on_processor(integers.quantized.graph, inputs)[0], step);
  for (const graph::Node& node : integers.quantized.graph.nodes()) {
    const bool is_product = node.is_call("conv2d") || node.is_call("dense") || node.is_call("matmul");
    if (is_product && integers.quantized.graph.type(node.inputs[1]).dtype == kInt8) ++result.products;
  }
  for (const graph::LeftProduct& left : integers.left) result.left.push_back(left.product + ": " + left.reason);
  return result;
}

std::string complaint(const QuantizedCase& result, const std::string& name) {
  const bool is_block = name.starts_with("block"), is_deep = name.starts_with("cnn") || name.starts_with("pools");
  const bool is_symmetric = name.find("symmetric") != std::string::npos;
  // A rounding that falls the other way is one step, and layers behind may make more of it.
  const StepsOff may = is_block ? StepsOff{6, 0.5} : is_deep ? StepsOff{2.001, 0.8} : StepsOff{1.001, 0.1};
  const auto beyond = [&](const char* what, const StepsOff& off) {
    return off.most <= may.most && off.mean <= may.mean
               ? std::string()
               : fmt::format("{} is {:.3g} steps off, in the mean {:.3g}; ", what, off.most, off.mean);
  };
  std::string text = beyond("what is read", result.read) + beyond("what integers make", result.integers);
  // Attention multiplies activations, whose zero points would have to be 0; of QLinearSoftmax it never is.
  const bool is_qdq = name.find("qdq") != std::string::npos;
  const size_t may_be_left = !is_block ? 0 : is_symmetric ? (is_qdq ? 0 : 1) : 2;
  for (size_t i = may_be_left; i < result.left.size(); ++i) text += result.left[i] + "; ";
  if (result.products == 0) text += "nothing is computed of integers; ";
  return text;
}

}  // namespace vantage::test
