#include "hw/fpga/area/memory_map.h"

#include <span>
#include <utility>

#include "base/math.h"

namespace vantage::fpga {

namespace {

// A shape of one block RAM: so many words of so many bits, and what Yosys reckons it costs.
struct RamShape {
  uint64_t width, depth, cost, block_rams_18k;
};
constexpr uint64_t kHalfCost = 129, kFullCost = 257;
constexpr RamShape kShapes[] = {{36, 512, kHalfCost, 1}, {18, 1024, kHalfCost, 1}, {9, 2048, kHalfCost, 1},
                                {4, 4096, kHalfCost, 1}, {2, 8192, kHalfCost, 1},  {1, 16384, kHalfCost, 1},
                                {72, 512, kFullCost, 2}, {36, 1024, kFullCost, 2}, {18, 2048, kFullCost, 2},
                                {9, 4096, kFullCost, 2}, {4, 8192, kFullCost, 2},  {2, 16384, kFullCost, 2},
                                {1, 32768, kFullCost, 2}};
// Widest words where both ports of one may read.
constexpr uint64_t kWidestHalf = 18, kWidestFull = 36;

// LUTs come in slices of four, whatever is made of them.
constexpr uint64_t kSliceCost = 8, kSliceLuts = 4;

bool two_reads(RamPorts ports) {
  return ports != RamPorts::kWriteRead;
}

// A multiplexer between banks.
uint64_t choosing(uint64_t width, uint64_t banks, RamPorts ports) {
  return width * (banks - 1) * (two_reads(ports) ? 2 : 1);
}

// What is added to a RAM whose writing port also reads, lest it read what it writes.
constexpr uint64_t kOldDataCost = 10;

// RAMs of one shape, and whether there are two that hold the same, each with a read of its own: where one serves two
// reads, its port that also writes is less wide.
struct Choice {
  const RamShape* shape = nullptr;
  uint64_t copies = 1, cost = UINT64_MAX;
};

Choice cheapest(uint64_t width, uint64_t depth, RamPorts ports) {
  Choice best;
  const auto consider = [&](const RamShape& shape, uint64_t copies) {
    const uint64_t banks = ceil_div(depth, shape.depth);
    const uint64_t cost = copies * ceil_div(width, shape.width) * banks * shape.cost + choosing(width, banks, ports) +
                          (two_reads(ports) && copies == 1 ? kOldDataCost : 0);
    if (cost < best.cost) best = {&shape, copies, cost};
  };
  for (const RamShape& shape : kShapes) {
    if (!two_reads(ports)) {
      consider(shape, 1);
      continue;
    }
    consider(shape, 2);
    if (shape.width <= (shape.cost == kHalfCost ? kWidestHalf : kWidestFull)) consider(shape, 1);
  }
  return best;
}

struct LutSlice {
  uint64_t width, depth;
};
constexpr LutSlice kOneRead[] = {{6, 32}, {3, 64}};
constexpr LutSlice kTwoReads[] = {{4, 32}, {2, 64}, {1, 128}};

struct Slices {
  uint64_t count = UINT64_MAX, banks = UINT64_MAX;
};

// Slices of LUTs that hold it, by the shape that needs the fewest, and of these the deepest.
Slices in_slices(std::span<const LutSlice> shapes, uint64_t width, uint64_t depth) {
  Slices best;
  for (const LutSlice& shape : shapes) {
    const uint64_t banks = ceil_div(depth, shape.depth);
    const uint64_t count = ceil_div(width, shape.width) * banks;
    if (std::pair(count, banks) < std::pair(best.count, best.banks)) best = {count, banks};
  }
  return best;
}

}  // namespace

MappedRam map_ram(uint64_t width, uint64_t depth, RamPorts ports, uint64_t used) {
  const Choice best = cheapest(width, depth, ports);
  const Slices slices = two_reads(ports) ? in_slices(kTwoReads, width, depth) : in_slices(kOneRead, width, depth);
  MappedRam mapped;
  if (slices.count * kSliceCost + choosing(width, slices.banks, ports) < best.cost) {
    mapped.luts = ceil_div(slices.count * kSliceLuts * used, width);
    mapped.flip_flops = used * (ports == RamPorts::kReadBack ? 2 : 1);
    mapped.banks = slices.banks;
    return mapped;
  }
  // A copy that nobody reads is left out.
  const uint64_t copies = ports == RamPorts::kUnusedBack ? 1 : best.copies;
  mapped.banks = ceil_div(depth, best.shape->depth);
  mapped.block_rams_18k = copies * ceil_div(used, best.shape->width) * mapped.banks * best.shape->block_rams_18k;
  return mapped;
}

}  // namespace vantage::fpga
