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

int64_t least_extent(const Cut& cut) {
  return std::min(cut.extent(cut.count() - 1), cut.extent(0));
}

// Of all pieces of a dimension together: all but the last are of one size.
template <typename Cost>
int64_t of_pieces(const Cut& cut, const Cost& cost) {
  const int64_t last = cut.count() - 1;
  return cost(cut.extent(last)) + (last == 0 ? 0 : last * cost(cut.extent(0)));
}

int64_t kernel(const TiledLayer& layer) {
  return layer.kernel_h * layer.kernel_w;
}

}  // namespace

RoughCosts::RoughCosts(const TiledLayer& layer, const Epilogue& epilogue, const isa::Config& config,
                       const TransferCost& memory)
    : memory_(memory),
      element_{.inp = element_bytes(config, Memory::kInp),
               .wgt = element_bytes(config, Memory::kWgt),
               .out = element_bytes(config, Memory::kOut)},
      channelwise_(layer.channelwise),
      channel_tiles_(layer.oc.count()),
      chunks_(layer.ic.count()),
      places_(layer.n.count() * layer.h.count() * layer.w.count()),
      tiles_(layer.tiles()),
      gemm_(layer.n.size * layer.oc.size * layer.ic.size * layer.pixels()),
      first_alu_(first_instructions(epilogue)),
      alu_(alu_instructions(epilogue)),
      results_(layer.n.size * layer.oc.size * layer.h.size * layer.w.size),
      vector_(results_ * (first_alu_ + alu_)),
      first_resets_(least_extent(layer.n) * layer.oc.extent(0) * layer.h.extent(0)),
      input_(input_loads(layer, false)),
      whole_input_(input_loads(layer, true)),
      weights_(weight_loads(layer, false)),
      weights_apart_(weight_loads(layer, layer.ic.count() > 1)),
      first_(first_loads(layer, false)),
      first_of_whole_input_(first_loads(layer, true)),
      stores_(all_stores(layer)) {
  if (epilogue.has_addend) {
    // Tiles at the ends are smaller than is counted here, but none is empty.
    addend_.instructions = std::min(stores_.instructions, results_);
    addend_.cycles =
        memory_.load(addend_.instructions, results_ / addend_.instructions * element_bytes(config, Memory::kAcc8));
  }
  // Behind the last GEMM come its tile's epilogue and store.
  const int64_t last = least_extent(layer.n) * least_extent(layer.oc) * least_extent(layer.h) * least_extent(layer.w);
  last_gemm_ = last * least_extent(layer.ic) * kernel(layer);
  last_alu_ = alu_ * last;
  tail_ = isa::timing::kGemmEnd + last_alu_ + isa::timing::kTransferOverhead +
          memory_.cycles(memory_.beats(last * element_.out)) + memory_.store_end;
}

RoughCost RoughCosts::of(const VtaConv2dTiling& t) const {
  using isa::timing::kGemmEnd, isa::timing::kTransferOverhead;
  const bool weights_once = t.weights_resident || t.weights_shared;
  const int64_t times_of_input = input_times(t), times_of_weights = weight_times(t);
  const Traffic input = (t.input_resident ? whole_input_ : input_) * times_of_input;
  const Traffic weights = (weights_once ? weights_apart_ : weights_) * times_of_weights;
  const int64_t instructions = input.instructions + weights.instructions + stores_.instructions +
                               tiles_ * (chunks_ + first_alu_ + alu_) + addend_.instructions + 2;
  const int64_t fetch = memory_.cycles(memory_.beats(instructions * static_cast<int64_t>(isa::kInsnBytes)));
  const int64_t read = input.cycles + weights.cycles + addend_.cycles + fetch;

  // Before the first GEMM come its operands.
  const int64_t begin = memory_.start + memory_.latency + kTransferOverhead;
  const int64_t fill = begin + (t.input_resident ? first_of_whole_input_ : first_);
  // One thread alone computes either sums or epilogues
  const int64_t compute =
      t.threads == 1 ? gemm_ + vector_ - results_ : std::max(gemm_, vector_ - first_alu_ * first_resets_);
  const int64_t reading = begin + read + last_gemm_ + tail_;
  // Each thread's loads wait for its GEMM before, and its GEMM for them. Without a second place for sums so do resets
  // for the store before.
  const int64_t loads = std::max(t.input_resident ? 0 : chunk_loads(times_of_input, channel_tiles_),
                                 weights_once ? 0 : chunk_loads(times_of_weights, places_));
  const int64_t around = memory_.latency + 2 * kTransferOverhead + kGemmEnd;
  const int64_t own = (t.input_resident ? 0 : input.cycles) + (weights_once ? 0 : weights.cycles);
  const int64_t serial = begin + (loads * around + own + gemm_) / t.threads + tail_;
  const int64_t stored = t.sum_places > 1 ? 0
                                          : begin + ((tiles_ - t.threads) * (memory_.store_end + kTransferOverhead) +
                                                     vector_ + stores_.cycles + gemm_) /
                                                        t.threads;
  const int64_t writing = fill + last_gemm_ + kGemmEnd + last_alu_ + stores_.cycles + memory_.store_end;
  return {std::max({fill + compute + tail_, reading, serial, stored, writing}), instructions};
}

// Turns in which a thread loads what comes `times` times, of `most`.
int64_t RoughCosts::chunk_loads(int64_t times, int64_t most) const {
  return tiles_ * chunks_ * times / most;
}

// How often it comes: a piece that stays is not loaded again.
int64_t RoughCosts::input_times(const VtaConv2dTiling& t) const {
  if (t.input_resident || channelwise_ || channel_tiles_ == 1) return 1;
  const bool stays = chunks_ == 1 && (!t.channels_outside || places_ == 1);
  return stays ? 1 : channel_tiles_;
}

int64_t RoughCosts::weight_times(const VtaConv2dTiling& t) const {
  if (t.weights_resident || t.weights_shared || places_ == 1) return 1;
  const bool stays = chunks_ == 1 && (t.channels_outside || channel_tiles_ == 1);
  return stays ? 1 : places_;
}

// All of the input once, in pieces or as a whole.
RoughCosts::Traffic RoughCosts::input_loads(const TiledLayer& layer, bool resident) const {
  Traffic all;
  if (layer.is_product) {
    // A row of one pixel with all its channels is one row of channels.
    const Cut& chunks = layer.channelwise ? layer.oc : layer.ic;
    all.cycles =
        of_pieces(chunks, [&](int64_t channels) { return memory_.load(layer.n.size, channels * element_.inp); });
    // Rows follow each other in the scratchpad, but for those of a last chunk that is shorter.
    const int64_t short_ones = layer.lies_in_chunks() ? 0 : 1, whole = chunks.count() - short_ones;
    all.instructions = layer.n.count() * whole + layer.n.size * short_ones;
    all.cycles = std::max(all.cycles, memory_.loads(all.instructions));
    return all;
  }
  const int64_t images = layer.n.size * layer.in_channels();
  if (resident) return {pixels(layer, images * layer.height, layer.width), images};
  int64_t rows = 0;
  for (int64_t i = 0; i < layer.h.count(); ++i) rows += layer.rows_inside(i);
  for (int64_t i = 0; i < layer.w.count(); ++i) all.cycles += pixels(layer, images * rows, layer.columns_inside(i));
  all.instructions = images * layer.h.count() * layer.w.count();
  return all;
}

// So many rows of the input, each of so many pixels. None: of sides that only tilings with a resident input may have,
// the pieces, which are not asked for then.
int64_t RoughCosts::pixels(const TiledLayer& layer, int64_t rows, int64_t columns) const {
  if (columns == 0) return 0;
  return layer.picks_pixels ? memory_.load(rows * columns, element_.inp) : memory_.load(rows, columns * element_.inp);
}

// All weights once. Where they lie `apart`, each output channel's of a chunk is a load.
RoughCosts::Traffic RoughCosts::weight_loads(const TiledLayer& layer, bool apart) const {
  Traffic all;
  all.cycles = of_pieces(
      layer.ic, [&](int64_t channels) { return memory_.load(layer.oc.size, channels * kernel(layer) * element_.wgt); });
  all.instructions = layer.oc.count() * layer.ic.count() * (apart ? layer.oc.piece : 1);
  if (layer.is_product) all.cycles = std::max(all.cycles, memory_.loads(all.instructions));
  return all;
}

RoughCosts::Traffic RoughCosts::all_stores(const TiledLayer& layer) const {
  if (!layer.is_product) {
    const bool whole_rows = layer.w.piece == layer.w.size || layer.h.piece == 1;
    const int64_t of_tile = whole_rows ? layer.n.piece : layer.n.piece * layer.oc.piece;
    return {memory_.cycles(memory_.beats(results_ * element_.out)), layer.tiles() * of_tile};
  }
  const int64_t last = layer.oc.count() - 1;
  const auto of_tile = layer.stores(layer.n.extent(0), layer.oc.extent(0));
  const auto of_last = layer.stores(layer.n.extent(0), layer.oc.extent(last));
  const int64_t instructions = layer.n.count() * (last * of_tile.instructions + of_last.instructions);
  const int64_t cycles = memory_.store(ceil_div(results_, of_tile.row), of_tile.row * element_.out);
  return {std::max(cycles, memory_.stores(instructions)), instructions};
}

// What the first GEMM waits for.
int64_t RoughCosts::first_loads(const TiledLayer& layer, bool whole_input) const {
  const int64_t ic = layer.channels_loaded(0, 0);
  const int64_t weights = memory_.load(layer.oc.extent(0), layer.ic.extent(0) * kernel(layer) * element_.wgt);
  if (layer.is_product) return weights + memory_.load(layer.n.extent(0), ic * element_.inp);
  if (whole_input) return weights + pixels(layer, ic * layer.height, layer.width);
  return weights + pixels(layer, layer.n.extent(0) * ic * layer.rows_inside(0), layer.columns_inside(0));
}

}  // namespace vantage::ops
