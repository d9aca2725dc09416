#include "workload/prepared_network.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "compiler/graph/passes/all_in_float32.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/passes/split_attention.h"
#include "compiler/graph/quantize/quantize_stated.h"
#include "compiler/graph/quantize/smooth.h"
#include "compiler/graph/quantize/stated.h"
#include "workload/calibrate.h"

namespace vantage::workload {

PrepareOptions options_for(const isa::Config& config) {
  PrepareOptions options;
  options.quantize.activation_bits = std::min(8, config.inp_bits());
  options.quantize.weight_bits = std::min(8, config.wgt_bits());
  options.quantize.acc_bits = config.acc_bits();
  options.quantize.joins_additions = config.out_bits() == 8;
  options.compile.config = config;
  return options;
}

PrepareOptions accurate_options_for(const isa::Config& config) {
  PrepareOptions options = options_for(config);
  options.quantize.scaling = graph::Scaling::kMultiplyShift;
  options.quantize.per_channel = true;
  options.quantize.range = graph::Range::kMax;
  options.quantize.corrects_bias = true;
  options.smooths_channels = true;
  return options;
}

graph::Graph simplified(graph::Graph model) {
  return passes::run_passes(graph::split_attention(std::move(model)), graph::simplifying_passes());
}

namespace {

using Progress = std::function<void(const char*)>;

struct Integers {
  graph::Graph floats;
  graph::QuantizedGraph integers;
  std::vector<Sensitivity> sensitivities = {};
  std::set<std::string> kept_floats = {};
  std::vector<graph::LeftProduct> left = {};
};

std::set<std::string> floats_for_cycles(const std::vector<Sensitivity>& products, const graph::Graph& integers,
                                        const PrepareOptions& options) {
  const network::PartitionCost cost{.memory = options.compile.memory};
  const isa::Config& config = *options.compile.config;
  network::Partitioned parts = network::partition_for_vta(integers, config, cost);
  const Network network =
      network::compile_network(graph::fuse_operators(std::move(parts.graph)), options.compile).network;
  std::map<std::string, double> added;
  double all = 0;
  for (const NetworkStep& step : network.steps) {
    if (step.kind != NetworkStep::Kind::kProgram) continue;
    const auto cycles = static_cast<double>(network.estimates[step.code].cycles);
    all += cycles;
    const auto product = std::ranges::find(products, step.name, &Sensitivity::product);
    if (product == products.end()) continue;
    const double seconds = static_cast<double>(product->operations) / cost.operations_per_second;
    added[step.name] = seconds * 1e6 * config.clock_mhz() - cycles;
  }
  const auto most = static_cast<double>(*options.most_cycles);
  if (all > most) {
    fail("in integers alone the network takes {:.0f} cycles as estimated, and may take {:.0f}; allow it more", all,
         most);
  }
  return choose_floats_for_cycles(products, added, most - all);
}

// By what data show.
Integers measured(graph::Graph floats, const std::vector<graph::Inputs>& calibration, const PrepareOptions& options,
                  const Progress& begin) {
  begin("calibrating");
  graph::Statistics statistics = calibrate(floats, graph::values_to_observe(floats), calibration);
  if (options.smooths_channels) {
    floats = graph::smooth_channels(floats, statistics, options.quantize);
    statistics = calibrate(floats, graph::values_to_observe(floats), calibration);
  }
  graph::QuantizeOptions quantize = options.quantize;
  std::vector<Sensitivity> products;
  if (options.float_share > 0 || options.most_cycles) {
    begin("measuring what each product loses");
    constexpr size_t kMostData = 4;
    const auto end = calibration.begin() + static_cast<ptrdiff_t>(std::min(kMostData, calibration.size()));
    products = sensitivities(floats, statistics, quantize, {calibration.begin(), end});
    quantize.floats = options.most_cycles
                          ? floats_for_cycles(products, graph::quantize(floats, statistics, quantize).graph, options)
                          : choose_floats(products, options.float_share);
  }
  begin("quantizing");
  graph::QuantizedGraph integers = graph::quantize(floats, statistics, quantize);
  return {std::move(floats), std::move(integers), std::move(products), std::move(quantize.floats)};
}

// Of a simplified network.
Integers integers(graph::Graph floats, const std::vector<graph::Inputs>& calibration, const PrepareOptions& options,
                  const Progress& begin) {
  if (!graph::states_quantization(floats)) return measured(std::move(floats), calibration, options, begin);
  graph::StatedGraph stated = graph::quantize_as_stated(floats, options.quantize);
  return {std::move(floats), std::move(stated.quantized), {}, {}, std::move(stated.left)};
}

Progress progress_of(const PrepareOptions& options) {
  return [&options](const char* what) {
    if (options.progress) options.progress(what);
  };
}

}  // namespace

graph::Graph integers_of(graph::Graph model, const std::vector<graph::Inputs>& calibration,
                         const PrepareOptions& options) {
  return integers(simplified(graph::all_in_float32(std::move(model))), calibration, options, progress_of(options))
      .integers.graph;
}

PreparedNetwork prepare_network(graph::Graph model, const std::vector<graph::Inputs>& calibration,
                                const PrepareOptions& options) {
  const Progress begin = progress_of(options);
  begin("simplifying the network");
  graph::Graph floats = simplified(graph::all_in_float32(std::move(model)));
  const bool states_scales = graph::states_quantization(floats);
  Integers made = integers(std::move(floats), calibration, options, begin);
  begin("compiling");
  network::Partitioned parts =
      network::partition_for_vta(made.integers.graph, *options.compile.config, {.memory = options.compile.memory});
  for (network::Placement& placement : parts.placements) {
    const auto known = std::ranges::find(made.left, placement.node, &graph::LeftProduct::product);
    if (placement.device.empty() && known != made.left.end()) placement.reason = known->reason;
  }
  parts.graph = graph::fuse_operators(std::move(parts.graph));
  network::CompiledNetwork compiled = network::compile_network(parts.graph, options.compile);
  return {std::move(made.floats),
          std::move(made.integers),
          std::move(made.sensitivities),
          std::move(made.kept_floats),
          states_scales,
          std::move(parts),
          std::move(compiled)};
}

}  // namespace vantage::workload
