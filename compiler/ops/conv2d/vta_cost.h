// What a mapping costs, exactly as its program does. Parts are scheduled once each, and kept.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/backend/vta/operations.h"
#include "compiler/ops/conv2d/vta_known.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/schedule/schedule.h"
#include "hw/memory/memory_timing.h"
#include "hw/program/program.h"

namespace vantage::ops {

// Thread safety: none.
class VtaConv2dCost {
 public:
  VtaConv2dCost(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                const MemoryTiming& memory, KnownLayer* known = nullptr);

  // Clock cycles (compiler/backend/vta/timing) of the program that compile_layer() makes; none when they are more than
  // `limit`. REQUIRES: every part fits (vta_fit.h).
  std::optional<uint64_t> cycles(const VtaConv2dMapping& mapping, uint64_t limit = UINT64_MAX);
  struct Timed {
    uint64_t cycles;
    std::optional<Program> program = {};  // as compile_layer() makes it, not verified; none where cycles were known
  };
  // The same with the program.
  std::optional<Timed> weigh(const VtaConv2dMapping& mapping, uint64_t limit = UINT64_MAX);
  // As weigh() with shared micro-ops and without products with zeros, in the order of instructions (in_slices,
  // fills_waits) that takes the fewest, which the mapping then has; none as well when it seems that no order will do.
  // With those products where micro-ops do not lie beside each other and that is faster.
  std::optional<Timed> fastest(VtaConv2dMapping& mapping, uint64_t limit = UINT64_MAX);
  // How many mappings were weighed, and what that took: kPartWork for each part, one for each operation that they are
  // lowered to, and a third for each instruction of each order that was tried.
  uint64_t weighed() const { return weighed_; }
  uint64_t work() const { return work_; }

 private:
  static constexpr uint64_t kPartWork = 420;

  vta::OperationList operations(const VtaConv2dMapping& mapping);
  std::optional<Timed> timed(Program program, uint64_t limit) const;
  void count_work(const VtaConv2dMapping& mapping, uint64_t operations, uint64_t instructions, uint64_t orders);
  const ir::PrimFunc& scheduled(const VtaConv2dPart& part);
  const schedule::Schedule& unscheduled(const VtaConv2dPart& part);

  Layer layer_;
  const isa::Config& config_;
  const MemoryTiming& memory_;
  KnownLayer* known_;
  schedule::Intrinsics intrinsics_;
  std::vector<passes::Pass> passes_;
  std::vector<std::pair<VtaConv2dPart, schedule::Schedule>> unscheduled_;  // by box, tilings left out
  std::vector<std::pair<VtaConv2dPart, ir::PrimFunc>> scheduled_;
  uint64_t weighed_ = 0, work_ = 0;
};

}  // namespace vantage::ops
