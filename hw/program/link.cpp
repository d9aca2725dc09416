#include "hw/program/link.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/math.h"
#include "base/stop.h"
#include "hw/isa/timing.h"

namespace vantage {

Bytes buffer_alignment(const isa::Config& config) {
  // Also a cache line of the host
  Bytes alignment = std::max(Bytes(64), config.bus_width() * isa::timing::kBurstBeats);
  for (isa::Memory memory : isa::kAllMemories) alignment = std::max(alignment, config.element_size(memory));
  return alignment;  // every element's size is a power of two
}

Placement place_sequentially(const Program& program, Bytes begin) {
  const uint64_t alignment = buffer_alignment(program.config).count();
  Bytes next = begin;
  const auto place = [&](Bytes size) {
    const Bytes at(round_up(next.count(), alignment));
    next = at + size;
    return at;
  };
  Placement placement;
  for (uint32_t i = 0; i < program.tensors.size(); ++i) placement.tensors.push_back(place(program.symbol_size(i)));
  placement.uops = place(program.symbol_size(Relocation::kMicroOps));
  return placement;
}

std::optional<std::string> fault_of_size(const Program& program, Bytes dram_size) {
  const Bytes end = place_sequentially(program, Bytes()).uops + program.symbol_size(Relocation::kMicroOps);
  if (end <= dram_size) return std::nullopt;
  return fmt::format("its tensors and micro-ops take {} bytes, the memory has {}; use smaller tensors", end.count(),
                     dram_size.count());
}

std::vector<isa::Insn> link(const Program& program, const Placement& placement, const std::stop_token& stop) {
  std::vector<isa::Insn> insns = program.insns;
  for (const Relocation& relocation : program.relocations) {
    require_going_on(stop);
    isa::Transfer& t = *isa::transfer(insns[relocation.insn]);
    const Bytes base =
        relocation.symbol == Relocation::kMicroOps ? placement.uops : placement.tensors[relocation.symbol];
    const Bytes element = program.config.element_size(t.memory);
    if (base.count() % element.count() != 0) {
      fail("{} is placed at byte 0x{:x}, which is no multiple of the {}-byte {} element that instruction {} counts in",
           program.symbol_name(relocation.symbol), base.count(), element.count(), isa::name(t.memory), relocation.insn);
    }
    const uint64_t index = base / element + t.dram_base;
    if (index > UINT32_MAX) {
      fail("instruction {}: element {} of {} is past the 32-bit dram_base", relocation.insn, t.dram_base,
           program.symbol_name(relocation.symbol));
    }
    t.dram_base = static_cast<uint32_t>(index);
  }
  return insns;
}

}  // namespace vantage
