#include "hw/fpga/area/area_terms.h"

#include <algorithm>
#include <bit>

#include "base/math.h"
#include "hw/fpga/area/memory_map.h"
#include "hw/isa/codec.h"
#include "hw/isa/insn.h"
#include "hw/isa/layout.h"
#include "hw/isa/scratchpad_ports.h"
#include "hw/isa/timing.h"

namespace vantage::fpga {

using isa::Memory;

namespace {

// Of an instruction in its stage's queue, its index among those of the program.
constexpr uint64_t kQueueWidth = isa::kInsnBytes * 8 + std::bit_width(isa::kMaxInsns);
constexpr uint64_t kQueues = 3;

uint64_t element_bits(const isa::Config& config, Memory memory) {
  return config.element_size(memory).count() * 8;
}

class Counting {
 public:
  explicit Counting(const isa::Config& config) : config_(config), bus_(config.bus_width().count() * 8) {}

  AreaCounts take() {
    scalars();
    scratchpads();
    queues();
    return counts_;
  }

 private:
  void scalars() {
    const auto lanes = static_cast<double>(config_.batch() * config_.block_out());
    counts_[AreaTerm::kCore] = 1;
    counts_[AreaTerm::kBusBits] = static_cast<double>(bus_);
    counts_[AreaTerm::kShiftedBits] = static_cast<double>(bus_) * log2_ceil(bus_ / 8);
    for (Memory memory : {Memory::kUop, Memory::kInp, Memory::kWgt, Memory::kAcc}) {
      counts_[AreaTerm::kIndexBits] += isa::index_width(config_, memory);
    }
    counts_[config_.acc_bits() == 16 ? AreaTerm::kLanes16 : AreaTerm::kLanes32] = lanes;
    for (Memory memory : {Memory::kInp, Memory::kWgt, Memory::kAcc}) {
      counts_[AreaTerm::kElementBits] += static_cast<double>(element_bits(config_, memory));
      gather(element_bits(config_, memory), bus_);
    }
    // 8-bit accumulators are widened before they are gathered.
    gather(element_bits(config_, Memory::kAcc), bus_ * static_cast<uint64_t>(config_.acc_bits()) / 8);
  }

  void gather(uint64_t element, uint64_t beat) {
    if (element > beat) counts_[AreaTerm::kGatheredBits] += static_cast<double>(element - beat);
  }

  void memory(const MappedRam& mapped, uint64_t used, uint64_t copies) {
    counts_.memories.luts += copies * mapped.luts;
    counts_.memories.flip_flops += copies * mapped.flip_flops;
    counts_.memories.block_rams_18k += copies * mapped.block_rams_18k;
    counts_[AreaTerm::kBankedBits] += static_cast<double>(copies * used * (mapped.banks - 1));
  }

  // vta_scratchpad with its banks, of which the low `used` bits of an element are ever read.
  void scratchpad(uint64_t width, int index_bits, uint64_t write_lanes, uint64_t read_lanes, uint64_t used,
                  RamPorts ports, uint64_t copies) {
    const uint64_t banks = std::max(write_lanes, read_lanes);
    const uint64_t rows = uint64_t{1} << (index_bits - log2_ceil(banks));
    memory(map_ram(width, rows, ports, used), used, copies * banks);
    if (banks == 1) return;
    counts_[AreaTerm::kSpreadBits] += static_cast<double>(copies * banks * width * (write_lanes + read_lanes));
  }

  void scratchpads() {
    // From the lowest bit there is the index of an accumulator, that of the source, and that of a weight. The vector
    // engine reads no weight, and its source is an accumulator too.
    const isa::IndexBits index = isa::IndexBits::of(config_);
    const auto gemm_bits = static_cast<uint64_t>(index.acc + std::max(index.acc, index.inp) + index.wgt);
    const auto vector_bits = static_cast<uint64_t>(2 * index.acc);
    const uint64_t lanes = isa::load_lanes(config_, Memory::kUop);
    const int uop_index = isa::index_width(config_, Memory::kUop);
    scratchpad(isa::kMicroOpBits, uop_index, lanes, 1, std::max<uint64_t>(gemm_bits, 1), RamPorts::kReadBack, 1);
    scratchpad(isa::kMicroOpBits, uop_index, lanes, 1, std::max<uint64_t>(vector_bits, 1), RamPorts::kUnusedBack, 1);
    for (Memory memory : {Memory::kInp, Memory::kWgt}) {
      const uint64_t bits = element_bits(config_, memory);
      scratchpad(bits, isa::index_width(config_, memory), isa::load_lanes(config_, memory), 1, bits,
                 RamPorts::kUnusedBack, 1);
    }
    // Two halves of the accumulators, and of their narrow copy
    const int half = isa::index_width(config_, Memory::kAcc) - 1;
    const uint64_t acc_lanes = isa::load_lanes(config_, Memory::kAcc);
    const uint64_t acc = element_bits(config_, Memory::kAcc), out = element_bits(config_, Memory::kOut);
    scratchpad(acc, half, acc_lanes, 1, acc, RamPorts::kUnusedBack, 2);
    scratchpad(out, half, acc_lanes, isa::beat_lanes(config_, Memory::kOut), out, RamPorts::kUnusedBack, 2);
  }

  void queue(uint64_t width, uint64_t depth, uint64_t copies) {
    MappedRam mapped = map_ram(width, depth, RamPorts::kWriteRead, width);
    // Small ones show their head at once (vta_fifo).
    constexpr uint64_t kMostInLuts = 4096;
    if (width * depth <= kMostInLuts) mapped.flip_flops = 0;
    memory(mapped, width, copies);
  }

  // Those whose size the configuration decides, or that lie in block RAM: the others are part of every core.
  void queues() {
    queue(kQueueWidth, isa::timing::kQueueDepth, kQueues);
    queue(bus_, isa::timing::kDmaBeats, 2);
    queue(bus_ + 1, isa::timing::kFetchBeats, 1);
    queue(bus_ + bus_ / 8, isa::timing::kStoreBeats, 1);
  }

  const isa::Config& config_;
  uint64_t bus_;
  AreaCounts counts_;
};

}  // namespace

AreaCounts area_counts(const isa::Config& config) {
  return Counting(config).take();
}

bool shares_multipliers(int inp_bits, int wgt_bits) {
  constexpr int kWidestProducts = 32;  // both of them
  return 2 * (inp_bits + wgt_bits) <= kWidestProducts;
}

int columns_together(const isa::Config& config) {
  return shares_multipliers(config.inp_bits(), config.wgt_bits()) && config.block_out() > 1 ? 2 : 1;
}

}  // namespace vantage::fpga
