#include "workload/what_if.h"

#include "base/json.h"

namespace vantage::workload {

namespace {

Cycles half(Cycles cycles) {
  return Cycles((cycles.count() + 1) / 2);
}

}  // namespace

const std::vector<CoreChange>& core_changes() {
  static const std::vector<CoreChange> kChanges = {
      {"twice the bus", {"LOG_BUS_WIDTH"}},
      {"twice the scratchpads", {"LOG_INP_BUFF_SIZE", "LOG_WGT_BUFF_SIZE", "LOG_ACC_BUFF_SIZE", "LOG_UOP_BUFF_SIZE"}},
      {"twice the multipliers", {"LOG_BLOCK_OUT"}},
  };
  return kChanges;
}

isa::Config changed(const isa::Config& config, const CoreChange& change) {
  Json json = config.to_json();
  for (const std::string& key : change.keys) json[key] = json[key].get<int>() + 1;
  return isa::Config::from_json(json, "such a core");
}

std::vector<MemoryChange> memory_changes(const MemoryTiming& memory) {
  MemoryChange latency{"half the latency"}, rate{"a beat a cycle"};
  if (memory.read_latency.count() > 1 || memory.write_latency.count() > 1 || memory.banks) {
    MemoryTiming faster = memory;
    faster.name += ", half the latency";
    faster.read_latency = half(memory.read_latency);
    faster.write_latency = half(memory.write_latency);
    if (faster.banks) {
      for (Cycles BankTiming::*time : {&BankTiming::activate, &BankTiming::precharge, &BankTiming::column}) {
        (*faster.banks).*time = half((*faster.banks).*time);
      }
    }
    latency.memory = faster;
  } else {
    latency.impossible = "the memory answers in a cycle";
  }
  if (memory.rate.bytes != 0) {
    rate.memory = memory;
    rate.memory->name += ", a beat a cycle";
    rate.memory->rate = {};
  } else {
    rate.impossible = "the memory passes as much already";
  }
  return {std::move(latency), std::move(rate)};
}

}  // namespace vantage::workload
