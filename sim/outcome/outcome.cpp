#include "sim/outcome/outcome.h"

#include <fmt/format.h>

#include "base/error.h"
#include "hw/isa/tokens.h"

namespace vantage::sim {

using namespace isa;

uint64_t read_register(CoreRegisters& core, std::string_view name) {
  const isa::Register reg = isa::find_register(name);
  const uint64_t low = core.read(reg.offset);
  // Reading the low word has kept the high one that belongs to it.
  return reg.bits == 64 ? low | uint64_t{core.read(reg.offset + 4)} << 32 : low;
}

void write_register(CoreRegisters& core, std::string_view name, uint32_t value) {
  core.write(isa::register_offset(name), value);
}

void read_counters(CoreRegisters& core, RunResult& result) {
  const auto counter = [&](std::string_view name) { return read_register(core, isa::register_name(name)); };
  result.cycles = Cycles(counter("cycles"));
  for (Stage s : kAllStages) {
    StageCycles cycles;
    cycles.busy = Cycles(counter(fmt::format("{}_busy", name(s))));
    cycles.token_wait = Cycles(counter(fmt::format("{}_token_wait", name(s))));
    cycles.memory_wait = Cycles(counter(fmt::format("{}_memory_wait", name(s))));
    cycles.idle = *result.cycles - cycles.busy - cycles.token_wait - cycles.memory_wait;
    result.stages.push_back(cycles);
  }
  for (const CounterInfo& info : kCounters) result.counters.*info.value = counter(info.name);
}

void read_outcome(CoreRegisters& core, const FaultContext& context, RunResult& result) {
  const auto status = static_cast<uint32_t>(read_register(core, "STATUS"));
  VANTAGE_CHECK(((status & kStatusDone.mask()) != 0) != ((status & kStatusError.mask()) != 0));
  write_register(core, "STATUS", kStatusDone.mask() | kStatusError.mask());
  read_counters(core, result);
  if ((status & kStatusError.mask()) != 0) {
    const auto cause = static_cast<isa::ErrorCause>(read_register(core, "ERROR_CAUSE"));
    const auto insn = static_cast<uint32_t>(read_register(core, "ERROR_INSN"));
    Fault fault = explain_fault(context, cause, insn);
    result.status = fault.status;
    result.message = std::move(fault.message);
  } else if (const std::string left = run_tokens(instructions(context)).leftover.leftover(); !left.empty()) {
    result.warnings.push_back(fmt::format("tokens are left over at FINISH: {}", left));
  }
}

}  // namespace vantage::sim
