// What every schedule of a convolution must do: the bound that layers are held against.
#pragma once

#include <cstdint>

#include "base/shape/conv2d.h"
#include "compiler/ops/epilogue.h"
#include "hw/isa/config.h"

namespace vantage::ops {

// A step takes its engine a cycle, a beat the bus, each way, at least one.
struct LayerWork {
  int64_t gemm_steps;
  int64_t vector_steps;  // resets, and the epilogue's ALU steps
  int64_t read_beats;    // every weight, and every pixel that a kernel reaches, once
  int64_t store_beats;
  int64_t least_cycles() const;
};
LayerWork layer_work(const Conv2dShape& shape, const Epilogue& epilogue, const isa::Config& config);

}  // namespace vantage::ops
