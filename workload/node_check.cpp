#include "workload/node_check.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "compiler/graph/evaluate.h"
#include "compiler/network/compile_network.h"

namespace vantage::workload {

using graph::Node;
using graph::Value;

namespace {

// Sums in another order, and formulas that are put together: a few steps of the narrow floats, many of wide ones.
double relative_of(DType dtype) {
  return dtype == kFloat16 ? 0x1p-8 : dtype == kBFloat16 ? 0x1p-5 : 0x1p-16;
}

// Of a float that the node makes: of its own type, or a narrower one that it comes by.
double relative_of(const Node& node, DType dtype) {
  double relative = relative_of(dtype);
  if (node.kind != Node::Kind::kFunction) return relative;
  for (const Node& inner : node.function->nodes()) {
    for (const TensorType& type : inner.types) {
      if (type.dtype.is_float()) relative = std::max(relative, relative_of(type.dtype));
    }
  }
  return relative;
}

Tolerance tolerance_of(const Tensor& expected, double relative) {
  if (!expected.dtype().is_float()) return {};
  double largest = 0;
  for (int64_t e = 0; e < expected.size(); ++e) {
    const double magnitude = std::abs(expected.number(e));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return {.relative = relative, .absolute = relative * largest};
}

// How far most of an output moves when every float among the operands moves by a little: of sums that cancel no more is
// certain. Of rounding and comparing, which jump, most values do not.
double sensitivity(const graph::Graph& graph, uint32_t number, uint32_t output, const std::vector<Tensor>& operands,
                   const Tensor& expected, double relative) {
  std::mt19937_64 random(number);
  std::uniform_real_distribution<double> off(1 - relative, 1 + relative);
  std::vector<Tensor> moved = operands;
  std::vector<const Tensor*> all;
  for (Tensor& tensor : moved) {
    all.push_back(&tensor);
    if (!tensor.dtype().is_float()) continue;
    for (int64_t e = 0; e < tensor.size(); ++e) tensor.set_number(e, tensor.number(e) * off(random));
  }
  const Tensor got = graph::evaluate_node(graph, number, all).at(output);
  std::vector<double> distances;
  for (int64_t e = 0; e < got.size(); ++e) {
    const double distance = std::abs(got.number(e) - expected.number(e));
    if (std::isfinite(distance)) distances.push_back(distance);
  }
  if (distances.empty()) return 0;
  const auto most = distances.begin() + static_cast<long>(distances.size() * 9 / 10);
  std::nth_element(distances.begin(), most, distances.end());
  return *most;
}

// A sum in another order may be rounded to the other side.
bool rounds_sums(const Node& node) {
  return node.kind == Node::Kind::kFunction &&
         std::ranges::any_of(node.function->nodes(), [](const Node& inner) { return inner.is_call("round"); });
}

// The least distance between two values of a tensor: a step of what they are rounded to.
double least_step(const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t e = 0; e < tensor.size(); ++e) {
    if (std::isfinite(tensor.number(e))) values.push_back(tensor.number(e));
  }
  std::sort(values.begin(), values.end());
  double step = HUGE_VAL;
  for (size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) step = std::min(step, values[i] - values[i - 1]);
  }
  return std::isfinite(step) ? step : 0;
}

// `got` with the few values that are a step away from what is expected as they should be; as it is where they are more.
Tensor without_flips(const Tensor& expected, const Tensor& got, const Tolerance& tolerance) {
  const double step = 1.01 * least_step(expected);
  Tensor result(got);
  int64_t flips = 0;
  for (int64_t e = 0; e < got.size(); ++e) {
    const double wanted = expected.number(e), off = std::abs(got.number(e) - wanted);
    const bool is_right = off <= tolerance.absolute + tolerance.relative * std::abs(wanted);
    if (is_right || !(off <= step)) continue;  // what is no number is no step away
    result.set_number(e, wanted);
    ++flips;
  }
  return flips <= 1 + got.size() / 100 ? result : got;
}

// A node's output without what fills its tiles up, which may be anything.
Tensor without_filling(const Node& node, uint32_t output, Tensor value) {
  if (node.kind != Node::Kind::kFunction) return value;
  const graph::Graph& function = *node.function;
  const Node& last = function.node(function.outputs()[output]);
  if (!last.is_call("pack_tiles")) return value;
  graph::Graph unpack("unpack");
  const Value tiles = unpack.input("tiles", node.types[output]);
  unpack.set_outputs({unpack.call("unpack_tiles", {tiles}, {{"shape", function.type(last.inputs[0]).shape}})});
  graph::Inputs inputs;
  inputs.emplace("tiles", std::move(value));
  return graph::evaluate(unpack, inputs)[0];
}

// Operands that a step writes.
std::vector<size_t> written(const Network& network, const NetworkStep& step, size_t outputs) {
  if (step.kind != NetworkStep::Kind::kProgram)
    return {step.operands.end() - static_cast<long>(outputs), step.operands.end()};
  std::vector<size_t> result;
  const std::vector<ProgramTensor>& tensors = network.programs[step.code].tensors;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role == TensorRole::kOutput) result.push_back(step.operands[i]);
  }
  return result;
}

}  // namespace

NodeCheck::NodeCheck(const graph::Graph& graph, const driver::NetworkExecutor& executor)
    : graph_(graph), executor_(executor) {
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) nodes_.emplace(graph.nodes()[n].name, n);
}

std::optional<std::string> NodeCheck::operator()(size_t number) {
  const Network& network = executor_.network();
  const NetworkStep& step = network.steps.at(number);
  std::optional<std::string> wrong;
  size_t outputs = 1;
  if (step.kind == NetworkStep::Kind::kUpload || step.kind == NetworkStep::Kind::kDownload) {
    wrong = difference(given(step.operands[0]), executor_.value(step.operands[1]));
    if (wrong) wrong = fmt::format("{}: {}", step.name, *wrong);
  } else {
    const auto node = nodes_.find(step.name);
    VANTAGE_CHECK(node != nodes_.end());
    wrong = check_node(step, node->second);
    outputs = graph_.nodes()[node->second].types.size();
  }
  for (const size_t operand : written(network, step, outputs)) {
    const NetworkTensor& tensor = network.tensors[operand];
    made_.insert_or_assign({tensor.place, tensor.slot}, executor_.value(operand));
  }
  return wrong;
}

// What a step had when it began. Inputs and constants are never written over.
Tensor NodeCheck::given(size_t number) const {
  const NetworkTensor& tensor = executor_.network().tensors[number];
  const auto made = made_.find({tensor.place, tensor.slot});
  if (tensor.constant || made == made_.end()) return executor_.value(number);
  return made->second.reshaped(tensor.type.shape);
}

std::optional<std::string> NodeCheck::check_node(const NetworkStep& step, uint32_t number) const {
  const Network& network = executor_.network();
  const Node& node = graph_.nodes()[number];
  // The step's tensor for a value, on the processor or the accelerator.
  const auto operand_of = [&](Value value) {
    const std::string name = network::tensor_name(graph_, value);
    const auto found = std::find_if(step.operands.begin(), step.operands.end(), [&](size_t operand) {
      const NetworkTensor& tensor = network.tensors[operand];
      return tensor.name == (tensor.place == Place::kHost ? name : network::accelerator_name(name));
    });
    VANTAGE_CHECK(found != step.operands.end());
    return *found;
  };
  std::vector<Tensor> values;
  for (const Value& input : node.inputs) {
    const Node& from = graph_.node(input);
    values.push_back(from.constant ? *from.constant : given(operand_of(input)));
  }
  std::vector<const Tensor*> operands;
  for (const Tensor& value : values) operands.push_back(&value);
  const std::vector<Tensor> expected = graph::evaluate_node(graph_, number, operands);
  for (uint32_t i = 0; i < expected.size(); ++i) {
    const double relative = relative_of(node, expected[i].dtype());
    Tolerance tolerance = tolerance_of(expected[i], relative);
    const Tensor wanted = without_filling(node, i, expected[i]);
    Tensor got = without_filling(node, i, executor_.value(operand_of({number, i})));
    if (step.kind == NetworkStep::Kind::kFunction && rounds_sums(node)) got = without_flips(wanted, got, tolerance);
    auto wrong = difference(wanted, got, tolerance);
    if (wrong && expected[i].dtype().is_float()) {
      const double certain = relative / 4;
      tolerance.absolute += 4 * sensitivity(graph_, number, i, values, expected[i], certain);
      wrong = difference(wanted, got, tolerance);
    }
    if (wrong) return fmt::format("{}: {}", network::tensor_name(graph_, {number, i}), *wrong);
  }
  return std::nullopt;
}

}  // namespace vantage::workload
