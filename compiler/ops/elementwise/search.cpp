#include "compiler/ops/elementwise/search.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/timing/timeline.h"
#include "compiler/ops/transfer_cost.h"
#include "hw/isa/codec.h"
#include "hw/isa/timing.h"

namespace vantage::ops {

using isa::Memory;

namespace {

// What a search spends: one for each instruction of a program that is weighed, and so many for compiling a loop. A
// hundred thousand take some 0.3 s.
constexpr uint64_t kWork = 25'000, kCompileWork = 600;
constexpr size_t kCandidates = 8;
// A gap that is not worth more work.
constexpr double kSmallGap = 0.002;

// Steps of the ALU for an element. With a tensor as its source an instruction reads twice a step.
int64_t alu_steps(const Elementwise& layer) {
  int64_t count = 0;
  for (const ElementwiseStep& step : layer.steps) count += 1 + (step.b ? isa::timing::kSourceRead : 0);
  return count;
}
// What the ALU waits behind multiplications by constants, and takes to copy: a reset and an addition.
int64_t alu_extra(const Elementwise& layer) {
  const auto waits = std::ranges::count_if(
      layer.steps, [](const ElementwiseStep& step) { return step.op == isa::AluOp::kMul && !step.b; });
  return waits * isa::timing::kMulWait + copies_of(layer).made * int64_t{2 + isa::timing::kSourceRead};
}
int64_t elements(const Elementwise& layer, const isa::Config& config) {
  return ceil_div(layer.size, int64_t{config.batch()} * config.block_out());
}

struct Rough {
  ElementwiseTiling tiling;
  int64_t cycles, instructions;
};

// By the tile: one thread's loads beside another's ALU instructions; a place is free again when its tile has been
// stored.
Rough rough_cost(const Elementwise& layer, const ElementwiseTiling& t, const isa::Config& config,
                 const TransferCost& memory) {
  const auto cycles = [&](Memory memory_of, int64_t count) {
    return memory.cycles(memory.beats(count * static_cast<int64_t>(config.element_size(memory_of).count())));
  };
  constexpr int64_t kAround = 2 * isa::timing::kTransferOverhead;
  const int64_t tiles = ceil_div(elements(layer, config), t.tiles);
  const ElementwiseCopies copies = copies_of(layer);
  const int64_t instructions = copies.loads + 2 * copies.made + static_cast<int64_t>(layer.steps.size()) + 1;
  const int64_t load = copies.loads * cycles(operand_memory(config), t.tiles);
  const int64_t compute = (alu_steps(layer) + alu_extra(layer)) * t.tiles + isa::timing::kVectorFirstStep;
  const int64_t store = cycles(Memory::kOut, t.tiles);
  const int64_t fetch = memory.cycles(memory.beats(instructions * static_cast<int64_t>(isa::kInsnBytes)));
  const int64_t around = memory.latency + kAround + load + compute + store + memory.store_end + kAround;
  const int64_t places = t.threads * (t.double_buffer ? 2 : 1);
  const int64_t step = std::max({load + fetch, compute, store, ceil_div(around, places)});
  return {t, memory.start + around + (tiles - 1) * step, tiles * instructions};
}

class ElementwiseTilings {
 public:
  ElementwiseTilings(const Elementwise& layer, const isa::Config& config, const ElementwiseTiling& request,
                     const MemoryTiming& memory)
      : layer_(layer), config_(config), request_(request), memory_(memory), elements_(elements(layer, config)) {
    result_.bound = vta::bound_of(elementwise_work(layer, config), config, memory);
    result_.cycles = UINT64_MAX;
  }

  ElementwiseSearch run() {
    const std::vector<Rough> all = candidates();
    if (all.empty() && request_.tiles == 0 && request_.threads == 0) {
      fail("no piece of this layer fits the {} accumulators of configuration {}; a larger LOG_ACC_BUFF_SIZE would do",
           config_.depth(isa::Memory::kAcc).count(), config_.name());
    }
    if (all.empty()) {
      fail("no such pieces of this layer fit the accumulators of configuration {}; leave tiles and threads open",
           config_.name());
    }
    // Of a layer whose programs are large, some are weighed all the same.
    budget_ = std::max(kWork, 3 * static_cast<uint64_t>(all.front().instructions));
    for (size_t i = 0; i < std::min(all.size(), kCandidates); ++i) {
      if (i == 0 || has_work_left()) weigh(all[i].tiling);
    }
    for (bool better = true; better && has_work_left();) {
      better = false;
      for (const ElementwiseTiling& next : neighbours(result_.tiling)) {
        if (!has_work_left() || !weigh(next)) continue;
        better = true;
        break;
      }
    }
    return result_;
  }

 private:
  bool has_work_left() const { return work_ < budget_ && result_.gap() > kSmallGap; }

  bool fits(const ElementwiseTiling& t) const {
    const auto depth = static_cast<int64_t>(config_.depth(Memory::kAcc).count());
    const bool wanted = (request_.tiles == 0 || t.tiles == std::min(request_.tiles, elements_)) &&
                        (request_.threads == 0 || t.threads == request_.threads);
    const ElementwiseCopies copies = copies_of(layer_);
    const int64_t buffers = copies.loads * (t.double_buffer ? 2 : 1) + copies.made;
    return wanted && buffers * t.tiles <= depth / t.threads;
  }

  // The roughly fastest first.
  std::vector<Rough> candidates() const {
    const TransferCost cost(memory_, config_);
    std::vector<Rough> all;
    const auto most = static_cast<int64_t>(config_.depth(Memory::kAcc).count());
    std::set<int64_t> sizes = {std::min(request_.tiles, elements_)};
    // Pieces that are nearly equal: other sizes waste some of the last one.
    for (int64_t size = 1; request_.tiles == 0 && size <= std::min(most, elements_); ++size) {
      sizes.insert(ceil_div(elements_, ceil_div(elements_, size)));
    }
    std::set<int> threads = {1, 2, request_.threads};
    for (const int64_t size : sizes) {
      for (const int count : threads) {
        for (const bool twice : {false, true}) {
          const ElementwiseTiling t{size, count, twice};
          if (size > 0 && count > 0 && fits(t)) all.push_back(rough_cost(layer_, t, config_, cost));
        }
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Rough& a, const Rough& b) { return a.cycles < b.cycles; });
    return all;
  }

  std::vector<ElementwiseTiling> neighbours(const ElementwiseTiling& t) const {
    std::vector<ElementwiseTiling> all;
    const int64_t count = ceil_div(elements_, t.tiles);
    for (const int64_t pieces : {count + 1, count - 1, count + 2, count - 2, 2 * count, count / 2}) {
      if (pieces >= 1 && pieces <= elements_) all.push_back({ceil_div(elements_, pieces), t.threads, t.double_buffer});
    }
    all.push_back({t.tiles, t.threads, !t.double_buffer});
    for (const int threads : {1, 2, 4}) {
      all.push_back({t.tiles, threads, t.double_buffer});
      all.push_back({ceil_div(t.tiles, int64_t{2}), threads, t.double_buffer});
    }
    std::erase_if(all, [&](const ElementwiseTiling& next) { return !fits(next); });
    return all;
  }

  // Whether it is the best so far.
  bool weigh(const ElementwiseTiling& tiling) {
    if (std::find(seen_.begin(), seen_.end(), tiling) != seen_.end()) return false;
    seen_.push_back(tiling);
    const Program program = vta::compile(schedule_elementwise(layer_, tiling, config_).function(), config_);
    work_ += kCompileWork + program.insns.size();
    ++result_.weighed;
    const uint64_t cycles = vta::estimate_cycles(program, memory_);
    if (cycles >= result_.cycles) return false;
    result_.cycles = cycles;
    result_.tiling = tiling;
    return true;
  }

  const Elementwise& layer_;
  const isa::Config& config_;
  const ElementwiseTiling& request_;
  const MemoryTiming& memory_;
  const int64_t elements_;
  uint64_t work_ = 0, budget_ = 0;
  std::vector<ElementwiseTiling> seen_;
  ElementwiseSearch result_;
};

}  // namespace

vta::Work elementwise_work(const Elementwise& layer, const isa::Config& config) {
  const auto bus = static_cast<int64_t>(config.bus_width().count());
  const auto beats = [&](Memory memory, int64_t count) {
    return ceil_div(count * static_cast<int64_t>(config.element_size(memory).count()), bus);
  };
  const int64_t count = elements(layer, config);
  vta::Work work;
  work.result_steps = alu_steps(layer);
  work.alu_steps = count * work.result_steps;
  work.read_beats = layer.operands * beats(operand_memory(config), count);
  work.first_beats = beats(operand_memory(config), 1);
  work.store_beats = beats(Memory::kOut, count);
  work.last_beats = beats(Memory::kOut, 1);
  return work;
}

ElementwiseSearch search_elementwise(const Elementwise& layer, const isa::Config& config,
                                     const ElementwiseTiling& request, const MemoryTiming& memory) {
  return ElementwiseTilings(layer, config, request, memory).run();
}

}  // namespace vantage::ops
