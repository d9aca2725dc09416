#include "cli/layer_text.h"

#include <fmt/format.h>

#include "base/json.h"
#include "cli/wrap.h"

namespace vantage::cli {

using workload::LayerMeasurement;

namespace {

// 10^9 operations a second, of two for each multiplication.
double gops(uint64_t multiplications, const LayerMeasurement& layer) {
  return 2e-9 * static_cast<double>(multiplications) / layer.seconds;
}

double share_of_bound(const LayerMeasurement& layer) {
  return static_cast<double>(*layer.bound) / static_cast<double>(layer.cycles->count());
}

}  // namespace

std::string layer_table(const workload::NetworkMeasurement& measured) {
  std::string text =
      fmt::format("{:<24} {:<9} {:<4} {:>9} {:>8} {:>7} {:>6} {:>6}\n", "", "", "", "", "", "", "useful", "of its");
  text += fmt::format("{:<24} {:<9} {:<4} {:>9} {:>8} {:>7} {:>6} {:>6}\n", "step", "operator", "on", "cycles", "ms",
                      "bytes", "GOPS", "bound");
  for (const LayerMeasurement& layer : measured.layers) {
    std::string line =
        fmt::format("{:<24} {:<9} {:<4} {:>9} {:>8.3f} {:>7} {:>6} {:>6}", end_of(layer.name, 24),
                    layer.op.substr(0, 9), layer.device, layer.cycles ? std::to_string(layer.cycles->count()) : "-",
                    1e3 * layer.seconds, amount(layer.bytes.count()),
                    layer.useful == 0 || !layer.cycles ? "-" : fmt::format("{:.1f}", gops(layer.useful, layer)),
                    layer.bound && layer.cycles ? fmt::format("{:.1f} %", 100 * share_of_bound(layer)) : "-");
    text += line + "\n";
  }
  return text;
}

Json layers_json(const workload::NetworkMeasurement& measured) {
  Json list = Json::array();
  for (const LayerMeasurement& layer : measured.layers) {
    Json json = {{"name", layer.name},
                 {"op", layer.op},
                 {"device", layer.device},
                 {"ms", 1e3 * layer.seconds},
                 {"bytes", layer.bytes.count()}};
    if (layer.cycles) json["cycles"] = layer.cycles->count();
    if (layer.useful != 0) {
      json["useful_operations"] = 2 * layer.useful;
      json["padded_operations"] = 2 * layer.padded;
      if (layer.cycles) json["gops"] = {{"useful", gops(layer.useful, layer)}, {"padded", gops(layer.padded, layer)}};
    }
    if (layer.bound) json["bound"] = *layer.bound;
    if (layer.bound) json["binds"] = layer.binds;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace vantage::cli
