#include "cli/random_tensor.h"

#include <algorithm>

namespace vantage::cli {

namespace {

// A draw has 64 random bits, enough for several values: drawing is most of what random operands cost.
class Values {
 public:
  Values(int bits, std::mt19937_64& random) : used_bits_(std::max(1, bits - 3)), random_(random) {}

  int32_t next() {
    if (left_ < used_bits_) {
      word_ = random_();
      left_ = 64;
    }
    const auto value = static_cast<int32_t>(word_ & ((uint64_t{1} << used_bits_) - 1));
    word_ >>= used_bits_;
    left_ -= used_bits_;
    return value - (1 << (used_bits_ - 1));
  }

 private:
  int used_bits_;
  std::mt19937_64& random_;
  uint64_t word_ = 0;
  int left_ = 0;
};

}  // namespace

int32_t random_value(int bits, std::mt19937_64& random) {
  return Values(bits, random).next();
}

ops::Matrix random_matrix(size_t rows, size_t cols, int bits, std::mt19937_64& random) {
  ops::Matrix matrix(rows, cols);
  Values values(bits, random);
  for (int32_t& value : matrix.values) value = values.next();
  return matrix;
}

ops::Images random_images(size_t n, size_t c, size_t h, size_t w, int bits, std::mt19937_64& random) {
  ops::Images images(n, c, h, w);
  Values values(bits, random);
  for (int32_t& value : images.values) value = values.next();
  return images;
}

}  // namespace vantage::cli
