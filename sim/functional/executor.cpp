#include "sim/functional/executor.h"

namespace vantage::sim {

using namespace isa;

namespace {

struct Refusal {
  const spec::Config& config;
  Bytes memory_size;
  std::span<const MicroOp> uops;

  Illegal operator()(const Load& i) const { return check(i, config, memory_size); }
  Illegal operator()(const Store& i) const { return check(i, config, memory_size); }
  Illegal operator()(const Gemm& i) const { return check(i, config, uops); }
  Illegal operator()(const Alu& i) const { return check(i, config, uops); }
  Illegal operator()(const Finish&) const { return std::nullopt; }
};

struct Performance {
  Scratchpads& scratchpads;
  Dram& dram;
  Counters& counters;

  void operator()(const Load& i) const {
    const uint64_t bytes = scratchpads.load(i.transfer, dram).count();
    switch (i.transfer.memory) {
      case Memory::kUop: counters.uop_load_nbytes += bytes; break;
      case Memory::kWgt: counters.wgt_load_nbytes += bytes; break;
      case Memory::kInp: counters.inp_load_nbytes += bytes; break;
      case Memory::kAcc:
      case Memory::kAcc8: counters.acc_load_nbytes += bytes; break;
      case Memory::kOut: break;  // moves nothing, or it was refused
    }
  }
  void operator()(const Store& i) const { counters.out_store_nbytes += scratchpads.store(i.transfer, dram).count(); }
  void operator()(const Gemm& i) const {
    scratchpads.gemm(i);
    if (!i.reset) counters.gemm_counter += i.loop.steps();
  }
  void operator()(const Alu& i) const {
    scratchpads.alu(i);
    counters.alu_counter += i.loop.steps();
  }
  void operator()(const Finish&) const {}
};

}  // namespace

Illegal Executor::refuse(const Insn& insn) const {
  return std::visit(Refusal{config_, dram_.size(), scratchpads_.uops()}, insn);
}

void Executor::perform(const Insn& insn) {
  std::visit(Performance{scratchpads_, dram_, counters_}, insn);
}

uint64_t steps(const Insn& insn) {
  if (const auto* gemm = std::get_if<Gemm>(&insn)) return gemm->loop.steps();
  if (const auto* alu = std::get_if<Alu>(&insn)) return alu->loop.steps();
  return 0;
}

}  // namespace vantage::sim
