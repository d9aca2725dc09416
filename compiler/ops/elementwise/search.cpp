// Tilings of elementwise layers, from a model of the loads, ALU instructions and stores of each tile.
#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "hw/isa/timing.h"

namespace vantage::ops {

using isa::Memory;

namespace {

// A tiling that makes at most so many instructions goes before any that makes more, however fast that would be:
// instructions come through the port that also loads data. The passes that place micro-ops add a few.
constexpr int64_t kShortProgram = 1900;

// Cycles of the core and of the memory that estimates assume: until the first load is dispatched; what a load or a
// store takes beside its beats, with what waits for its token; and what an instruction takes beside its steps or beats.
constexpr int64_t kElementwiseStart = isa::timing::kProgramStart;
constexpr int64_t kRead = isa::timing::kMemoryLatency + 2 * isa::timing::kTransferOverhead;
constexpr int64_t kWrite = kRead;
constexpr int64_t kInstruction = isa::timing::kQueueLatency + isa::timing::kTransferSlot + isa::timing::kFirstBurst +
                                 isa::timing::kAddressShown + isa::timing::kBeatToBuffer + isa::timing::kWalkToWrite;
constexpr int64_t kAluFirstStep = isa::timing::kVectorFirstStep;
constexpr int64_t kSourceRead = isa::timing::kSourceRead;

struct Cost {
  int64_t operands, alu;  // per tile
  int64_t count;          // of tiles
  int64_t load, compute, store;

  Cost(const Elementwise& layer, const ElementwiseTiling& t, const isa::Config& config) {
    const auto bus = static_cast<int64_t>(config.bus_width().count());
    const auto cycles = [&](Memory memory, int64_t elements) {
      return ceil_div(elements * static_cast<int64_t>(config.element_size(memory).count()), bus);
    };
    const int64_t lanes = int64_t{config.batch()} * config.block_out();
    operands = layer.immediate ? 1 : 2;
    alu = 3 + (layer.epilogue.shift != 0 ? 1 : 0);
    count = ceil_div(ceil_div(layer.size, lanes), t.tiles);
    load = operands * (cycles(operand_memory(config), t.tiles) + kInstruction);
    // With a tensor as its source an instruction reads twice a step.
    compute = (alu + (layer.immediate ? 0 : kSourceRead)) * t.tiles + kAluFirstStep + kInstruction;
    store = cycles(Memory::kOut, t.tiles) + kInstruction;
  }

  int64_t instructions() const { return count * (operands + alu + 1); }

  int64_t estimate(const ElementwiseTiling& t) const {
    const int64_t around = kRead + load + compute + store + kWrite;
    if (t.threads == 1) return kElementwiseStart + count * (t.double_buffer ? around - kWrite : around);
    // One thread's loads beside another's ALU instructions; a place is free again when its tile has been stored.
    const int64_t places = t.threads * (t.double_buffer ? 2 : 1);
    const int64_t step = std::max({load, compute, store, ceil_div(around, places)}) + kInstruction;
    return kElementwiseStart + around + (count - 1) * step;
  }
};

}  // namespace

ElementwiseTiling choose_elementwise_tiling(const Elementwise& layer, const isa::Config& config,
                                            const ElementwiseTiling& request) {
  const int64_t elements = ceil_div(layer.size, int64_t{config.batch()} * config.block_out());
  const auto depth = static_cast<int64_t>(config.depth(Memory::kAcc).count());
  const int64_t least = request.tiles != 0 ? std::min(request.tiles, elements) : 1;
  const int64_t most = request.tiles != 0 ? least : std::min(elements, depth);

  std::optional<ElementwiseTiling> best;
  int64_t best_cycles = INT64_MAX, best_instructions = INT64_MAX;
  for (int64_t size = least; size <= most; ++size) {
    for (int threads : {1, 2, request.threads}) {
      for (bool double_buffer : {false, true}) {
        if (threads == 0 || (request.threads != 0 && threads != request.threads)) continue;
        const ElementwiseTiling t{size, threads, double_buffer};
        const Cost cost(layer, t, config);
        if (cost.operands * size * (double_buffer ? 2 : 1) > depth / threads) continue;
        // Programs stay short where they can.
        const int64_t instructions = std::max(cost.instructions(), kShortProgram), cycles = cost.estimate(t);
        if (std::tie(instructions, cycles) >= std::tie(best_instructions, best_cycles)) continue;
        best = t;
        best_cycles = cycles;
        best_instructions = instructions;
      }
    }
  }
  if (!best) {
    fail("no such pieces of this layer fit the accumulators of configuration {}; leave tiles and threads open",
         config.name());
  }
  return *best;
}

}  // namespace vantage::ops
