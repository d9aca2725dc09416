// What follows the sums of a layer: bias, shift, limits, and the cut to the output's width.
#pragma once

#include "compiler/te/te.h"
#include "hw/isa/config.h"

namespace vantage::ops {

struct Epilogue {
  bool bias = false;
  int shift = 0;  // arithmetic, to the right; 0 emits none
  int clip_min = 0;
  int clip_max = 127;
};

// Its ALU instructions for each tile.
int64_t alu_instructions(const Epilogue& epilogue);

// Throws Error when shift or limits do not fit an instruction of the ALU.
void check_epilogue(const Epilogue& epilogue);

// Stages "bias_add", "shift", "clip_min", "clip_max" and "C" after `sums`, whose dimension `channel_axis` counts
// output-channel tiles, from the `first_channel`th on, and whose last two are one element. `bias`, used if the epilogue
// has one, is indexed by [channel tile][row][column]. Returns "C".
te::Tensor add_epilogue(const te::Tensor& sums, const te::Tensor& bias, const Epilogue& epilogue, size_t channel_axis,
                        const isa::Config& config, int64_t first_channel = 0);

}  // namespace vantage::ops
