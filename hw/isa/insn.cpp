#include "hw/isa/insn.h"

#include <utility>

#include "base/suggest.h"

namespace vantage::isa {

namespace {
constexpr std::array<std::string_view, kAllAluOps.size()> kAluNames = {"min", "max", "add", "shr", "mul"};
constexpr std::array<std::string_view, kAllStages.size()> kStageNames = {"load", "compute", "store"};
}  // namespace

std::string_view name(AluOp op) {
  return kAluNames[static_cast<size_t>(op)];
}
std::string alu_op_names(std::string_view prefix) {
  return alternatives(kAluNames, prefix);
}
std::string_view name(Stage stage) {
  return kStageNames[static_cast<size_t>(stage)];
}

std::optional<AluOp> alu_op_from_name(std::string_view text) {
  for (AluOp op : kAllAluOps) {
    if (name(op) == text) return op;
  }
  return std::nullopt;
}

Stage stage(const Insn& insn) {
  if (std::holds_alternative<Store>(insn)) return Stage::kStore;
  if (const auto* load = std::get_if<Load>(&insn)) {
    const Memory memory = load->transfer.memory;
    return memory == Memory::kInp || memory == Memory::kWgt ? Stage::kLoad : Stage::kCompute;
  }
  return Stage::kCompute;
}

const Deps& deps(const Insn& insn) {
  return std::visit([](const auto& i) -> const Deps& { return i.deps; }, insn);
}

Deps& deps(Insn& insn) {
  return std::visit([](auto& i) -> Deps& { return i.deps; }, insn);
}

const Transfer* transfer(const Insn& insn) {
  if (const auto* load = std::get_if<Load>(&insn)) return &load->transfer;
  if (const auto* store = std::get_if<Store>(&insn)) return &store->transfer;
  return nullptr;
}

Transfer* transfer(Insn& insn) {
  return const_cast<Transfer*>(transfer(std::as_const(insn)));
}

uint64_t steps(const Insn& insn) {
  if (const auto* gemm = std::get_if<Gemm>(&insn)) return gemm->loop.steps();
  if (const auto* alu = std::get_if<Alu>(&insn)) return alu->loop.steps();
  return 0;
}

}  // namespace vantage::isa
