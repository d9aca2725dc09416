#include "explore/design.h"

#include <algorithm>
#include <numeric>

#include "base/json.h"
#include "base/json_object.h"
#include "base/math.h"

namespace vantage::explore {

std::string core_of(const Design& design) {
  Json config = design.config.to_json(), memory = design.memory.to_json();
  for (const char* key : {"TARGET", "HW_VER", "CLOCK_MHZ"}) config.erase(key);
  // Bytes a second are as many a cycle as the clock makes of them.
  for (const char* key : {"name", "source", "gbytes_per_s", "bytes_per_cycle"}) memory.erase(key);
  const MemoryRate& rate = design.memory.rate;
  const uint64_t common = std::gcd(rate.bytes, rate.cycles);
  if (rate.bytes != 0) memory["rate"] = {rate.bytes / common, rate.cycles / common};
  return Json{{"config", std::move(config)}, {"memory", std::move(memory)}}.dump();
}

Design with_room(const Design& design) {
  isa::ConfigKeys keys = design.config.keys();
  const auto log_bytes = [&](isa::Memory memory, int log_depth) {
    return std::min(24, log_depth + log2_ceil(design.config.element_size(memory).count()));
  };
  keys.log_inp_buff_size = log_bytes(isa::Memory::kInp, 11);
  keys.log_wgt_buff_size = log_bytes(isa::Memory::kWgt, 10);
  keys.log_acc_buff_size = log_bytes(isa::Memory::kAcc, 11);
  keys.log_uop_buff_size = log_bytes(isa::Memory::kUop, 13);
  return {isa::Config::from_keys(keys, "a design with room"), design.memory};
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
