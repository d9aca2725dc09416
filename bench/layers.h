// Layers and configurations that benchmarks draw at random or go through.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "base/shape/conv2d.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::bench {

// The default configuration with some keys changed.
isa::Config variant(const std::string& name, const std::vector<std::pair<const char*, int>>& keys);
// The default one; tiles of 2x16, 4x8, 1x32, 8x8 and of 16 by 32; a wider bus; small scratchpads.
std::vector<isa::Config> eight_configs();

// A setting of configs/memory, as a core at so many megahertz sees it.
MemoryTiming memory_setting(const std::string& name, int clock_mhz);

// Convolutions with kernels of 1 to 7 and matrix products, of so many multiplications.
Conv2dShape random_conv2d_shape(std::mt19937_64& random, int64_t least, int64_t most);
// "1x64x56x56 -> 128, 3x3 / 2, pad 1"
std::string to_text(const Conv2dShape& shape);

}  // namespace vantage::bench
