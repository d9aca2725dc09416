#include "report/report.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "report/config_table.h"

namespace vantage::report {

namespace {

Json traffic_json(const workload::Traffic& moved, const std::optional<workload::Traffic>& least) {
  using workload::Traffic;
  constexpr std::array<std::pair<const char*, uint64_t Traffic::*>, 5> kKinds = {
      {{"inputs", &Traffic::inputs},
       {"weights", &Traffic::weights},
       {"accumulators", &Traffic::accumulators},
       {"micro-ops", &Traffic::micro_ops},
       {"outputs", &Traffic::outputs}}};
  Json list = Json::array();
  for (const auto& [what, bytes] : kKinds) {
    Json json = {{"what", what}, {"bytes", moved.*bytes}};
    // A convolution with strides needs less than all of its inputs
    if (least) json["least"] = std::min((*least).*bytes, moved.*bytes);
    list.push_back(std::move(json));
  }
  return list;
}

Json stages_json(const std::vector<sim::StageCycles>& stages) {
  Json json = Json::object();
  for (const isa::Stage stage : isa::kAllStages) {
    const sim::StageCycles& cycles = stages.at(static_cast<size_t>(stage));
    json[std::string(isa::name(stage))] = {{"busy", cycles.busy.count()},
                                           {"token_wait", cycles.token_wait.count()},
                                           {"memory_wait", cycles.memory_wait.count()},
                                           {"idle", cycles.idle.count()}};
  }
  return json;
}

Json layer_json(const Layer& layer) {
  Json json = {{"name", layer.name},           {"op", layer.op},           {"device", layer.device},
               {"start", layer.start_seconds}, {"seconds", layer.seconds}, {"bytes", layer.bytes}};
  if (layer.cycles) json["cycles"] = *layer.cycles;
  if (layer.bound) json["bound"] = *layer.bound;
  if (!layer.binds.empty()) json["binds"] = layer.binds;
  if (layer.useful) json["useful"] = *layer.useful;
  if (layer.executed) json["executed"] = *layer.executed;
  if (layer.moved) json["traffic"] = traffic_json(*layer.moved, layer.least);
  if (!layer.stages.empty()) json["stages"] = stages_json(layer.stages);
  if (!layer.bottleneck.empty()) json["bottleneck"] = layer.bottleneck;
  return json;
}

}  // namespace

Json to_json(const WhatIfs& what_ifs) {
  Json json = {{"cycles", what_ifs.cycles}, {"how", what_ifs.how}, {"changes", Json::array()}};
  for (const workload::WhatIf& what : what_ifs.all) {
    Json change = {{"change", what.change}};
    if (what.cycles != 0)
      change["cycles"] = what.cycles;
    else
      change["impossible"] = what.impossible;
    if (!what.note.empty()) change["note"] = what.note;
    json["changes"].push_back(std::move(change));
  }
  return json;
}

Json document(const Report& report, const RunTrace* timeline, size_t limit) {
  Json json = {{"format", "vantage report"},
               {"version", 1},
               {"title", report.title},
               {"made_by", report.made_by},
               {"target", report.target}};
  if (!report.memory.empty()) json["memory"] = report.memory;
  if (report.config) {
    json["config"] = {{"name", report.config->name()},
                      {"clock_mhz", json_number(report.clock_mhz)},
                      {"groups", config_table(*report.config, report.clock_mhz)}};
    json["roofline"] = {{"operations_per_second", report.operations_per_second},
                        {"bytes_per_second", report.bytes_per_second}};
  }
  json["facts"] = Json::array();
  for (const auto& [name, text] : report.facts) json["facts"].push_back({{"name", name}, {"text", text}});
  if (report.seconds) json["seconds"] = *report.seconds;
  if (!report.bottleneck.empty()) json["bottleneck"] = report.bottleneck;
  json["layers"] = Json::array();
  for (const Layer& layer : report.layers) json["layers"].push_back(layer_json(layer));
  if (report.what_ifs) json["what_ifs"] = to_json(*report.what_ifs);
  if (!report.energy.is_null()) json["energy"] = report.energy;
  if (timeline == nullptr || timeline->runs() == 0) return json;
  std::vector<std::string> names;
  for (const Layer& layer : report.layers) {
    if (layer.cycles) names.push_back(layer.name);
  }
  const size_t taken = json_line(json).size();
  json["timeline"] = timeline->json(names, limit - std::min(limit, taken));
  return json;
}

}  // namespace vantage::report
