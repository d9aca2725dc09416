#include "hw/fpga/area/area_json.h"

#include "base/json.h"

namespace vantage::fpga {

Json estimate_json(const AreaModel& model, const isa::Config& config) {
  const AreaCounts counts = area_counts(config);
  Json terms = Json::object();
  for (size_t i = 0; i < kAreaTerms; ++i) terms[std::string(kAreaTermNames[i])] = counts.terms[i];
  const Resources counted = model.counted(config);
  Json json = {{"covered", model.covers(config)},
               {"terms", std::move(terms)},
               {"counted",
                {{"luts", counted.luts},
                 {"flip_flops", counted.flip_flops},
                 {"dsps", counted.dsps},
                 {"block_rams", counted.block_rams}}}};
  if (!model.covers(config)) json["beyond"] = model.beyond(config);
  return json;
}

}  // namespace vantage::fpga
