#include "tests/compiler/backend/cpu/user_functions.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace vantage::test {

namespace {

// Every element of a tensor, with its index, in row-major order.
template <typename T>
void each(const DLTensor& tensor, const std::function<void(T&, const std::vector<int64_t>&)>& use) {
  std::vector<int64_t> index(static_cast<size_t>(tensor.ndim));
  const auto go = [&](const auto& self, size_t d, T* at) -> void {
    if (d == index.size()) return use(*at, index);
    for (index[d] = 0; index[d] < tensor.shape[d]; ++index[d]) self(self, d + 1, at + index[d] * tensor.strides[d]);
  };
  go(go, 0, reinterpret_cast<T*>(static_cast<char*>(tensor.data) + tensor.byte_offset));
}

int64_t mix(int8_t a, int16_t b, bool c, int64_t d) noexcept {
  return (c ? a : -b) + d / 3;
}
bool is_odd(int32_t x) noexcept {
  return x % 2 != 0;
}
int8_t narrow(int8_t x) noexcept {
  return static_cast<int8_t>(x * 3);
}
double twice(double x) noexcept {
  return 2 * x;
}

// In place.
void accumulate(DLTensor* out, int32_t number) noexcept {
  each<int32_t>(*out, [&](int32_t& x, const std::vector<int64_t>&) { x = (x + number) % 1000; });
}
int32_t sum_of(const DLTensor* in) noexcept {
  int32_t sum = 0;
  each<int32_t>(*in, [&](int32_t& x, const std::vector<int64_t>&) { sum += x; });
  return sum;
}

}  // namespace

float gelu(float x) noexcept {
  return x / (1 + std::exp(-1.702F * x));
}

void stir(const DLTensor* in, int32_t number, DLTensor* out) noexcept {
  int32_t sum = number;
  each<int32_t>(*in, [&](int32_t& x, const std::vector<int64_t>& index) {
    const auto place =
        std::accumulate(index.begin(), index.end(), int64_t{1}, [](int64_t a, int64_t b) { return a * 7 + b; });
    sum = static_cast<int32_t>((static_cast<int64_t>(sum) * 31 + x * place) % 1000003);
  });
  each<int32_t>(*out, [&](int32_t& x, const std::vector<int64_t>&) { x = ++sum; });
}

native::Externals user_functions() {
  native::Externals externals;
  externals.add("gelu", &gelu);
  externals.add("mix", &mix);
  externals.add("is_odd", &is_odd);
  externals.add("narrow", &narrow);
  externals.add("twice", &twice);
  externals.add("stir", &stir, {kInt32, kInt32});
  externals.add("accumulate", &accumulate);
  externals.add("sum_of", &sum_of);
  return externals;
}

}  // namespace vantage::test
