#include "cli/random_tensor.h"

#include <algorithm>

namespace vantage::cli {

int32_t random_value(int bits, std::mt19937_64& random) {
  const int32_t bound = std::max(1, (1 << (bits - 1)) / 8);
  return std::uniform_int_distribution<int32_t>(-bound, bound - 1)(random);
}

compiler::Matrix random_matrix(size_t rows, size_t cols, int bits, std::mt19937_64& random) {
  compiler::Matrix matrix(rows, cols);
  for (int32_t& value : matrix.values) value = random_value(bits, random);
  return matrix;
}

compiler::Images random_images(size_t n, size_t c, size_t h, size_t w, int bits, std::mt19937_64& random) {
  compiler::Images images(n, c, h, w);
  for (int32_t& value : images.values) value = random_value(bits, random);
  return images;
}

}  // namespace vantage::cli
