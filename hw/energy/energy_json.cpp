#include "hw/energy/energy_json.h"

#include "base/json.h"

namespace vantage::energy {

Json to_json(const std::string& technology, const Energy& energy, std::optional<uint64_t> useful_operations) {
  Json parts = Json::array();
  for (const Part part : kAllParts) {
    if (part == Part::kStatic && !energy.seconds) continue;
    parts.push_back({{"name", name(part)}, {"value", energy.of(part)}});
  }
  Json json = {{"technology", technology}, {"unit", "pJ"}, {"parts", std::move(parts)}, {"total", energy.total_pj()}};
  if (const auto watts = energy.watts()) json["watts"] = *watts;
  if (const auto edp = energy.edp()) json["edp"] = *edp;
  if (useful_operations) {
    if (const auto tops = energy.tops_per_watt(*useful_operations)) json["tops_per_watt"] = *tops;
  }
  return json;
}

Json to_json(const core::Activity& activity) {
  Json json = Json::object();
  for (const core::ActivityInfo& info : core::kActivity) json[std::string(info.name)] = activity.*info.value;
  return json;
}

}  // namespace vantage::energy
