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
                             const MemoryTiming& memory, KnownLayer* known)
    : layer_{shape, epilogue},
      config_(config),
      memory_(memory),
      known_(known),
      intrinsics_(vta::intrinsics(config)),
      passes_(vta::pass_list(config)) {}

std::optional<uint64_t> VtaConv2dCost::cycles(const VtaConv2dMapping& mapping, uint64_t limit) {
  const auto found = weigh(mapping, limit);
  return found ? std::optional(found->cycles) : std::nullopt;
}

std::optional<VtaConv2dCost::Timed> VtaConv2dCost::weigh(const VtaConv2dMapping& mapping, uint64_t limit) {
  vta::OperationList list = operations(mapping);
  const uint64_t operations = list.operations.size();
  Program program = vta::finish_with_loads(vta::with_loads(std::move(list)));
  count_work(mapping, operations, program.insns.size(), 1);
  return timed(std::move(program), limit);
}

std::optional<VtaConv2dCost::Timed> VtaConv2dCost::fastest(VtaConv2dMapping& mapping, uint64_t limit) {
  constexpr std::pair<bool, bool> kOrders[] = {{true, true}, {true, false}, {false, false}};
  const ScratchpadNeeds have = depths_of(config_);
  mapping.shares_micro_ops = mapping.skips_zeros = true;
  if (const WeighedMapping* known = known_ == nullptr ? nullptr : known_->find(mapping, config_, limit)) {
    const bool is_slow = !known->first || *known->first > limit;
    count_work(mapping, known->operations, known->instructions, is_slow ? 1 : known->orders);
    if (is_slow) return std::nullopt;
    mapping = known->mapping;
    return Timed{*known->cycles};
  }
  vta::OperationList list = operations(mapping);
  WeighedMapping weighed{mapping, have, {}, list.operations.size(), 0, 0, limit, {}};
  int micro_ops = 0;
  bool has_them_at_once = true;
  std::optional<Timed> least;
  std::optional<vta::OperationList> with_loads;  // in the same slices as the order before
  const auto weigh = [&](bool in_slices, bool fills_waits, bool skips_zeros) {
    ++weighed.orders;
    if (!with_loads || with_loads->in_slices != in_slices) {
      list.in_slices = in_slices;
      with_loads = vta::with_loads(list);
    }
    with_loads->fills_waits = fills_waits;
    with_loads->skips_zeros = skips_zeros;
    Program program = vta::finish_with_loads(*with_loads);
    micro_ops = std::max(micro_ops, micro_op_needs(program));
    has_them_at_once = has_them_at_once && program.uops.size() <= config_.depth(isa::Memory::kUop).count();
    if (weighed.orders == 1) weighed.instructions = program.insns.size();
    auto now = timed(std::move(program), least ? least->cycles : limit);
    if (!now) return;
    if (!least) weighed.first = now->cycles;
    least = std::move(now);
    mapping.in_slices = in_slices;
    mapping.fills_waits = fills_waits;
    mapping.skips_zeros = skips_zeros;
  };
  // The last, plainest of those that take as long.
  for (const auto& [in_slices, fills_waits] : kOrders) {
    weigh(in_slices, fills_waits, true);
    if (!least) break;
  }
  // GEMMs without zeros have more micro-ops between them, which may have to be loaded again and again.
  if (least && !has_them_at_once) weigh(mapping.in_slices, mapping.fills_waits, false);
  count_work(mapping, weighed.operations, weighed.instructions, weighed.orders);
  if (known_ != nullptr) {
    weighed.mapping = mapping;
    weighed.needs = needs_of(layer_.shape, layer_.epilogue, mapping, config_);
    weighed.needs.uop = micro_ops;
    if (least) weighed.cycles = least->cycles;
    known_->add(std::move(weighed));
  }
  return least;
}

vta::OperationList VtaConv2dCost::operations(const VtaConv2dMapping& mapping) {
  std::vector<ir::PrimFunc> functions;
  for (const VtaConv2dPart& part : mapping.parts) functions.push_back(scheduled(part));
  const ir::PrimFunc whole = join_parts(layer_.shape, mapping, functions);
  return vta::prepared(vta::emit(passes::run_passes(whole, passes_), config_));
}

std::optional<VtaConv2dCost::Timed> VtaConv2dCost::timed(Program program, uint64_t limit) const {
  const auto cycles = vta::estimate_cycles(vta::steps_of(program), config_, memory_, limit);
  if (!cycles || *cycles > limit) return std::nullopt;
  check_tables(program, "program");  // of the few that are worth it
  return Timed{*cycles, std::move(program)};
}

void VtaConv2dCost::count_work(const VtaConv2dMapping& mapping, uint64_t operations, uint64_t instructions,
                               uint64_t orders) {
  ++weighed_;
  work_ += kPartWork * mapping.parts.size() + operations + orders * (instructions / 3);
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
