// Random operands for workloads.
#pragma once

#include <random>

#include "compiler/ops/tile_layout.h"

namespace vantage::cli {

// Values that use an eighth of the range of `bits`, so that sums stay mostly inside what a shift and limits leave.
int32_t random_value(int bits, std::mt19937_64& random);
ops::Matrix random_matrix(size_t rows, size_t cols, int bits, std::mt19937_64& random);
ops::Images random_images(size_t n, size_t c, size_t h, size_t w, int bits, std::mt19937_64& random);

}  // namespace vantage::cli
