#include "cli/placement_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "cli/wrap.h"
#include "compiler/network/partition.h"

namespace vantage::cli {

namespace {

const ProgramEstimate* estimate_of(const workload::PreparedNetwork& prepared, const std::string& node) {
  const Network& network = prepared.compiled.network;
  for (const NetworkStep& step : network.steps) {
    if (step.name == node && step.kind == NetworkStep::Kind::kProgram) return &network.estimates[step.code];
  }
  return nullptr;
}

}  // namespace

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
      what = fmt::format("accelerator: {} cycles as estimated, at least {} for the {}; {}", known->cycles, known->bound,
                         known->binds, amount(known->bytes));
      if (known->padded > known->useful) what += fmt::format("; {:.0f} % of its products are useful", 100 * useful);
      const double ms = 1e3 * placement.processor_seconds;
      what += fmt::format("; {} would help; a processor would take {} ms", network::what_helps(known->binds),
                          ms < 10 ? fmt::format("{:.2g}", ms) : fmt::format("{:.0f}", ms));
    }
    text += fmt::format("{:<28} ", end_of(placement.node, 28)) + wrapped(what, 29);
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
      json["bytes"] = known->bytes;
      json["would_help"] = network::what_helps(known->binds);
      json["processor_seconds"] = placement.processor_seconds;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace vantage::cli
