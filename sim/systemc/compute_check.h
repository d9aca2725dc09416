// What the check of the compute stage finds out about an instruction before it is issued.
#pragma once

#include <span>

#include "hw/core/nest.h"
#include "hw/isa/config.h"
#include "sim/systemc/read_dma.h"
#include "sim/systemc/run_control.h"

namespace vantage::systemc {

using core::UopRange;

enum class Engine : uint8_t { kNone, kDma, kGemm, kVector };

struct Checked {
  isa::Illegal illegal;
  Engine engine = Engine::kNone;
  bool is_uop_load = false;
  unsigned halves = 0;  // of the accumulator scratchpad that it touches: a bit each
  UopRange uops;        // that it reads, or loads
  timing::NestSteps steps;
  DmaTransfer transfer;
  Cycle done;  // the check, at the earliest
};

// The check of an instruction that begins in cycle `begun`. REQUIRES of GEMM and ALU: the executor has performed every
// older load of micro-ops.
Checked check_compute(const isa::Insn& insn, const RunContext& context, Cycle begun);

// Whether the check must wait for older loads of micro-ops.
bool reads_uops(const isa::Insn& insn);

}  // namespace vantage::systemc
