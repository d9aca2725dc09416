#include "hw/core/activity.h"

#include <algorithm>

#include "hw/core/nest.h"

namespace vantage::core {

using namespace isa;

namespace {

// Loads write what they pad with, too.
void add_load(const Transfer& t, Activity& total) {
  const uint64_t elements = t.padded_row() * t.padded_rows();
  switch (t.memory) {
    case Memory::kUop: total.uop_writes += 2 * elements; break;
    case Memory::kInp: total.inp_writes += elements; break;
    case Memory::kWgt: total.wgt_writes += elements; break;
    case Memory::kAcc:
    case Memory::kAcc8:
      total.acc_writes += elements;
      total.out_writes += elements;
      break;
    case Memory::kOut: break;
  }
}

void add_store(const Transfer& t, const Config& config, Activity& total) {
  const uint64_t beats = std::max<uint64_t>(1, config.element_size(Memory::kOut) / config.bus_width());
  total.out_reads += uint64_t{t.y_size} * t.x_size * beats;
}

// Reads of the micro-ops, and writes of accumulators with their copy: alike in GEMM, resets and ALU.
void add_steps(const Loop& loop, Activity& total) {
  const uint64_t steps = loop.steps();
  total.uop_reads += steps + (loop.uop_end - loop.uop_bgn);
  total.acc_writes += steps;
  total.out_writes += steps;
}

void add_gemm(const Gemm& gemm, Activity& total) {
  const uint64_t steps = gemm.loop.steps();
  if (steps == 0) return;
  add_steps(gemm.loop, total);
  if (gemm.reset) return;
  total.inp_reads += steps;
  total.wgt_reads += steps;
  total.acc_reads += steps;
}

void add_alu(const Alu& alu, std::span<const MicroOp> uops, Activity& total) {
  const Loop& loop = alu.loop;
  const uint64_t steps = loop.steps();
  if (steps == 0) return;
  add_steps(loop, total);
  total.acc_reads += steps;
  if (!alu.use_imm) {
    total.acc_reads += source_reads(loop, uops.subspan(loop.uop_bgn, loop.uop_end - loop.uop_bgn));
  }
  if (alu.op == AluOp::kMul) total.alu_mul_steps += steps;
}

}  // namespace

void add_activity(const Insn& insn, const Config& config, std::span<const MicroOp> uops, Activity& total) {
  ++total.insns;
  if (const auto* gemm = std::get_if<Gemm>(&insn)) return add_gemm(*gemm, total);
  if (const auto* alu = std::get_if<Alu>(&insn)) return add_alu(*alu, uops, total);
  const Transfer* t = transfer(insn);
  if (t == nullptr || t->moves_nothing()) return;
  if (std::holds_alternative<Load>(insn)) return add_load(*t, total);
  add_store(*t, config, total);
}

}  // namespace vantage::core
