// Lanes: the integers that an element is made of, packed from its low end at their own width, little-endian
// (docs/isa.md section 1). Widths are powers of two from 1 to 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vantage {

// The low `bits` bits of a value, sign-extended: how a lane of that width wraps.
inline int32_t wrap_to(uint32_t value, int bits) {
  const int shift = 32 - bits;
  return static_cast<int32_t>(value << shift) >> shift;
}

// Lane `index` of an element.
inline int32_t read_lane(const std::byte* element, size_t index, int bits) {
  if (bits < 8) {
    const size_t bit = index * static_cast<size_t>(bits);
    return wrap_to(static_cast<uint32_t>(element[bit / 8]) >> (bit % 8), bits);
  }
  const size_t bytes = static_cast<size_t>(bits) / 8;
  uint32_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= static_cast<uint32_t>(element[index * bytes + i]) << (8 * i);
  return wrap_to(value, bits);
}

// Writes the low bits of `value` there; neighbouring lanes keep theirs.
inline void write_lane(std::byte* element, size_t index, int bits, int32_t value) {
  const auto low = static_cast<uint32_t>(value);
  if (bits < 8) {
    const size_t bit = index * static_cast<size_t>(bits);
    const uint32_t mask = ((1u << bits) - 1) << (bit % 8);
    const uint32_t old = static_cast<uint32_t>(element[bit / 8]);
    element[bit / 8] = static_cast<std::byte>((old & ~mask) | ((low << (bit % 8)) & mask));
    return;
  }
  const size_t bytes = static_cast<size_t>(bits) / 8;
  for (size_t i = 0; i < bytes; ++i) element[index * bytes + i] = static_cast<std::byte>(low >> (8 * i));
}

}  // namespace vantage
