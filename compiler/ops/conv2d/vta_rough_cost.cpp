#include "compiler/ops/conv2d/vta_rough_cost.h"

#include <algorithm>

#include "base/math.h"
#include "compiler/ops/conv2d/vta_tiles.h"
#include "hw/isa/codec.h"
#include "hw/isa/timing.h"

namespace vantage::ops {

using isa::Memory;

namespace {

int64_t element_bytes(const isa::Config& config, Memory memory) {
  return static_cast<int64_t>(config.element_size(memory).count());
}

// How long loads keep the bus, and how many instructions they are.
struct Traffic {
  int64_t cycles = 0, instructions = 0;
  Traffic operator*(int64_t times) const { return {cycles * times, instructions * times}; }
};

class TilingCost {
 public:
  TilingCost(const TiledLayer& layer, const Epilogue& epilogue, const VtaConv2dTiling& tiling,
             const isa::Config& config, const TransferCost& memory)
      : layer_(layer), epilogue_(epilogue), t_(tiling), config_(config), memory_(memory) {}

  RoughCost operator()() const {
    const int64_t tiles = layer_.tiles(), chunks = layer_.ic.count();
    const Traffic input = input_loads() * input_times();
    const Traffic weights = weight_loads() * weight_times();
    const Traffic writes = stores();
    const int64_t first_alu = first_instructions(epilogue_), alu = alu_instructions(epilogue_);
    const int64_t results = layer_.n.size * layer_.oc.size * layer_.h.size * layer_.w.size;
    // Tiles at the ends are smaller than is counted here, but none is empty.
    const int64_t addend_loads = epilogue_.has_addend ? std::min(writes.instructions, results) : 0;
    const int64_t instructions = input.instructions + weights.instructions + writes.instructions +
                                 tiles * (chunks + first_alu + alu) + addend_loads + 2;

    const int64_t gemm = layer_.n.size * layer_.oc.size * layer_.ic.size * layer_.pixels();
    const int64_t vector = results * (first_alu + alu);
    const int64_t fetch = memory_.cycles(memory_.beats(instructions * static_cast<int64_t>(isa::kInsnBytes)));
    const int64_t addend =
        epilogue_.has_addend
            ? memory_.load(addend_loads, results / addend_loads * element_bytes(config_, Memory::kAcc8))
            : 0;
    const int64_t read = input.cycles + weights.cycles + addend + fetch;

    // Before the first GEMM come its operands, behind the last one its tile's epilogue and store.
    const int64_t first = first_loads();
    const int64_t fill = memory_.start + memory_.latency + isa::timing::kTransferOverhead + first;
    const int64_t last =
        least_extent(layer_.n) * least_extent(layer_.oc) * least_extent(layer_.h) * least_extent(layer_.w);
    const int64_t tail = isa::timing::kGemmEnd + alu * last + isa::timing::kTransferOverhead +
                         memory_.cycles(memory_.beats(last * element_bytes(config_, Memory::kOut))) + memory_.store_end;
    // One thread alone computes either sums or epilogues
    const int64_t compute =
        t_.threads == 1 ? gemm + vector - results : std::max(gemm, vector - first_alu * first_resets());
    const int64_t last_gemm = last * least_extent(layer_.ic) * kernel();
    const int64_t begin = memory_.start + memory_.latency + isa::timing::kTransferOverhead;
    const int64_t reading = begin + read + last_gemm + tail;
    // Each thread's loads wait for its GEMM before, and its GEMM for them. Without a second place for sums so do resets
    // for the store before.
    const int64_t loads =
        std::max(t_.input_resident ? 0 : chunk_loads(input_times(), layer_.oc.count()),
                 t_.weights_resident || t_.weights_shared ? 0 : chunk_loads(weight_times(), places()));
    const int64_t around = memory_.latency + 2 * isa::timing::kTransferOverhead + isa::timing::kGemmEnd;
    const int64_t own =
        (t_.input_resident ? 0 : input.cycles) + (t_.weights_resident || t_.weights_shared ? 0 : weights.cycles);
    const int64_t serial = begin + (loads * around + own + gemm) / t_.threads + tail;
    const int64_t stored = t_.sum_places > 1
                               ? 0
                               : begin + ((tiles - t_.threads) * (memory_.store_end + isa::timing::kTransferOverhead) +
                                          vector + writes.cycles + gemm) /
                                             t_.threads;
    const int64_t writing = fill + last_gemm + isa::timing::kGemmEnd + alu * last + writes.cycles + memory_.store_end;
    return {std::max({fill + compute + tail, reading, serial, stored, writing}), instructions};
  }

 private:
  static int64_t least_extent(const Cut& cut) { return std::min(cut.extent(cut.count() - 1), cut.extent(0)); }
  // Of all pieces of a dimension together: all but the last are of one size.
  template <typename Cost>
  static int64_t of_pieces(const Cut& cut, const Cost& cost) {
    const int64_t last = cut.count() - 1;
    return cost(cut.extent(last)) + (last == 0 ? 0 : last * cost(cut.extent(0)));
  }
  int64_t kernel() const { return layer_.kernel_h * layer_.kernel_w; }
  int64_t first_resets() const { return least_extent(layer_.n) * layer_.oc.extent(0) * layer_.h.extent(0); }

  int64_t places() const { return layer_.n.count() * layer_.h.count() * layer_.w.count(); }

  // Turns in which a thread loads what comes `times` times, of `most`.
  int64_t chunk_loads(int64_t times, int64_t most) const { return layer_.tiles() * layer_.ic.count() * times / most; }

  // How the input's channels are cut.
  const Cut& chunks() const { return layer_.channelwise ? layer_.oc : layer_.ic; }

  // All of the input once, in the pieces of this tiling.
  Traffic input_loads() const {
    const int64_t element = element_bytes(config_, Memory::kInp);
    Traffic all;
    if (layer_.is_product) {
      // A row of one pixel with all its channels is one row of channels.
      all.cycles =
          of_pieces(chunks(), [&](int64_t channels) { return memory_.load(layer_.n.size, channels * element); });
      // Rows follow each other in the scratchpad, but for those of a last chunk that is shorter.
      const int64_t short_ones = layer_.lies_in_chunks() ? 0 : 1, whole = chunks().count() - short_ones;
      all.instructions = layer_.n.count() * whole + layer_.n.size * short_ones;
      all.cycles = std::max(all.cycles, memory_.loads(all.instructions));
      return all;
    }
    if (t_.input_resident) {
      all = pieces(layer_.n.size * layer_.in_channels(), layer_.height, layer_.width, element);
      all.instructions = layer_.n.size * layer_.in_channels();
      return all;
    }
    int64_t rows = 0;
    for (int64_t i = 0; i < layer_.h.count(); ++i) rows += layer_.rows_inside(i);
    for (int64_t i = 0; i < layer_.w.count(); ++i) {
      all.cycles += pieces(layer_.n.size * layer_.in_channels(), rows, layer_.columns_inside(i), element).cycles;
    }
    all.instructions = layer_.n.size * layer_.in_channels() * layer_.h.count() * layer_.w.count();
    return all;
  }

  Traffic pieces(int64_t images, int64_t rows, int64_t columns, int64_t element) const {
    const int64_t count = images * rows * (t_.picks_pixels ? columns : 1);
    const int64_t row = (t_.picks_pixels ? 1 : columns) * element;
    return {memory_.load(count, row), 0};
  }

  // Of all results.
  Traffic stores() const {
    const int64_t results = layer_.n.size * layer_.oc.size * layer_.h.size * layer_.w.size;
    const int64_t out = element_bytes(config_, Memory::kOut);
    if (!layer_.is_product) {
      const int64_t of_tile = t_.w == layer_.w.size || t_.h == 1 ? t_.n : t_.n * t_.oc;
      return {memory_.cycles(memory_.beats(results * out)), layer_.tiles() * of_tile};
    }
    const int64_t last = layer_.oc.count() - 1;
    const auto of_tile = layer_.stores(layer_.n.extent(0), layer_.oc.extent(0));
    const auto of_last = layer_.stores(layer_.n.extent(0), layer_.oc.extent(last));
    const int64_t instructions = layer_.n.count() * (last * of_tile.instructions + of_last.instructions);
    const int64_t cycles = memory_.store(ceil_div(results, of_tile.row), of_tile.row * out);
    return {std::max(cycles, memory_.stores(instructions)), instructions};
  }

  // How often it comes: a piece that stays is not loaded again.
  int64_t input_times() const {
    if (t_.input_resident || layer_.channelwise || layer_.oc.count() == 1) return 1;
    const bool stays =
        layer_.ic.count() == 1 && (!t_.channels_outside || layer_.n.count() * layer_.h.count() * layer_.w.count() == 1);
    return stays ? 1 : layer_.oc.count();
  }

  Traffic weight_loads() const {
    const int64_t element = element_bytes(config_, Memory::kWgt);
    Traffic all;
    all.cycles = of_pieces(
        layer_.ic, [&](int64_t channels) { return memory_.load(layer_.oc.size, channels * kernel() * element); });
    const bool lie_apart = (t_.weights_resident || t_.weights_shared) && layer_.ic.count() > 1;
    all.instructions = layer_.oc.count() * layer_.ic.count() * (lie_apart ? t_.oc : 1);
    if (layer_.is_product) all.cycles = std::max(all.cycles, memory_.loads(all.instructions));
    return all;
  }

  int64_t weight_times() const {
    if (t_.weights_resident || t_.weights_shared || places() == 1) return 1;
    const bool stays = layer_.ic.count() == 1 && (t_.channels_outside || layer_.oc.count() == 1);
    return stays ? 1 : places();
  }

  // Of the first GEMM, at least.
  int64_t first_loads() const {
    const int64_t ic = layer_.channels_loaded(0, 0);
    const int64_t weights =
        memory_.load(layer_.oc.extent(0), layer_.ic.extent(0) * kernel() * element_bytes(config_, Memory::kWgt));
    const int64_t element = element_bytes(config_, Memory::kInp);
    if (layer_.is_product) return weights + memory_.load(layer_.n.extent(0), ic * element);
    if (t_.input_resident) return weights + pieces(ic, layer_.height, layer_.width, element).cycles;
    return weights + pieces(layer_.n.extent(0) * ic, layer_.rows_inside(0), layer_.columns_inside(0), element).cycles;
  }

  const TiledLayer& layer_;
  const Epilogue& epilogue_;
  const VtaConv2dTiling& t_;
  const isa::Config& config_;
  const TransferCost& memory_;
};

}  // namespace

RoughCost rough_cost(const TiledLayer& layer, const Epilogue& epilogue, const VtaConv2dTiling& tiling,
                     const isa::Config& config, const TransferCost& memory) {
  return TilingCost(layer, epilogue, tiling, config, memory)();
}

}  // namespace vantage::ops
