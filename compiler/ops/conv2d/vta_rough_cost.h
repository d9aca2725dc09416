// About how long a tiling takes, from sums over all of its loads, steps and stores: what is weighed first, as there are
// thousands of tilings. For a tenth of random tilings it is too high by more than 5 %, where loads merge or engines
// overlap more than it knows; for short programs by several times.
#pragma once

#include "compiler/ops/conv2d/vta_mapping.h"
#include "compiler/ops/conv2d/vta_tiles.h"
#include "compiler/ops/epilogue.h"
#include "compiler/ops/transfer_cost.h"
#include "hw/isa/config.h"

namespace vantage::ops {

struct RoughCost {
  int64_t cycles, instructions;
  // With what instructions take beside what they do, by experience: what tilings are ordered by.
  int64_t expected() const { return cycles + 3 * instructions; }
};

// Of all tilings that cut a whole layer into the same tiles: what they choose beside their sides says how often a thing
// is loaded and what waits for what. Of the loads themselves everything is known before.
class RoughCosts {
 public:
  // `memory` must live as long.
  RoughCosts(const TiledLayer& layer, const Epilogue& epilogue, const isa::Config& config, const TransferCost& memory);
  // Of the tiling of those sides with these choices; its own are not looked at. REQUIRES: it picks the pixels that the
  // layer does, and load_fault() is kNone (vta_fit.h).
  RoughCost of(const VtaConv2dTiling& tiling) const;

 private:
  // How long transfers keep the bus, and how many instructions they are.
  struct Traffic {
    int64_t cycles = 0, instructions = 0;
    Traffic operator*(int64_t times) const { return {cycles * times, instructions * times}; }
  };
  Traffic input_loads(const TiledLayer& layer, bool resident) const;
  Traffic weight_loads(const TiledLayer& layer, bool apart) const;
  Traffic all_stores(const TiledLayer& layer) const;
  int64_t first_loads(const TiledLayer& layer, bool whole_input) const;
  int64_t pixels(const TiledLayer& layer, int64_t rows, int64_t columns) const;
  int64_t input_times(const VtaConv2dTiling& t) const;
  int64_t weight_times(const VtaConv2dTiling& t) const;
  int64_t chunk_loads(int64_t times, int64_t most) const;

  const TransferCost& memory_;
  struct {
    int64_t inp, wgt, out;
  } element_;  // in bytes
  bool channelwise_;
  // Pieces of output channels, of input channels, of images, rows and columns; all tiles.
  int64_t channel_tiles_, chunks_, places_, tiles_;
  int64_t gemm_;                                           // steps of the GEMM core
  int64_t first_alu_, alu_;                                // ALU instructions before and behind a tile's sums
  int64_t results_, vector_;                               // and the steps of the ALU for them
  int64_t first_resets_;                                   // steps before the first GEMM
  int64_t last_gemm_, last_alu_;                           // steps of the last tile
  int64_t tail_;                                           // cycles behind the last GEMM
  Traffic input_, whole_input_, weights_, weights_apart_;  // everything once
  int64_t first_, first_of_whole_input_;                   // cycles of loads before the first GEMM
  Traffic stores_, addend_ = {};
};

}  // namespace vantage::ops
