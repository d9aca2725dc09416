// What one instruction does, apart from time and tokens: the part that the machines share.
//
// Thread safety: none.
#pragma once

#include <span>
#include <stop_token>

#include "hw/core/activity.h"
#include "hw/isa/config.h"
#include "hw/isa/counters.h"
#include "hw/isa/insn.h"
#include "hw/isa/legality.h"
#include "sim/functional/scratchpads.h"
#include "sim/memory/dram.h"

namespace vantage::sim {

class Executor {
 public:
  // All three must outlive this.
  Executor(const isa::Config& config, Scratchpads& scratchpads, Dram& dram)
      : config_(config), scratchpads_(scratchpads), dram_(dram) {}

  // Why docs/isa.md refuses the instruction, with micro-ops as they are now.
  isa::Illegal refuse(const isa::Insn& insn) const;

  // Changes scratchpads and memory, and counts. False when `stop` was requested before the end: then some of it is
  // done. REQUIRES: it is not refused.
  bool perform(const isa::Insn& insn, const std::stop_token& stop);

  // The micro-op scratchpad.
  std::span<const isa::MicroOp> micro_ops() const { return scratchpads_.uops(); }

  const isa::Counters& counters() const { return counters_; }
  const core::Activity& activity() const { return activity_; }  // of what came to its end

 private:
  const isa::Config& config_;
  Scratchpads& scratchpads_;
  Dram& dram_;
  isa::Counters counters_;
  core::Activity activity_;
};

}  // namespace vantage::sim
