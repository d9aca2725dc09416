// What every schedule of a convolution must do: with vta::bound_of(), the bound that layers are held against.
#pragma once

#include "base/shape/conv2d.h"
#include "compiler/backend/vta/timing/bound.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// Every product of the function but those with the zeros around an image; a reset and the epilogue's ALU steps for
// every result that has products; every weight that is multiplied, every bias, and every pixel that a kernel reaches,
// read once, those in between along a row or not. So it is the least for all schedules of these steps, in which the ALU
// resets sums: a load that writes zeros, as for the border of an image, could reset some as well, and no schedule does.
vta::Work vta_conv2d_work(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config);

// The steps and beats alone, without what comes before the first and behind the last: what published tables of layers
// are held against.
int64_t least_steps(const vta::Work& work);

}  // namespace vantage::ops
