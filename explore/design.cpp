#include "explore/design.h"

#include "base/json.h"
#include "base/json_object.h"

namespace vantage::explore {

std::string core_of(const Design& design) {
  Json config = design.config.to_json(), memory = design.memory.to_json();
  for (const char* key : {"TARGET", "HW_VER", "CLOCK_MHZ"}) config.erase(key);
  for (const char* key : {"name", "source"}) memory.erase(key);
  return Json{{"config", std::move(config)}, {"memory", std::move(memory)}}.dump();
}

Json to_json(const Design& design) {
  return {{"config", design.config.to_json()}, {"memory", design.memory.to_json()}};
}

Design parse_design(const Json& json, const std::string& source) {
  const JsonObject object(json, source, {"config", "memory"});
  isa::Config config = isa::Config::from_json(object.value("config"), source + ": config");
  MemoryTiming memory = MemoryTiming::parse(object.value("memory").dump(), source + ": memory", config.clock_mhz());
  return {std::move(config), std::move(memory)};
}

}  // namespace vantage::explore
