#include "tests/frontend/onnx/on_accelerator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/passes/split_attention.h"
#include "compiler/graph/quantize/smooth.h"
#include "compiler/graph/text.h"
#include "compiler/network/partition.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "tests/support/first_mapping.h"
#include "workload/node_check.h"
#include "workload/prepared_network.h"

namespace vantage::test {

using graph::Node;

namespace {

constexpr int kRandomInputs = 3;
// That everything is faster elsewhere.
const network::PartitionCost kSlowProcessor = {.operations_per_second = 1, .bytes_per_second = 1};

// Floats from the least to the largest that a value has; everything else as it is.
Tensor random_like(const Tensor& value, std::mt19937_64& random) {
  if (!value.dtype().is_float()) return value;
  double least = HUGE_VAL, largest = -HUGE_VAL;
  for (int64_t e = 0; e < value.size(); ++e) {
    const double number = value.number(e);
    if (!std::isfinite(number)) return value;
    least = std::min(least, number);
    largest = std::max(largest, number);
  }
  Tensor other(value.dtype(), value.shape());
  for (int64_t e = 0; e < other.size(); ++e) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    other.set_number(e, least + share * (largest - least));
  }
  return other;
}

std::vector<graph::Inputs> calibration_of(const graph::Inputs& inputs) {
  std::vector<graph::Inputs> all = {inputs};
  std::mt19937_64 random(1);
  for (int i = 0; i < kRandomInputs; ++i) {
    graph::Inputs others;
    for (const auto& [name, value] : inputs) others.emplace(name, random_like(value, random));
    all.push_back(std::move(others));
  }
  return all;
}

// How far a value of floats lies from what it should be, by the largest that should be.
double error_of(const Tensor& expected, const Tensor& got) {
  double largest = 0, error = 0;
  for (int64_t e = 0; e < expected.size(); ++e) {
    const double x = expected.number(e), y = got.number(e);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!std::isfinite(x) || !std::isfinite(y)) return HUGE_VAL;
    error = std::max(error, std::abs(x - y));
  }
  for (int64_t e = 0; e < expected.size(); ++e) {
    if (std::isfinite(expected.number(e))) largest = std::max(largest, std::abs(expected.number(e)));
  }
  return error == 0 ? 0 : error / largest;
}

// By plain loops: graphs of one or a few operators are sooner computed than compiled.
graph::Statistics statistics_of(const graph::Graph& graph, const std::vector<graph::Inputs>& data) {
  const std::vector<graph::Value> values = graph::values_to_observe(graph);
  graph::Statistics statistics;
  if (values.empty()) return statistics;
  graph::Graph observed = graph;
  observed.set_outputs(values);
  for (const graph::Inputs& inputs : data) {
    const std::vector<Tensor> seen = graph::evaluate(observed, inputs);
    for (size_t i = 0; i < values.size(); ++i) statistics[values[i]].add(seen[i]);
  }
  return statistics;
}

network::Partitioned parts_of(const ImportedCase& c, const workload::PrepareOptions& options) {
  graph::Graph floats = passes::run_passes(graph::split_attention(c.graph), graph::simplifying_passes());
  const std::vector<graph::Inputs> data = calibration_of(c.inputs);
  floats = graph::smooth_channels(floats, statistics_of(floats, data), options.quantize);
  const graph::QuantizedGraph integers = graph::quantize(floats, statistics_of(floats, data), options.quantize);
  return network::partition_for_vta(integers.graph, *options.compile.config, kSlowProcessor);
}

// A partition's values one after the other: those of the accelerator by its programs, all others by plain loops.
class Run {
 public:
  Run(const graph::Graph& graph, const network::CompileOptions& options)
      : graph_(graph), options_(options), device_(driver::open_accelerator("fsim:", *options.config)) {}

  std::vector<Tensor> outputs(const graph::Inputs& inputs) {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      switch (node.kind) {
        case Node::Kind::kInput: values_.push_back({inputs.at(node.name)}); break;
        case Node::Kind::kConstant: values_.push_back({*node.constant}); break;
        case Node::Kind::kCall: values_.push_back(graph::evaluate_node(graph_, n, operands_of(node))); break;
        case Node::Kind::kFunction: values_.push_back(by_program(node)); break;
      }
    }
    std::vector<Tensor> all;
    for (const graph::Value& output : graph_.outputs()) all.push_back(values_[output.node][output.output]);
    return all;
  }

  size_t programs() const { return programs_; }
  // What a program made otherwise than plain loops, if one did.
  const std::string& wrong() const { return wrong_; }

 private:
  std::vector<const Tensor*> operands_of(const Node& node) const {
    std::vector<const Tensor*> operands;
    for (const graph::Value& input : node.inputs) operands.push_back(&values_[input.node][input.output]);
    return operands;
  }

  // A network of this function alone.
  std::vector<Tensor> by_program(const Node& node) {
    graph::Graph alone("alone");
    graph::Inputs inputs;
    std::vector<graph::Value> arguments;
    const std::vector<const Tensor*> operands = operands_of(node);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const Node& from = graph_.node(node.inputs[i]);
      const std::string name = fmt::format("p{}", i);
      arguments.push_back(from.constant ? alone.constant(from.constant, name)
                                        : alone.input(name, graph_.type(node.inputs[i])));
      if (!from.constant) inputs.emplace(name, *operands[i]);
    }
    alone.set_outputs({alone.call(node.function, arguments, "made")});
    const network::CompiledNetwork& compiled = compile(alone);
    const auto processor = driver::Processor::open("cpu:", 1);
    driver::NetworkExecutor executor(std::make_shared<const Network>(compiled.network), cpu::jit(compiled.functions),
                                     *processor, device_.get());
    workload::NodeCheck check(alone, executor);
    for (const auto& [name, value] : inputs) executor.set_input(name, value);
    executor.run([&](const driver::StepRun& run) {
      if (const auto wrong = check(run.step); wrong && wrong_.empty()) wrong_ = *wrong;
    });
    ++programs_;
    return {executor.output(0)};
  }

  // Heads of attention have the same.
  const network::CompiledNetwork& compile(const graph::Graph& alone) {
    std::string key = graph::to_text(alone);
    for (const auto& [name, value] : graph::constants(alone)) {
      key.append(reinterpret_cast<const char*>(value->bytes().data()), value->bytes().size());
    }
    auto known = compiled_.find(key);
    if (known == compiled_.end()) known = compiled_.emplace(key, network::compile_network(alone, options_)).first;
    return known->second;
  }

  const graph::Graph& graph_;
  const network::CompileOptions& options_;
  const std::unique_ptr<driver::Accelerator> device_;
  std::vector<std::vector<Tensor>> values_ = {};                   // by node
  std::map<std::string, network::CompiledNetwork> compiled_ = {};  // by all that the graph is
  std::string wrong_ = {};
  size_t programs_ = 0;
};

}  // namespace

OnAccelerator run_on_accelerator(const ImportedCase& c, const std::vector<Tensor>& expected) {
  using Verdict = OnAccelerator::Verdict;
  const isa::Config config = isa::Config::vta_default();
  workload::PrepareOptions options = workload::accurate_options_for(config);
  options.compile.find_mapping = first_mappings(config);
  const network::Partitioned parts = parts_of(c, options);
  if (parts.placements.empty()) return {};
  if (std::ranges::all_of(parts.placements, [](const network::Placement& p) { return p.device.empty(); })) {
    return {Verdict::kRefused, parts.placements[0].reason};
  }
  OnAccelerator result{Verdict::kRan};
  Run run(parts.graph, options.compile);
  const std::vector<Tensor> outputs = run.outputs(c.inputs);
  result.programs = run.programs();
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].dtype().is_float()) result.error = std::max(result.error, error_of(expected[i], outputs[i]));
  }
  if (!(result.error <= kMostError)) result.verdict = Verdict::kInexact;
  if (!run.wrong().empty()) result = {Verdict::kWrong, run.wrong()};
  return result;
}

}  // namespace vantage::test
