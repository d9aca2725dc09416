// An instruction, as far as its time depends on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/core/dma_transfer.h"
#include "hw/core/nest.h"
#include "hw/isa/timing.h"
#include "hw/program/program.h"

namespace vantage::vta {

struct Step {
  enum class Kind : uint8_t { kNothing, kTransfer, kUopLoad, kGemm, kVector };
  static constexpr int64_t kNone = -1;

  isa::Stage stage = isa::Stage::kCompute;
  Kind kind = Kind::kNothing;        // kNothing: neither bytes nor steps
  core::DmaTransfer transfer = {};   // of what moves bytes
  isa::timing::NestSteps nest = {};  // of what has steps
  unsigned halves = 0;               // of the accumulators that it touches (core::kLowHalf, core::kHighHalf)
  core::UopRange uops = {};          // micro-ops that a nest reads, or that a load brings
  // The steps whose tokens it waits for, by their number in the program: of the stage before, of the one behind.
  std::array<int64_t, 2> after = {kNone, kNone};
};

// The steps of a program whose tensors lie in memory one behind the other, each from a page on. REQUIRES: the verifier
// finds no error in it.
std::vector<Step> steps_of(const Program& program);

}  // namespace vantage::vta
