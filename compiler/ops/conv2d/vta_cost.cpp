#include "compiler/ops/conv2d/vta_cost.h"

#include <algorithm>

#include "compiler/backend/vta/intrinsics.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ops/conv2d/vta_join.h"
#include "compiler/ops/conv2d/vta_schedule.h"
#include "compiler/ops/conv2d/vta_tiles.h"

namespace vantage::ops {

namespace {

template <typename Value>
Value* find(std::vector<std::pair<VtaConv2dPart, Value>>& list, const VtaConv2dPart& part) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == part; });
  return found == list.end() ? nullptr : &found->second;
}

}  // namespace

VtaConv2dCost::VtaConv2dCost(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config,
                             const MemoryTiming& memory)
    : layer_{shape, epilogue},
      config_(config),
      memory_(memory),
      intrinsics_(vta::intrinsics(config)),
      passes_(vta::pass_list(config)) {}

std::optional<uint64_t> VtaConv2dCost::cycles(const VtaConv2dMapping& mapping, uint64_t limit) {
  const auto found = timed(operations(mapping), limit);
  return found ? std::optional(found->cycles) : std::nullopt;
}

std::optional<VtaConv2dCost::Timed> VtaConv2dCost::fastest(VtaConv2dMapping& mapping, uint64_t limit) {
  vta::OperationList list = operations(mapping);
  std::optional<Timed> least;
  for (const auto& [in_slices, fills_waits] : {std::pair(true, true), {true, false}, {false, false}}) {
    list.in_slices = in_slices;
    list.fills_waits = fills_waits;
    auto now = timed(list, least ? least->cycles - 1 : limit);
    if (!now && !least) return std::nullopt;
    if (!now) continue;
    least = std::move(now);
    mapping.in_slices = in_slices;
    mapping.fills_waits = fills_waits;
  }
  return least;
}

vta::OperationList VtaConv2dCost::operations(const VtaConv2dMapping& mapping) {
  ++weighed_;
  std::vector<ir::PrimFunc> functions;
  for (const VtaConv2dPart& part : mapping.parts) functions.push_back(scheduled(part));
  const ir::PrimFunc whole = join_parts(mapping, functions);
  vta::OperationList list = vta::prepared(vta::emit(passes::run_passes(whole, passes_), config_));
  work_ += kPartWork * mapping.parts.size() + list.operations.size();
  return list;
}

std::optional<VtaConv2dCost::Timed> VtaConv2dCost::timed(vta::OperationList operations, uint64_t limit) {
  work_ += operations.operations.size() / 3;
  Program program = vta::finish_prepared(std::move(operations));
  const auto cycles = vta::estimate_cycles(vta::steps_of(program), config_, memory_, limit);
  if (!cycles) return std::nullopt;
  return Timed{*cycles, std::move(program)};
}

const ir::PrimFunc& VtaConv2dCost::scheduled(const VtaConv2dPart& part) {
  if (const auto* known = find(scheduled_, part)) return *known;
  schedule::Schedule s = unscheduled(part);
  schedule_vta_conv2d(s, clipped(part, layer_.shape, config_));
  return scheduled_.emplace_back(part, into_whole(layer_, part, config_, s.function())).second;
}

const schedule::Schedule& VtaConv2dCost::unscheduled(const VtaConv2dPart& part) {
  VtaConv2dPart box = part;
  box.tiling = {};
  if (const auto* known = find(unscheduled_, box)) return *known;
  schedule::Schedule s(vta_conv2d_part(layer_.shape, layer_.epilogue, config_, box), intrinsics_);
  return unscheduled_.emplace_back(box, std::move(s)).second;
}

}  // namespace vantage::ops
