#include "workload/quantization_report.h"

#include <cmath>
#include <map>

#include "workload/graph_on_processor.h"

namespace vantage::workload {

namespace {

double snr_db(const Tensor& floats, const Tensor& integers, double scale) {
  double signal = 0, noise = 0;
  for (int64_t e = 0; e < floats.size(); ++e) {
    const double wanted = floats.number(e), error = wanted - scale * integers.number(e);
    signal += wanted * wanted;
    noise += error * error;
  }
  if (noise == 0) return 200;  // as good as equal
  return signal == 0 ? 0 : 10 * std::log10(signal / noise);
}

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
  floats.set_outputs(before);
  integers.set_outputs(after);
  const std::vector<Tensor> wanted = run_on_processor(floats, inputs), got = run_on_processor(integers, inputs);
  std::vector<QuantizedLayer> layers;
  for (size_t i = 0; i < kept.size(); ++i) {
    const graph::QuantizedValue& value = *kept[i];
    layers.push_back({value.name, value.scale, value.clipped, value.weight_scale, value.weight_snr_db,
                      snr_db(wanted[i], got[i], value.scale)});
  }
  return layers;
}

}  // namespace vantage::workload
