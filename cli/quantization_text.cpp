#include "cli/quantization_text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "base/json.h"
#include "cli/wrap.h"

namespace vantage::cli {

namespace {

struct KeptFloats {
  std::string product;
  double share, snr_db;
};

std::vector<KeptFloats> kept_floats(const workload::PreparedNetwork& prepared) {
  double total = 0;
  for (const workload::Sensitivity& product : prepared.sensitivities) total += static_cast<double>(product.operations);
  std::vector<KeptFloats> kept;
  for (const workload::Sensitivity& product : prepared.sensitivities) {
    if (prepared.kept_floats.count(product.product) == 0) continue;
    const double snr_db = product.noise > 0 ? -10 * std::log10(product.noise) : 200;
    kept.push_back({product.product, static_cast<double>(product.operations) / total, snr_db});
  }
  return kept;
}

}  // namespace

std::string quantization_table(const std::vector<workload::QuantizedLayer>& layers) {
  constexpr std::string_view kRow = "{:<28} {:>9} {:>8} {:>8} {:>8}  {:>6} {:>8}\n";
  std::string text = fmt::format(kRow, "", "", "", "weights'", "", "worst", "");
  text += fmt::format(kRow, "value", "scale", "clipped", "SNR", "SNR", "chan.", "SNR");
  for (const workload::QuantizedLayer& layer : layers) {
    text +=
        fmt::format(kRow, end_of(layer.name, 28), layer.by_channel ? "channels" : fmt::format("{:.4g}", layer.scale),
                    layer.by_channel ? "-" : fmt::format("{:.3f} %", 100 * layer.clipped),
                    layer.weight_scale == 0 ? "-" : fmt::format("{:.1f} dB", layer.weight_snr_db),
                    fmt::format("{:.1f} dB", layer.snr_db), layer.worst_channel,
                    fmt::format("{:.1f} dB", layer.worst_channel_snr_db));
  }
  return text;
}

Json quantization_json(const std::vector<workload::QuantizedLayer>& layers) {
  Json list = Json::array();
  for (const workload::QuantizedLayer& layer : layers) {
    Json json = {{"name", layer.name},
                 {"scale", layer.scale},
                 {"by_channel", layer.by_channel},
                 {"clipped", layer.clipped},
                 {"snr_db", layer.snr_db},
                 {"worst_channel", layer.worst_channel},
                 {"worst_channel_snr_db", layer.worst_channel_snr_db}};
    if (layer.weight_scale != 0) {
      json["weight_scale"] = layer.weight_scale;
      json["weight_snr_db"] = layer.weight_snr_db;
    }
    list.push_back(std::move(json));
  }
  return list;
}

std::string kept_floats_table(const workload::PreparedNetwork& prepared) {
  std::string text = fmt::format("{:<44} {:>15} {:>18}\n", "kept as floats", "multiplications", "SNR if rounded");
  for (const KeptFloats& kept : kept_floats(prepared)) {
    text += fmt::format("{:<44} {:>13.1f} % {:>15.1f} dB\n", end_of(kept.product, 44), 100 * kept.share, kept.snr_db);
  }
  return text;
}

Json kept_floats_json(const workload::PreparedNetwork& prepared) {
  Json list = Json::array();
  for (const KeptFloats& kept : kept_floats(prepared)) {
    list.push_back({{"name", kept.product}, {"share", kept.share}, {"snr_db", kept.snr_db}});
  }
  return list;
}

}  // namespace vantage::cli
