#include "sim/systemc/compute_check.h"

#include "hw/isa/scratchpad_ports.h"

namespace vantage::systemc {

using namespace isa;

namespace {

struct Check {
  const RunContext& context;
  std::span<const MicroOp> uops;
  Cycle begun;

  Checked operator()(const Finish&) const {
    Checked result;
    result.done = timing::finish_checked(begun);
    return result;
  }

  Checked operator()(const Load& load) const {
    const Transfer& t = load.transfer;
    Checked result;
    result.done = timing::transfer_checked(begun);
    if (t.moves_nothing()) return result;
    result.engine = Engine::kDma;
    result.transfer = DmaTransfer::of(t, context.config);
    const uint64_t last = t.sram_base + t.padded_row() * t.padded_rows() - 1;
    result.is_uop_load = t.memory == Memory::kUop;
    if (result.is_uop_load) {
      result.uops = {t.sram_base, static_cast<uint32_t>(last)};
    } else {
      result.halves = core::halves_of({t.sram_base, last}, upper_half(context.config));
    }
    return result;
  }

  Checked operator()(const Store&) const { return {}; }  // never comes here

  Checked operator()(const Gemm& gemm) const {
    Checked result = loop(gemm.loop, false);
    if (result.engine != Engine::kNone) result.engine = gemm.reset ? Engine::kVector : Engine::kGemm;
    return result;
  }

  Checked operator()(const Alu& alu) const {
    Checked result = loop(alu.loop, !alu.use_imm);
    result.steps.is_mul = alu.op == AluOp::kMul;
    if (result.engine != Engine::kNone) result.engine = Engine::kVector;
    return result;
  }

  Checked loop(const Loop& loop, bool reads_accumulators) const {
    Checked result;
    result.steps.steps = loop.steps();
    const bool in_range = loop.uop_bgn <= loop.uop_end && loop.uop_end <= uops.size();
    if (result.steps.steps == 0 || !in_range) {
      result.done = timing::loop_checked(begun, 0);
      return result;
    }
    const auto read = uops.subspan(loop.uop_bgn, loop.uop_end - loop.uop_bgn);
    result.done = timing::loop_checked(begun, read.size());
    result.engine = Engine::kVector;
    result.uops = {loop.uop_bgn, loop.uop_end - 1};
    result.halves = core::halves_of_nest(loop, read, reads_accumulators, upper_half(context.config));
    if (reads_accumulators) result.steps.source_reads = core::source_reads(loop, read);
    return result;
  }
};

}  // namespace

bool reads_uops(const Insn& insn) {
  return std::holds_alternative<Gemm>(insn) || std::holds_alternative<Alu>(insn);
}

Checked check_compute(const Insn& insn, const RunContext& context, Cycle begun) {
  Checked result = std::visit(Check{context, context.executor.micro_ops(), begun}, insn);
  result.illegal = context.executor.refuse(insn);
  return result;
}

}  // namespace vantage::systemc
