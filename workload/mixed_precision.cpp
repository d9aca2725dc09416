#include "workload/mixed_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/quantize/groups.h"
#include "compiler/graph/quantize/scale.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/rewrite.h"
#include "compiler/network/compile_network.h"
#include "driver/runtime/executor.h"
#include "workload/processor_code.h"

namespace vantage::workload {

namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

std::string switch_of(size_t product) {
  return fmt::format("switch{}", product);
}

// A network of floats whose products can each be rounded: y + switch * (rounded y - y).
class Switchable {
 public:
  Switchable(const Graph& graph, const graph::Statistics& statistics, const graph::QuantizeOptions& options)
      : graph_(graph),
        statistics_(statistics),
        options_(options),
        users_(graph, options),
        rewrite_(graph),
        to_(rewrite_.graph()) {}

  Graph run(std::vector<Sensitivity>& products) && {
    std::set<uint32_t> ours;
    for (const auto& [tail, group] : graph::groups_of(graph_, options_)) ours.insert(group.members.front());
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      rewrite_.copy(n);
      if (ours.count(n) == 0) continue;
      const Node& node = graph_.nodes()[n];
      const TensorType& weights = graph_.type(node.inputs[1]);
      const Value by = to_.input(switch_of(products.size()), {kFloat32, {1}});
      products.push_back(
          {node.name, static_cast<uint64_t>(node.types[0].size() * (weights.size() / weights.shape[0]))});
      const Value exact = rewrite_.at({n, 0});
      const Value lost = to_.call("subtract", {rounded_product(node, n), exact});
      rewrite_.replace(n, {to_.call("add", {exact, to_.call("multiply", {lost, by})})});
    }
    Graph whole = std::move(rewrite_).finish();
    whole.set_outputs({whole.outputs()[0]});
    return graph::remove_dead_code(std::move(whole));
  }

 private:
  Value rounded_product(const Node& node, uint32_t n) {
    std::vector<Value> inputs = rewrite_.at(node.inputs);
    inputs[0] = rounded(inputs[0], node.inputs[0]);
    inputs[1] =
        graph::dequantized(to_, graph::integer_weights(graph_, node.inputs[1], options_), node.name + ".rounded");
    const Value sums = to_.call(*node.op, std::move(inputs), node.attributes);
    // Channels of scales of their own lose next to nothing.
    return options_.per_channel && !users_.feeds(n) ? sums : rounded(sums, {n, 0});
  }

  // To the integers that it would have.
  Value rounded(Value value, Value before) {
    const double limit = static_cast<double>(graph::integer_limit(options_.activation_bits));
    const auto number = [&](double x) {
      Tensor tensor(kFloat32, {1});
      tensor.set_number(0, x);
      return to_.constant(std::move(tensor));
    };
    const double scale = graph::choose_scale(statistics_.at(before).magnitudes, options_.activation_bits,
                                             options_.scaling, options_.range);
    Value steps = to_.call("round", {to_.call("multiply", {value, number(1 / scale)})});
    steps = to_.call("clip", {steps}, {{"min", -limit}, {"max", limit}});
    return to_.call("multiply", {steps, number(scale)});
  }

  const Graph& graph_;
  const graph::Statistics& statistics_;
  const graph::QuantizeOptions& options_;
  graph::IntegerUsers users_;
  graph::Rewrite rewrite_;
  Graph& to_;
};

}  // namespace

std::vector<Sensitivity> sensitivities(const Graph& floats, const graph::Statistics& statistics,
                                       const graph::QuantizeOptions& options, const std::vector<graph::Inputs>& data) {
  std::vector<Sensitivity> products;
  Graph network = Switchable(floats, statistics, options).run(products);
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled =
      network::compile_network(graph::fuse_operators(std::move(network)), {.threads = processor->threads()});
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   processor_code(compiled.functions), *processor, nullptr);
  Tensor off(kFloat32, {1}), on(kFloat32, {1});
  on.set_number(0, 1);
  for (const graph::Inputs& inputs : data) {
    for (const auto& [name, value] : inputs) executor.set_input(name, value);
    for (size_t p = 0; p < products.size(); ++p) executor.set_input(switch_of(p), off);
    executor.run();
    const Tensor wanted = executor.output(0);
    double signal = 0;
    for (int64_t e = 0; e < wanted.size(); ++e) signal += wanted.number(e) * wanted.number(e);
    for (size_t p = 0; p < products.size() && signal > 0; ++p) {
      executor.set_input(switch_of(p), on);
      executor.run();
      const Tensor got = executor.output(0);
      executor.set_input(switch_of(p), off);
      double noise = 0;
      for (int64_t e = 0; e < wanted.size(); ++e) {
        const double error = wanted.number(e) - got.number(e);
        noise += error * error;
      }
      products[p].noise += noise / signal / static_cast<double>(data.size());
    }
  }
  return products;
}

std::set<std::string> choose_floats(std::vector<Sensitivity> all, double share) {
  double total = 0, kept = 0;
  for (const Sensitivity& product : all) total += static_cast<double>(product.operations);
  std::ranges::stable_sort(all, std::greater(), [](const Sensitivity& product) {
    return product.noise / static_cast<double>(product.operations);
  });
  std::set<std::string> floats;
  for (const Sensitivity& product : all) {
    if (kept + static_cast<double>(product.operations) > share * total) continue;
    kept += static_cast<double>(product.operations);
    floats.insert(product.product);
  }
  return floats;
}

std::set<std::string> choose_floats_for_cycles(std::vector<Sensitivity> all, const std::map<std::string, double>& added,
                                               double cycles) {
  std::erase_if(all, [&](const Sensitivity& product) { return added.count(product.product) == 0; });
  const auto cost = [&](const Sensitivity& product) { return std::max(0.0, added.at(product.product)); };
  std::ranges::stable_sort(all, std::greater(),
                           [&](const Sensitivity& product) { return product.noise / std::max(cost(product), 1e-9); });
  std::set<std::string> floats;
  for (const Sensitivity& product : all) {
    if (product.noise == 0 || cost(product) > cycles) continue;
    cycles -= cost(product);
    floats.insert(product.product);
  }
  return floats;
}

}  // namespace vantage::workload
