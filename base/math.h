// Division and logarithms of whole numbers that round up.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace vantage {

// For a >= 0 and b > 0, where a + b does not overflow.
template <std::integral A, std::integral B>
constexpr auto ceil_div(A a, B b) {
  return (a + b - 1) / b;
}

// The next multiple of `to`.
template <std::integral A, std::integral B>
constexpr auto round_up(A value, B to) {
  return ceil_div(value, to) * to;
}

// The least n with 2^n >= value: the bits of an index into so many. For value > 0.
constexpr int log2_ceil(uint64_t value) {
  return std::bit_width(value - 1);
}

}  // namespace vantage
