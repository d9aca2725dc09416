// Quantities that must not be mixed up: bytes, scratchpad or DRAM elements, and clock cycles. Each is a distinct
// type around an unsigned 64-bit count; conversions are spelled out where they happen.
#pragma once

#include <compare>
#include <cstdint>

namespace vantage {

template <typename Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(uint64_t count) : count_(count) {}

  constexpr uint64_t count() const { return count_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    count_ += other.count_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.count_ + b.count_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.count_ - b.count_); }
  friend constexpr Quantity operator*(Quantity a, uint64_t factor) { return Quantity(a.count_ * factor); }
  friend constexpr uint64_t operator/(Quantity a, Quantity b) { return a.count_ / b.count_; }

 private:
  uint64_t count_ = 0;
};

using Bytes = Quantity<struct BytesUnit>;        // a size, or an address in the accelerator's DRAM
using Elements = Quantity<struct ElementsUnit>;  // a count or an index of elements of one memory type
using Cycles = Quantity<struct CyclesUnit>;      // clock cycles of the accelerator

}  // namespace vantage
