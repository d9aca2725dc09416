#include "base/tensor/random.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace vantage {

namespace {

// A draw has 64 random bits, enough for several values: drawing is most of what random operands cost.
class Values {
 public:
  Values(int bits, std::mt19937_64& random) : used_bits_(std::max(1, bits - 3)), random_(random) {
    VANTAGE_CHECK(bits >= 1 && bits <= 32);  // next() gives 32
  }

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

template <typename T>
void draw(Tensor& tensor, Values values) {
  for (T& value : tensor.values<T>()) value = static_cast<T>(values.next());
}

}  // namespace

void fill(Tensor& tensor, std::mt19937_64& random) {
  const DType dtype = tensor.dtype();
  for (int64_t e = 0; e < tensor.size(); ++e) {
    const uint64_t bits = random();
    if (dtype.is_float()) {
      tensor.set_number(e, std::ldexp(static_cast<double>(bits >> 11), -52) - 1);
    } else {
      tensor.set_integer(e, static_cast<int64_t>(dtype.is_bool() ? bits & 1 : bits));
    }
  }
}

void fill(Tensor& tensor, std::mt19937_64& random, int64_t min, int64_t max) {
  VANTAGE_CHECK(min <= max);
  const uint64_t count = static_cast<uint64_t>(max) - static_cast<uint64_t>(min) + 1;  // 0: all of them
  for (int64_t e = 0; e < tensor.size(); ++e) {
    const uint64_t step = count == 0 ? random() : random() % count;
    tensor.set_integer(e, static_cast<int64_t>(static_cast<uint64_t>(min) + step));
  }
}

int32_t random_value(int bits, std::mt19937_64& random) {
  return Values(bits, random).next();
}

Tensor random_tensor(DType dtype, Tensor::Shape shape, int bits, std::mt19937_64& random) {
  VANTAGE_CHECK(dtype.is_signed() && bits <= dtype.bits());
  Tensor tensor(dtype, std::move(shape));
  const Values values(bits, random);
  switch (dtype.bytes()) {
    case 1: draw<int8_t>(tensor, values); break;
    case 2: draw<int16_t>(tensor, values); break;
    case 4: draw<int32_t>(tensor, values); break;
    default: draw<int64_t>(tensor, values); break;
  }
  return tensor;
}

}  // namespace vantage
