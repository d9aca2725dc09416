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
  const std::stop_token& stop;

  // Each says whether it came to its end.
  bool operator()(const Load& i) const {
    const uint64_t bytes = scratchpads.load(i.transfer, dram).count();
    switch (i.transfer.memory) {
      case Memory::kUop: counters.uop_load_nbytes += bytes; break;
      case Memory::kWgt: counters.wgt_load_nbytes += bytes; break;
      case Memory::kInp: counters.inp_load_nbytes += bytes; break;
      case Memory::kAcc:
      case Memory::kAcc8: counters.acc_load_nbytes += bytes; break;
      case Memory::kOut: break;  // moves nothing, or it was refused
    }
    return true;
  }
  bool operator()(const Store& i) const {
    counters.out_store_nbytes += scratchpads.store(i.transfer, dram).count();
    return true;
  }
  bool operator()(const Gemm& i) const {
    const uint64_t done = scratchpads.gemm(i, stop);
    if (!i.reset) counters.gemm_counter += done;
    return done == i.loop.steps();
  }
  bool operator()(const Alu& i) const {
    const uint64_t done = scratchpads.alu(i, stop);
    counters.alu_counter += done;
    return done == i.loop.steps();
  }
  bool operator()(const Finish&) const { return true; }
};

}  // namespace

Illegal Executor::refuse(const Insn& insn) const {
  return std::visit(Refusal{config_, dram_.size(), scratchpads_.uops()}, insn);
}

bool Executor::perform(const Insn& insn, const std::stop_token& stop) {
  return !stop.stop_requested() && std::visit(Performance{scratchpads_, dram_, counters_, stop}, insn);
}

uint64_t steps(const Insn& insn) {
  if (const auto* gemm = std::get_if<Gemm>(&insn)) return gemm->loop.steps();
  if (const auto* alu = std::get_if<Alu>(&insn)) return alu->loop.steps();
  return 0;
}

}  // namespace vantage::sim
