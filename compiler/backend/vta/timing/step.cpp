#include "compiler/backend/vta/timing/step.h"

#include <algorithm>
#include <deque>
#include <span>

#include "base/error.h"
#include "hw/isa/scratchpad_ports.h"
#include "hw/program/link.h"

namespace vantage::vta {

using isa::Memory;
using isa::Stage;

namespace {

// Follows what a program leaves in the micro-op scratchpad and which tokens meet.
class Steps {
 public:
  explicit Steps(const Program& program)
      : program_(program),
        uops_(program.config.depth(Memory::kUop).count()),
        upper_half_(isa::upper_half(program.config)),
        placement_(place_sequentially(program, Bytes())) {}

  std::vector<Step> run() {
    auto relocation = program_.relocations.begin();
    for (uint32_t i = 0; i < program_.insns.size(); ++i) {
      const bool relocated = relocation != program_.relocations.end() && relocation->insn == i;
      Step step = std::visit([&](const auto& insn) { return of(insn); }, program_.insns[i]);
      step.stage = isa::stage(program_.insns[i]);
      if (step.kind == Step::Kind::kTransfer || step.kind == Step::Kind::kUopLoad) {
        if (relocated) step.transfer.rows.address += static_cast<uint32_t>(base_of(relocation->symbol));
      }
      if (relocated) ++relocation;
      match_tokens(isa::deps(program_.insns[i]), step, i);
      steps_.push_back(step);
    }
    return std::move(steps_);
  }

 private:
  uint64_t base_of(uint32_t symbol) const {
    return (symbol == Relocation::kMicroOps ? placement_.uops : placement_.tensors[symbol]).count();
  }

  Step of(const isa::Finish&) { return {}; }

  Step of(const isa::Load& load) {
    const isa::Transfer& t = load.transfer;
    Step step = of_transfer(t);
    if (step.kind == Step::Kind::kNothing) return step;
    const uint64_t last = t.sram_base + t.padded_row() * t.padded_rows() - 1;
    if (t.memory == Memory::kUop) {
      step.kind = Step::Kind::kUopLoad;
      step.uops = {t.sram_base, static_cast<uint32_t>(last)};
      load_uops(t);
    } else if (isa::stage(isa::Insn(load)) == Stage::kCompute) {
      step.halves = core::halves_of({t.sram_base, last}, upper_half_);
    }
    return step;
  }

  Step of(const isa::Store& store) { return of_transfer(store.transfer); }

  Step of_transfer(const isa::Transfer& t) const {
    Step step;
    if (t.moves_nothing()) return step;
    step.kind = Step::Kind::kTransfer;
    step.transfer = core::DmaTransfer::of(t, program_.config);
    return step;
  }

  Step of(const isa::Gemm& gemm) {
    return nest(gemm.loop, gemm.reset ? Step::Kind::kVector : Step::Kind::kGemm, false, false);
  }
  Step of(const isa::Alu& alu) { return nest(alu.loop, Step::Kind::kVector, !alu.use_imm, alu.op == isa::AluOp::kMul); }

  Step nest(const isa::Loop& loop, Step::Kind kind, bool reads_accumulators, bool is_mul) const {
    Step step;
    if (loop.steps() == 0) return step;
    const auto uops = std::span(uops_).subspan(loop.uop_bgn, loop.uop_end - loop.uop_bgn);
    step.kind = kind;
    step.uops = {loop.uop_bgn, loop.uop_end - 1};
    step.halves = core::halves_of_nest(loop, uops, reads_accumulators, upper_half_);
    step.nest = {loop.steps(), reads_accumulators ? core::source_reads(loop, uops) : 0, is_mul};
    return step;
  }

  void load_uops(const isa::Transfer& t) {
    for (uint32_t y = 0; y < t.y_size; ++y) {
      const uint64_t from = t.dram_base + uint64_t{y} * t.x_stride;
      const uint64_t to = t.sram_base + (t.y_pad_0 + y) * t.padded_row() + t.x_pad_0;
      for (uint64_t x = 0; x < t.x_size && from + x < program_.uops.size(); ++x)
        uops_[to + x] = program_.uops[from + x];
    }
  }

  void match_tokens(const isa::Deps& deps, Step& step, int64_t number) {
    const auto stage = static_cast<size_t>(step.stage);
    const auto pop = [](std::deque<int64_t>& queue) {
      VANTAGE_CHECK(!queue.empty());
      const int64_t pushed = queue.front();
      queue.pop_front();
      return pushed;
    };
    if (deps.pop_prev) step.after[0] = pop(forward_[stage]);
    if (deps.pop_next) step.after[1] = pop(backward_[stage]);
    if (deps.push_next) forward_[stage + 1].push_back(number);
    if (deps.push_prev) backward_[stage - 1].push_back(number);
  }

  const Program& program_;
  std::vector<isa::MicroOp> uops_;  // in the scratchpad
  uint64_t upper_half_;
  const Placement placement_;
  std::array<std::deque<int64_t>, 4> forward_, backward_;  // tokens on their way to a stage
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> steps_of(const Program& program) {
  return Steps(program).run();
}

}  // namespace vantage::vta
