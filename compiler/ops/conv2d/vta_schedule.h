// The VTA's schedule of vta_conv2d(): output tiles shared out among virtual threads, input channels in chunks.
#pragma once

#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// How much is computed at a time, in what order, by how many virtual threads.
struct VtaConv2dTiling {
  int64_t n = 1, oc = 1, h = 1, w = 1;  // of an output tile; images and channels in tiles of BATCH and BLOCK_OUT
  int64_t ic = 1;                       // input channels loaded at a time, in tiles of BLOCK_IN
  bool channels_outside = true;         // output channels change more slowly than the rest from tile to tile
  int threads = 1;                      // virtual threads that share out the output tiles,
  bool threads_in_turn = false;         // each taking every `threads`th one; else a run of them each
  bool double_buffer = false;     // accumulators in two places, so that one tile is stored while the next is computed
  bool input_resident = false;    // all of the input is loaded once, for all threads; likewise
  bool weights_resident = false;  // all weights
  // Else: threads work on the same output channels at a time, which are outside then, and share their weights.
  bool weights_shared = false;
  bool picks_pixels = false;   // pixels that no kernel reaches are not loaded, the others one by one
  bool bias_resident = false;  // each thread loads all of the bias that it uses once
  bool operator==(const VtaConv2dTiling&) const = default;
};

// Whether it all fits the scratchpads shows when the function is lowered.
void schedule_vta_conv2d(schedule::Schedule& s, const VtaConv2dTiling& tiling);

}  // namespace vantage::ops
