#include "sim/functional/executor.h"

namespace vantage::sim {

using namespace isa;

namespace {

struct Refusal {
  const isa::Config& config;
  Bytes memory_size;
  std::span<const MicroOp> uops;

  Illegal operator()(const Load& i) const { return check(i, config, memory_size); }
  Illegal operator()(const Store& i) const { return check(i, config, memory_size); }
  Illegal operator()(const Gemm& i) const { return check(i, config, uops); }
  Illegal operator()(const Alu& i) const { return check(i, config, uops); }
  Illegal operator()(const Finish&) const { return std::nullopt; }
};

struct Performance {
  const isa::Config& config;
  Scratchpads& scratchpads;
  Dram& dram;
  Counters& counters;
  const std::stop_token& stop;

  // Each says whether it came to its end.
  bool operator()(const Load& i) const {
    scratchpads.load(i.transfer, dram);
    counters += counted(i, config);
    return true;
  }
  bool operator()(const Store& i) const {
    scratchpads.store(i.transfer, dram);
    counters += counted(i, config);
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
  if (stop.stop_requested()) return false;
  if (!std::visit(Performance{config_, scratchpads_, dram_, counters_, stop}, insn)) return false;
  core::add_activity(insn, config_, scratchpads_.uops(), activity_);
  return true;
}

}  // namespace vantage::sim
