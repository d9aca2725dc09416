#include "compiler/ops/vta_task.h"

#include <bit>

#include "base/error.h"
#include "base/json.h"
#include "base/math.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/conv2d/vta_work.h"
#include "compiler/ops/elementwise/search.h"

namespace vantage::ops {

namespace {

template <typename... Functions>
struct ByKind : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
ByKind(Functions...) -> ByKind<Functions...>;

Epilogue like(const Epilogue& e) {
  Epilogue same = e;
  same.shift = std::min(e.shift, 1);
  same.cut = std::min(e.cut, 1);
  same.clip_min = 0;
  same.clip_max = 127;
  if (e.multiplier) same.multiplier = 3;
  const int factor = e.addend_factor;
  if (factor != 1) same.addend_factor = std::has_single_bit(static_cast<unsigned>(factor)) ? 2 : 3;
  return same;
}

// The smallest piece of an output may not fit where it lies on padding alone, so that others are tried.
void require_room_of(const VtaConv2d& conv, const isa::Config& config) {
  const Conv2dShape& s = conv.shape;
  for (int64_t h = 1; h <= s.out_height(); ++h) {
    for (const int64_t w : {int64_t{1}, s.out_width()}) {
      VtaConv2dPart part;
      part.tiling = {.n = 1, .oc = 1, .h = h, .w = w, .ic = 1};
      if (fits(s, conv.epilogue, part, config)) return;
    }
  }
  fail("no piece of it fits the scratchpads of configuration {}: its kernel sees {} x {} pixels; larger ones would do",
       config.name(), s.reach_h(), s.reach_w());
}

void require_room_of(const VtaPool& pool, const isa::Config& config) {
  if (has_room(pool, config)) return;
  fail("no row of its windows fits the {} accumulators of configuration {}; a larger LOG_ACC_BUFF_SIZE would do",
       config.depth(isa::Memory::kAcc).count(), config.name());
}

void require_room_of(const Elementwise& layer, const isa::Config& config) {
  const ElementwiseCopies copies = copies_of(layer);
  const uint64_t depth = config.depth(isa::Memory::kAcc).count();
  if (static_cast<uint64_t>(copies.loads + copies.made) <= depth) return;
  fail("it needs {} accumulators at once, configuration {} has {}; a larger LOG_ACC_BUFF_SIZE would do",
       copies.loads + copies.made, config.name(), depth);
}

// Of what works on accumulators alone all of these are at hand.
ScratchpadNeeds needs_of_accumulators(const isa::Config& config) {
  return {.acc = depths_of(config).acc};
}

VtaProgram compiled(Program program, uint64_t cycles, const vta::Bound& bound, ScratchpadNeeds needs) {
  needs.uop = micro_op_needs(program);
  return {std::move(program), cycles, static_cast<uint64_t>(bound.cycles()), std::string(bound.binds()), needs};
}

}  // namespace

std::string key(const VtaTask& task) {
  return to_json(task).dump();
}

VtaTask like(const VtaTask& task) {
  const auto* conv = std::get_if<VtaConv2d>(&task);
  return conv != nullptr ? VtaConv2d{conv->shape, like(conv->epilogue)} : task;
}

vta::Work work_of(const VtaTask& task, const isa::Config& config) {
  return std::visit(ByKind{[&](const VtaConv2d& conv) { return vta_conv2d_work(conv.shape, conv.epilogue, config); },
                           [&](const VtaPool& pool) { return vta_pool_work(pool, config); },
                           [&](const Elementwise& layer) { return elementwise_work(layer, config); }},
                    task);
}

uint64_t padded_multiplications(const VtaTask& task, const isa::Config& config) {
  const auto* conv = std::get_if<VtaConv2d>(&task);
  if (conv == nullptr) return 0;
  const Conv2dShape& s = conv->shape;
  const auto padded = [](int64_t value, int64_t tile) { return ceil_div(value, tile) * tile; };
  const int64_t depth = s.channelwise ? config.block_in() : padded(s.in_channels, config.block_in());
  return static_cast<uint64_t>(padded(s.batch, config.batch()) * padded(s.out_channels, config.block_out()) * depth *
                               s.out_height() * s.out_width() * s.kernel_h * s.kernel_w);
}

void require_room(const VtaTask& task, const isa::Config& config) {
  std::visit([&](const auto& layer) { require_room_of(layer, config); }, task);
}

VtaProgram compile_task(const VtaTask& task, const isa::Config& config, const MemoryTiming& memory,
                        const FindMapping& find) {
  return std::visit(
      ByKind{[&](const VtaConv2d& conv) {
               SearchResult found = find != nullptr ? find(conv.shape, conv.epilogue)
                                                    : search_vta_conv2d(conv.shape, conv.epilogue, config, {}, memory);
               Program program = found.program ? vta::verified(std::move(*found.program), "a convolution")
                                               : compile_layer({conv.shape, conv.epilogue, found.mapping}, config);
               return compiled(std::move(program), found.cycles, found.bound,
                               needs_of(conv.shape, conv.epilogue, found.mapping, config));
             },
             [&](const VtaPool& pool) {
               const VtaPoolSearch found = search_vta_pool(pool, config, memory);
               return compiled(vta::compile(schedule_vta_pool(pool, found.tiling, config).function(), config),
                               found.cycles, found.bound, needs_of_accumulators(config));
             },
             [&](const Elementwise& layer) {
               const ElementwiseSearch found = search_elementwise(layer, config, {0, 0}, memory);
               return compiled(vta::compile(schedule_elementwise(layer, found.tiling, config).function(), config),
                               found.cycles, found.bound, needs_of_accumulators(config));
             }},
      task);
}

}  // namespace vantage::ops
