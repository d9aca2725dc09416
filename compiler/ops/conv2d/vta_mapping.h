// How a convolution is computed on the VTA: parts of its output one after the other, each in tiles of its own. Most of
// it is one part; smaller tiles at the beginning and at the end let work begin sooner and end sooner.
#pragma once

#include <cstdint>
#include <vector>

namespace vantage::ops {

// How much is computed at a time, in what order, by how many virtual threads.
struct VtaConv2dTiling {
  int64_t n = 1, oc = 1, h = 1, w = 1;  // of an output tile; images and channels in tiles of BATCH and BLOCK_OUT
  int64_t ic = 1;                       // input channels of a chunk, loaded or computed at a time, in tiles of BLOCK_IN
  bool channels_outside = true;         // output channels change more slowly than the rest from tile to tile
  int threads = 1;                      // virtual threads that share out the output tiles,
  bool threads_in_turn = false;         // each taking every `threads`th one; else a run of them each
  bool staggered = false;               // half a tile apart, one summing while the other finishes
  int chunk_places = 1;           // of chunks, and of weights that are shared: some are loaded while one is in use
  int sum_places = 1;             // of a tile's accumulators: some are stored while the next are computed
  bool input_resident = false;    // all of the input is loaded once, for all threads; likewise
  bool weights_resident = false;  // all weights
  // Else: threads work on the same output channels at a time, which are outside then, and share their weights.
  bool weights_shared = false;
  bool picks_pixels = false;   // pixels that no kernel reaches are not loaded, the others one by one
  bool bias_resident = false;  // each thread loads all of the bias that it uses once
  bool operator==(const VtaConv2dTiling&) const = default;
};

// [begin, end) of a dimension; what lies beyond its size is not there.
struct Span {
  int64_t begin = 0, end = INT64_MAX;
  int64_t extent(int64_t size) const { return (end < size ? end : size) - begin; }
  bool operator==(const Span&) const = default;
};

// A box of the output, whole rows of it; images and channels in tiles.
struct VtaConv2dPart {
  Span n = {}, oc = {}, h = {};
  VtaConv2dTiling tiling = {};
  bool operator==(const VtaConv2dPart&) const = default;
};

// Parts that make up the output, each element in one of them.
struct VtaConv2dMapping {
  std::vector<VtaConv2dPart> parts = {{}};
  // Of the order of instructions: the first sums in slices, each begun as it is loaded, and the last results, stored as
  // they are computed; what the ALU can do before the first sums that wait for their operands.
  bool in_slices = false, fills_waits = false;
  bool shares_micro_ops = false;  // resets and ALU instructions take those of whoever writes the same accumulators
  bool skips_zeros = false;       // products with the zeros around an image are left out
  VtaConv2dMapping() = default;
  VtaConv2dMapping(const VtaConv2dTiling& all) : parts{{.tiling = all}} {}  // NOLINT(google-explicit-constructor)
  explicit VtaConv2dMapping(std::vector<VtaConv2dPart> list) : parts(std::move(list)) {}
  bool operator==(const VtaConv2dMapping&) const = default;
};

}  // namespace vantage::ops
