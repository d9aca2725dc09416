#include "sim/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "hw/isa/codec.h"

namespace vantage::sim {

std::string_view name(RunStatus status) {
  switch (status) {
    case RunStatus::kDone: return "done";
    case RunStatus::kRefused: return "refused";
    case RunStatus::kDeadlock: return "deadlock";
    case RunStatus::kStepLimit: return "step limit";
    case RunStatus::kStopped: return "stopped";
    case RunStatus::kTimedOut: return "timed out";
  }
  return "?";
}

std::span<const std::byte> image_bytes(const Dram& dram, const ProgramImage& image) {
  if (image.insn_address.count() % isa::kInsnBytes != 0) {
    fail("the program's address is {}, which is no multiple of an instruction's {} bytes", image.insn_address.count(),
         isa::kInsnBytes);
  }
  if (image.insn_count > dram.size().count() / isa::kInsnBytes) {
    fail("{} instructions are more than the memory's {} bytes hold", image.insn_count, dram.size().count());
  }
  return dram.range(image.insn_address, Bytes(image.insn_count * isa::kInsnBytes));
}

std::string timed_out_message(const RunOptions& options) {
  return fmt::format("the run takes more than its {} cycles", options.max_cycles);
}

std::string failure(const RunResult& result) {
  VANTAGE_CHECK(!result.ok());
  const std::string when = result.failed_at ? fmt::format(" in cycle {}", result.failed_at->count()) : "";
  return fmt::format("{}{}: {}", name(result.status), when, result.message);
}

double clock_mhz(const isa::Config& config, const RunResult& result) {
  return result.clock_mhz.value_or(config.clock_mhz());
}

RunResult& operator+=(RunResult& total, const RunResult& next) {
  total.counters += next.counters;
  if (next.activity) {
    if (!total.activity) total.activity.emplace();
    *total.activity += *next.activity;
  }
  if (next.cycles) total.cycles = total.cycles.value_or(Cycles(0)) + *next.cycles;
  if (next.host_cycles) total.host_cycles = total.host_cycles.value_or(Cycles(0)) + *next.host_cycles;
  if (next.clock_mhz) total.clock_mhz = next.clock_mhz;
  total.stages.resize(std::max(total.stages.size(), next.stages.size()));
  for (size_t s = 0; s < next.stages.size(); ++s) {
    total.stages[s].busy += next.stages[s].busy;
    total.stages[s].token_wait += next.stages[s].token_wait;
    total.stages[s].memory_wait += next.stages[s].memory_wait;
    total.stages[s].idle += next.stages[s].idle;
  }
  total.warnings.insert(total.warnings.end(), next.warnings.begin(), next.warnings.end());
  return total;
}

}  // namespace vantage::sim
