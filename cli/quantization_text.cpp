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

// What its integers cannot say, or which of them is 0.
std::string second_column(const workload::QuantizedLayer& layer) {
  if (layer.stated) return fmt::format("{} {}", name(layer.stated->dtype), layer.stated->zero);
  return layer.by_channel ? "-" : fmt::format("{:.3f} %", 100 * layer.clipped);
}

}  // namespace

std::string quantization_table(const std::vector<workload::QuantizedLayer>& layers) {
  if (layers.empty()) return "no value is made an integer\n";
  constexpr std::string_view kRow = "{:<28} {:>9} {:>9} {:>8} {:>8}  {:>6} {:>8}\n";
  // Of scales that a file states nothing is known to be cut, and its weights are as they were.
  const bool is_stated = layers[0].stated.has_value();
  std::string text = fmt::format(kRow, "", "", "", "weights'", "", "worst", "");
  text += fmt::format(kRow, "value", "scale", is_stated ? "zero" : "clipped", is_stated ? "scale" : "SNR", "SNR",
                      "chan.", "SNR");
  for (const workload::QuantizedLayer& layer : layers) {
    const std::string weights = layer.weight_scale == 0 ? "-"
                                : is_stated             ? fmt::format("{:.4g}", layer.weight_scale)
                                                        : fmt::format("{:.1f} dB", layer.weight_snr_db);
    text +=
        fmt::format(kRow, end_of(layer.name, 28), layer.by_channel ? "channels" : fmt::format("{:.4g}", layer.scale),
                    second_column(layer), weights, fmt::format("{:.1f} dB", layer.snr_db), layer.worst_channel,
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
                 {"snr_db", layer.snr_db},
                 {"worst_channel", layer.worst_channel},
                 {"worst_channel_snr_db", layer.worst_channel_snr_db}};
    if (layer.stated) {
      json["dtype"] = name(layer.stated->dtype);
      json["zero_point"] = layer.stated->zero;
    } else {
      json["clipped"] = layer.clipped;
    }
    if (layer.weight_scale != 0) {
      json["weight_scale"] = layer.weight_scale;
      if (!layer.stated) json["weight_snr_db"] = layer.weight_snr_db;
    }
    list.push_back(std::move(json));
  }
  return list;
}

std::string weights_table(const std::vector<workload::WeightAccuracy>& weights) {
  constexpr std::string_view kRow = "{:<40} {:>10} {:>10} {:>16}\n";
  std::string text = fmt::format(kRow, "weights' SNR, by a scale for", "outputs,", "outputs,", "groups of 32,");
  text += fmt::format(kRow, "", "8 bits", "4 bits", "4 bits");
  for (const workload::WeightAccuracy& of : weights) {
    text += fmt::format(kRow, end_of(of.product, 40), fmt::format("{:.1f} dB", of.int8_db),
                        fmt::format("{:.1f} dB", of.int4_db), fmt::format("{:.1f} dB", of.int4_groups_db));
  }
  return text;
}

Json weights_json(const std::vector<workload::WeightAccuracy>& weights) {
  Json list = Json::array();
  for (const workload::WeightAccuracy& of : weights) {
    list.push_back({{"name", of.product},
                    {"int8_db", of.int8_db},
                    {"int4_db", of.int4_db},
                    {"int4_groups_db", of.int4_groups_db}});
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
