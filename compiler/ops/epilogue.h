// What stands around the sums of a layer: the bias that they start from; shift, limits, and the cut to the output's
// width behind them.
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

// ALU instructions of each tile behind its sums.
int64_t alu_instructions(const Epilogue& epilogue);
// What its sums start from: a reset, and an addition where they have a bias.
int64_t first_instructions(const Epilogue& epilogue);

// Throws Error when shift or limits do not fit an instruction of the ALU.
void check_epilogue(const Epilogue& epilogue);

// Stages "shift", "clip_min", "clip_max" and "C" behind `sums`, of which the bias is a part. Returns "C".
te::Tensor add_epilogue(const te::Tensor& sums, const Epilogue& epilogue, const isa::Config& config);

}  // namespace vantage::ops
