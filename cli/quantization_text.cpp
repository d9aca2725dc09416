#include "cli/quantization_text.h"

#include <fmt/format.h>

#include "base/json.h"
#include "cli/wrap.h"

namespace vantage::cli {

std::string quantization_table(const std::vector<workload::QuantizedLayer>& layers) {
  std::string text = fmt::format("{:<28} {:>12} {:>9} {:>12} {:>9}\n", "", "", "", "weights'", "");
  text += fmt::format("{:<28} {:>12} {:>9} {:>12} {:>9}\n", "value", "scale", "clipped", "SNR", "SNR");
  for (const workload::QuantizedLayer& layer : layers) {
    text += fmt::format("{:<28} {:>12.4g} {:>7.3f} % {:>12} {:>6.1f} dB\n", end_of(layer.name, 28), layer.scale,
                        100 * layer.clipped,
                        layer.weight_scale == 0 ? "-" : fmt::format("{:.1f} dB", layer.weight_snr_db), layer.snr_db);
  }
  return text;
}

Json quantization_json(const std::vector<workload::QuantizedLayer>& layers) {
  Json list = Json::array();
  for (const workload::QuantizedLayer& layer : layers) {
    Json json = {{"name", layer.name}, {"scale", layer.scale}, {"clipped", layer.clipped}, {"snr_db", layer.snr_db}};
    if (layer.weight_scale != 0) {
      json["weight_scale"] = layer.weight_scale;
      json["weight_snr_db"] = layer.weight_snr_db;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace vantage::cli
