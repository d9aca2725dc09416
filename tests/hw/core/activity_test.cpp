// What single instructions do, counted by hand. That all machines count so, random programs say (tests/support).
#include "hw/core/activity.h"

#include "tests/catch.h"

namespace vantage::test::hw_core_activity_test {

using namespace vantage;
using core::Activity;

namespace {

// Of the default configuration: inputs of 16 bytes, outputs of 16, a bus of 8.
Activity activity_of(const isa::Insn& insn, const std::vector<isa::MicroOp>& uops = {}) {
  Activity activity;
  core::add_activity(insn, isa::Config::vta_default(), uops, activity);
  return activity;
}

isa::Load load(isa::Memory memory) {
  isa::Load insn;
  insn.transfer = {.memory = memory, .y_size = 3, .x_size = 4, .x_stride = 10};
  return insn;
}

}  // namespace

TEST_CASE("loads write what they pad with, and accumulators with their copy", "[unit]") {
  isa::Load insn = load(isa::Memory::kInp);
  CHECK(activity_of(insn) == Activity{.insns = 1, .inp_writes = 12});
  insn.transfer.y_pad_0 = 1;
  insn.transfer.x_pad_1 = 2;
  CHECK(activity_of(insn) == Activity{.insns = 1, .inp_writes = 4 * 6});
  insn.transfer.y_size = 0;  // moves nothing, pads nothing
  CHECK(activity_of(insn) == Activity{.insns = 1});
  CHECK(activity_of(load(isa::Memory::kWgt)) == Activity{.insns = 1, .wgt_writes = 12});
  CHECK(activity_of(load(isa::Memory::kAcc8)) == Activity{.insns = 1, .acc_writes = 12, .out_writes = 12});
  CHECK(activity_of(load(isa::Memory::kUop)) == Activity{.insns = 1, .uop_writes = 24});
}

TEST_CASE("a store reads an element for each of its beats", "[unit]") {
  isa::Store insn;
  insn.transfer = {.memory = isa::Memory::kOut, .y_size = 3, .x_size = 4, .x_stride = 10};
  CHECK(activity_of(insn) == Activity{.insns = 1, .out_reads = 2 * 12});
}

TEST_CASE("steps of GEMM, of resets and of the ALU", "[unit]") {
  const std::vector<isa::MicroOp> uops = {{0, 100, 0}, {1, 100, 0}, {2, 101, 0}};
  const isa::Loop loop{.uop_bgn = 0, .uop_end = 3, .iter_out = 2, .iter_in = 5, .dst_factor_in = 3};
  const uint64_t n = 30, checked = 3;
  isa::Gemm gemm;
  gemm.loop = loop;
  Activity expected{.insns = 1, .uop_reads = n + checked, .acc_writes = n, .out_writes = n};
  gemm.reset = true;
  CHECK(activity_of(gemm, uops) == expected);
  gemm.reset = false;
  expected.inp_reads = expected.wgt_reads = expected.acc_reads = n;
  CHECK(activity_of(gemm, uops) == expected);
  gemm.loop.iter_in = 0;
  CHECK(activity_of(gemm, uops) == Activity{.insns = 1});

  isa::Alu alu;
  alu.op = isa::AluOp::kMul;
  alu.loop = loop;
  alu.use_imm = true;
  expected.inp_reads = expected.wgt_reads = 0;
  expected.alu_mul_steps = n;
  CHECK(activity_of(alu, uops) == expected);
  // The first source, then two changes in each iteration and one between two: sources lie behind all destinations
  alu.use_imm = false;
  alu.op = isa::AluOp::kAdd;
  expected.alu_mul_steps = 0;
  expected.acc_reads = n + 1 + 10 + 9;
  CHECK(activity_of(alu, uops) == expected);
}

}  // namespace vantage::test::hw_core_activity_test
