#include "sim/profile/retired_work.h"

#include <optional>

namespace vantage::sim {

namespace {

// What works on an instruction; nothing on FINISH.
std::optional<Engine> engine_of(const isa::Insn& insn) {
  if (const auto* load = std::get_if<isa::Load>(&insn)) {
    return isa::stage(*load) == isa::Stage::kLoad ? Engine::kLoadDma : Engine::kComputeDma;
  }
  if (std::holds_alternative<isa::Store>(insn)) return Engine::kStore;
  if (std::holds_alternative<isa::Gemm>(insn)) return Engine::kGemm;
  if (std::holds_alternative<isa::Alu>(insn)) return Engine::kAlu;
  return std::nullopt;
}

}  // namespace

std::vector<EngineWork> retired_work(std::span<const isa::Insn> insns, std::span<const RetireRecord> retired) {
  std::vector<EngineWork> work;
  for (const RetireRecord& record : retired) {
    const isa::Transfer* transfer = isa::transfer(insns[record.insn]);
    if (transfer != nullptr && transfer->moves_nothing()) continue;
    if (const auto engine = engine_of(insns[record.insn])) {
      work.push_back({record.insn, *engine, record.start, record.end});
    }
  }
  return work;
}

}  // namespace vantage::sim
