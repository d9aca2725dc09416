// Division that rounds up.
#pragma once

#include <concepts>

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

}  // namespace vantage
