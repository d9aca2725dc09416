#include "sim/systemc/compute_check.h"

#include <algorithm>

namespace vantage::systemc {

using namespace isa;

namespace {

// Least and largest of the indices that a nest's steps have: they grow with every term of the affine sum.
struct IndexRange {
  uint64_t least, largest;
  bool overlaps(const IndexRange& other) const { return least <= other.largest && other.least <= largest; }
};

IndexRange indices(std::span<const MicroOp> uops, uint32_t MicroOp::*index, uint64_t span) {
  const auto [least, largest] = std::minmax_element(
      uops.begin(), uops.end(), [&](const MicroOp& a, const MicroOp& b) { return a.*index < b.*index; });
  return {(*least).*index, (*largest).*index + span};
}

IndexRange destinations(const Loop& loop, std::span<const MicroOp> uops) {
  return indices(uops, &MicroOp::dst,
                 uint64_t{loop.iter_out - 1} * loop.dst_factor_out + uint64_t{loop.iter_in - 1} * loop.dst_factor_in);
}

IndexRange sources(const Loop& loop, std::span<const MicroOp> uops) {
  return indices(uops, &MicroOp::src,
                 uint64_t{loop.iter_out - 1} * loop.src_factor_out + uint64_t{loop.iter_in - 1} * loop.src_factor_in);
}

constexpr unsigned kLowHalf = 1, kHighHalf = 2;

// The halves that a range of indices touches, by the top bit of the index.
unsigned halves_of(const IndexRange& indices, uint64_t depth) {
  return (indices.least < depth / 2 ? kLowHalf : 0) | (indices.largest >= depth / 2 ? kHighHalf : 0);
}

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
      result.halves = halves_of({t.sram_base, last}, depth());
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
    result.halves = halves_of(destinations(loop, read), depth());
    if (reads_accumulators) {
      result.halves |= halves_of(sources(loop, read), depth());
      result.steps.source_reads = source_reads(loop, read);
    }
    return result;
  }

  uint64_t depth() const { return context.config.depth(Memory::kAcc).count(); }
};

}  // namespace

uint64_t source_reads(const Loop& loop, std::span<const MicroOp> uops) {
  const uint64_t iterations = uint64_t{loop.iter_out} * loop.iter_in;
  if (destinations(loop, uops).overlaps(sources(loop, uops))) return iterations * uops.size();
  // An iteration moves all sources alike, so they change at the same micro-ops in each. Between two iterations the last
  // source is followed by the first one, moved on: by one step of the inner loop, or by one of the outer loop and all
  // of the inner loop's back.
  uint64_t changes = 0;
  for (size_t u = 1; u < uops.size(); ++u) changes += uops[u].src != uops[u - 1].src;
  const uint64_t first = uops.front().src;
  const uint64_t last = uops.back().src;
  const bool at_inner = first + loop.src_factor_in != last;
  const bool at_outer = first + loop.src_factor_out != last + uint64_t{loop.iter_in - 1} * loop.src_factor_in;
  return 1 + iterations * changes + (at_inner ? uint64_t{loop.iter_out} * (loop.iter_in - 1) : 0) +
         (at_outer ? loop.iter_out - 1 : 0);
}

bool reads_uops(const Insn& insn) {
  return std::holds_alternative<Gemm>(insn) || std::holds_alternative<Alu>(insn);
}

Checked check_compute(const Insn& insn, const RunContext& context, Cycle begun) {
  Checked result = std::visit(Check{context, context.executor.micro_ops(), begun}, insn);
  result.illegal = context.executor.refuse(insn);
  return result;
}

}  // namespace vantage::systemc
