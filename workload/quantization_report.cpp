#include "workload/quantization_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/math.h"
#include "compiler/graph/quantize/weights.h"
#include "workload/graph_on_processor.h"

namespace vantage::workload {

namespace {

double in_db(double signal, double noise) {
  if (noise == 0) return 200;  // as good as equal
  return signal == 0 ? 0 : 10 * std::log10(signal / noise);
}

// The squares of a value's channels, and of what they lack as integers.
struct Noise {
  std::vector<double> signal, noise;

  Noise(const Tensor& floats, const Tensor& integers, const graph::QuantizedValue& value) {
    const Tensor::Shape& shape = floats.shape();
    const size_t axis = graph::channel_axis(std::max<size_t>(1, shape.size()));
    const int64_t channels = shape.empty() ? 1 : shape[axis];
    signal.resize(static_cast<size_t>(channels));
    noise.resize(signal.size());
    const auto zero = static_cast<double>(value.zero);
    int64_t inner = 1;
    for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
    for (int64_t e = 0; e < floats.size(); ++e) {
      const auto channel = static_cast<size_t>(e / inner % channels);
      const double scale = value.channel_scales.empty() ? value.scale : value.channel_scales[channel];
      const double number = floats.number(e);
      const double wanted = value.stated ? scale * (number - static_cast<double>(value.stated->zero)) : number;
      const double integer = integers.number(e) - zero;
      const double error = wanted - scale * integer;
      signal[channel] += wanted * wanted;
      noise[channel] += error * error;
    }
  }

  double snr_db() const {
    return in_db(std::accumulate(signal.begin(), signal.end(), 0.0), std::accumulate(noise.begin(), noise.end(), 0.0));
  }
  // The channel with the worst one; of those that are nothing none.
  std::pair<int64_t, double> worst() const {
    std::pair<int64_t, double> worst = {0, snr_db()};
    bool any = false;
    for (size_t c = 0; c < signal.size(); ++c) {
      if (signal[c] == 0) continue;
      const double db = in_db(signal[c], noise[c]);
      if (!any || db < worst.second) worst = {static_cast<int64_t>(c), db};
      any = true;
    }
    return worst;
  }
};

}  // namespace

std::vector<QuantizedLayer> quantization_report(const PreparedNetwork& prepared, const graph::Inputs& inputs) {
  const std::vector<graph::QuantizedValue>& values = prepared.integers.values;
  graph::Graph floats = prepared.floats, integers = prepared.integers.graph;
  std::map<std::string, uint32_t> nodes;
  for (uint32_t n = 0; n < integers.nodes().size(); ++n) nodes.emplace(integers.nodes()[n].name, n);
  std::vector<graph::Value> before, after;
  std::vector<const graph::QuantizedValue*> kept;
  for (const graph::QuantizedValue& value : values) {
    const auto node = nodes.find(value.name);
    if (node == nodes.end()) continue;  // nobody needs it
    before.push_back(value.before);
    after.push_back({node->second, 0});
    kept.push_back(&value);
  }
  if (kept.empty()) return {};  // all stays floats
  floats.set_outputs(before);
  integers.set_outputs(after);
  const std::vector<Tensor> wanted = run_on_processor(floats, inputs), got = run_on_processor(integers, inputs);
  std::vector<QuantizedLayer> layers;
  for (size_t i = 0; i < kept.size(); ++i) {
    const graph::QuantizedValue& value = *kept[i];
    const Noise noise(wanted[i], got[i], value);
    const auto [channel, channel_snr_db] = noise.worst();
    layers.push_back({value.name, value.scale, value.stated, !value.channel_scales.empty(), value.clipped,
                      value.weight_scale, value.weight_snr_db, noise.snr_db(), channel, channel_snr_db});
  }
  return layers;
}

std::vector<WeightAccuracy> weight_accuracies(const graph::Graph& floats) {
  std::vector<WeightAccuracy> all;
  for (const graph::Node& node : floats.nodes()) {
    if ((!node.is_call("conv2d") && !node.is_call("dense")) || node.types[0].dtype != kFloat32) continue;
    if (!graph::is_weight(floats, node.inputs[1])) continue;
    const auto& constant = floats.node(node.inputs[1]).constant;
    const Tensor weights =
        constant != nullptr ? *constant : graph::floats_of(*graph::find_narrow_weights(floats, node.inputs[1]));
    const auto by_output = [&](int bits) {
      return graph::quantize_weights(
                 weights, {.scaling = graph::Scaling::kMultiplyShift, .per_channel = true, .weight_bits = bits})
          .snr_db;
    };
    // Zeros behind, which are said exactly, so that groups are whole.
    const int64_t outputs = weights.extent(0), depth = weights.size() / outputs;
    Tensor rows(kFloat32, {outputs, round_up(depth, kWeightGroup)});
    for (int64_t e = 0; e < weights.size(); ++e) {
      rows.set_number(e / depth * rows.extent(1) + e % depth, weights.number(e));
    }
    const Tensor grouped = graph::floats_of(graph::quantize_in_groups(rows, 4, kWeightGroup));
    double signal = 0, noise = 0;
    for (int64_t e = 0; e < rows.size(); ++e) {
      const double wanted = rows.number(e), error = wanted - grouped.number(e);
      signal += wanted * wanted;
      noise += error * error;
    }
    all.push_back({node.name, by_output(8), by_output(4), in_db(signal, noise)});
  }
  return all;
}

}  // namespace vantage::workload
