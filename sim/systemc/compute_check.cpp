#include "sim/systemc/compute_check.h"

#include <algorithm>

namespace vantage::systemc {

using namespace isa;

namespace {

constexpr unsigned kLowHalf = 1, kHighHalf = 2;

// The halves that indices from `least` to `largest` touch, by the top bit of the index.
unsigned halves_of(uint64_t least, uint64_t largest, uint64_t depth) {
  return (least < depth / 2 ? kLowHalf : 0) | (largest >= depth / 2 ? kHighHalf : 0);
}

struct Check {
  const RunContext& context;
  std::span<const MicroOp> uops;
  Cycle begun;

  Checked operator()(const Finish&) const {
    Checked result;
    result.done = rules::finish_checked(begun);
    return result;
  }

  Checked operator()(const Load& load) const {
    const Transfer& t = load.transfer;
    Checked result;
    result.done = rules::transfer_checked(begun);
    if (t.moves_nothing()) return result;
    result.engine = Engine::kDma;
    result.transfer = DmaTransfer::of(t, context.config);
    const uint64_t last = t.sram_base + t.padded_row() * t.padded_rows() - 1;
    result.is_uop_load = t.memory == Memory::kUop;
    if (result.is_uop_load) {
      result.uops = {t.sram_base, static_cast<uint32_t>(last)};
    } else {
      result.halves = halves_of(t.sram_base, last, context.config.depth(Memory::kAcc).count());
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
    if (result.engine != Engine::kNone) result.engine = Engine::kVector;
    if (!alu.use_imm) result.cycles_per_step = rules::kSourceStepCycles;
    return result;
  }

  Checked loop(const Loop& loop, bool reads_accumulators) const {
    Checked result;
    result.steps = loop.steps();
    const bool in_range = loop.uop_bgn <= loop.uop_end && loop.uop_end <= uops.size();
    if (result.steps == 0 || !in_range) {
      result.done = rules::loop_checked(begun, 0);
      return result;
    }
    const auto read = uops.subspan(loop.uop_bgn, loop.uop_end - loop.uop_bgn);
    result.done = rules::loop_checked(begun, read.size());
    result.engine = Engine::kVector;
    result.uops = {loop.uop_bgn, loop.uop_end - 1};
    // Indices grow with every term of the affine sum
    const auto touched = [&](uint32_t MicroOp::*index, uint64_t factor_out, uint64_t factor_in) {
      const auto [least, largest] = std::minmax_element(
          read.begin(), read.end(), [&](const MicroOp& a, const MicroOp& b) { return a.*index < b.*index; });
      const uint64_t span = (loop.iter_out - 1) * factor_out + (loop.iter_in - 1) * factor_in;
      return halves_of((*least).*index, (*largest).*index + span, context.config.depth(Memory::kAcc).count());
    };
    result.halves = touched(&MicroOp::dst, loop.dst_factor_out, loop.dst_factor_in);
    if (reads_accumulators) result.halves |= touched(&MicroOp::src, loop.src_factor_out, loop.src_factor_in);
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
