// The functional machine's on-chip state, and what each instruction does to it. Inputs and weights are kept in the
// layout of the chosen kernels, accumulators as sign-extended int32 lanes, micro-ops decoded.
//
// REQUIRES for every instruction: isa::check() found it legal. Thread safety: none.
#pragma once

#include <stop_token>
#include <vector>

#include "hw/isa/codec.h"
#include "hw/isa/config.h"
#include "hw/isa/insn.h"
#include "sim/functional/kernels.h"
#include "sim/memory/dram.h"

namespace vantage::sim {

class Scratchpads {
 public:
  explicit Scratchpads(const isa::Config& config);

  void clear();

  void load(const isa::Transfer& transfer, const Dram& dram);
  void store(const isa::Transfer& transfer, Dram& dram) const;

  // Both return the steps done: all, unless `stop` was requested before.
  uint64_t gemm(const isa::Gemm& gemm, const std::stop_token& stop);
  uint64_t alu(const isa::Alu& alu, const std::stop_token& stop);

  const std::vector<isa::MicroOp>& uops() const { return uops_; }

 private:
  void load_row(isa::Memory memory, size_t index, const std::byte* dram, size_t count);
  void load_operands(isa::Memory memory, size_t index, const std::byte* dram, size_t count);
  void load_accumulators(size_t lane, const std::byte* dram, size_t lanes, int bits);
  void zero_elements(isa::Memory memory, size_t index, size_t count);
  std::span<const isa::MicroOp> kernel_uops(const isa::Loop& loop) const;

  isa::Config config_;
  isa::Codec codec_;
  Kernels kernels_;
  size_t acc_lanes_;
  std::vector<isa::MicroOp> uops_;
  std::vector<std::byte> inp_;
  std::vector<std::byte> wgt_;
  std::vector<int32_t> acc_;
  std::vector<std::byte> zero_inp_;  // one packed element of zeros each: a layout may not spell zero as 0
  std::vector<std::byte> zero_wgt_;
  std::vector<std::byte> unpacked_;  // lanes of one element widened to their natural form
};

}  // namespace vantage::sim
