#include "cli/network_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "cli/wrap.h"

namespace vantage::cli {

using workload::LayerMeasurement;

namespace {

// At the end of a name is what tells it from others.
std::string shortened(const std::string& text, size_t columns) {
  return text.size() <= columns ? text : ".." + text.substr(text.size() - columns + 2);
}

std::string amount(uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  if (bytes < 10'000'000) return fmt::format("{} kB", bytes / 1000);
  return fmt::format("{} MB", bytes / 1'000'000);
}

// 10^9 operations a second, of two for each multiplication.
double gops(uint64_t multiplications, const LayerMeasurement& layer) {
  return 2e-9 * static_cast<double>(multiplications) / layer.seconds;
}

double share_of_bound(const LayerMeasurement& layer) {
  return static_cast<double>(*layer.bound) / static_cast<double>(layer.cycles->count());
}

const network::ProgramEstimate* estimate_of(const workload::PreparedNetwork& prepared, const std::string& node) {
  for (const NetworkStep& step : prepared.compiled.network.steps) {
    if (step.name == node && step.kind == NetworkStep::Kind::kProgram) return &prepared.compiled.estimates[step.code];
  }
  return nullptr;
}

}  // namespace

std::string layer_table(const workload::NetworkMeasurement& measured, const isa::Config&) {
  std::string text =
      fmt::format("{:<24} {:<9} {:<4} {:>9} {:>8} {:>7} {:>6} {:>6}\n", "", "", "", "", "", "", "useful", "of its");
  text += fmt::format("{:<24} {:<9} {:<4} {:>9} {:>8} {:>7} {:>6} {:>6}\n", "step", "operator", "on", "cycles", "ms",
                      "bytes", "GOPS", "bound");
  for (const LayerMeasurement& layer : measured.layers) {
    std::string line =
        fmt::format("{:<24} {:<9} {:<4} {:>9} {:>8.3f} {:>7} {:>6} {:>6}", shortened(layer.name, 24),
                    layer.op.substr(0, 9), layer.device, layer.cycles ? std::to_string(layer.cycles->count()) : "-",
                    1e3 * layer.seconds, amount(layer.bytes.count()),
                    layer.useful == 0 || !layer.cycles ? "-" : fmt::format("{:.1f}", gops(layer.useful, layer)),
                    layer.bound && layer.cycles ? fmt::format("{:.1f} %", 100 * share_of_bound(layer)) : "-");
    text += line + "\n";
  }
  return text;
}

Json layers_json(const workload::NetworkMeasurement& measured, const isa::Config&) {
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

std::string placement_table(const workload::PreparedNetwork& prepared) {
  std::string text;
  for (const network::Placement& placement : prepared.parts.placements) {
    const auto* known = estimate_of(prepared, placement.node);
    std::string what;
    if (known == nullptr) {
      what = "processor: " + placement.reason;
    } else {
      const double useful =
          static_cast<double>(known->useful) / static_cast<double>(std::max<uint64_t>(1, known->padded));
      what = fmt::format("accelerator: {} cycles as estimated, at least {} for the {}", known->cycles, known->bound,
                         known->binds);
      if (known->padded > known->useful) what += fmt::format("; {:.0f} % of its products are useful", 100 * useful);
    }
    text += fmt::format("{:<28} ", shortened(placement.node, 28)) + wrapped(what, 29);
  }
  return text;
}

Json placements_json(const workload::PreparedNetwork& prepared) {
  Json list = Json::array();
  for (const network::Placement& placement : prepared.parts.placements) {
    Json json = {{"name", placement.node}, {"device", placement.device.empty() ? "cpu" : placement.device}};
    if (!placement.reason.empty()) json["reason"] = placement.reason;
    if (const auto* known = estimate_of(prepared, placement.node)) {
      json["op"] = known->op;
      json["cycles"] = known->cycles;
      json["bound"] = known->bound;
      json["binds"] = known->binds;
      json["useful_operations"] = 2 * known->useful;
      json["padded_operations"] = 2 * known->padded;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace vantage::cli
