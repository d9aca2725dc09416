// What the libraries that stand in for cuBLAS and cuDNN have of the driver that stands in for NVIDIA's
// (stand_in_libcuda.cpp), and elements of memory as numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace vantage::test::stand_in {

// Whether the calling thread has a context in which nothing faulted.
bool is_ready();
// Whether all of this is memory that was allocated there.
bool is_inside(const void* address, size_t bytes);
// To be done when the stream is waited for; what it returns is the driver's code.
void submit(void* stream, std::function<int()> operation);

inline long knob(const char* name, long otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atol(value) : otherwise;
}

inline float from_half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float size = exponent == 0    ? std::ldexp(static_cast<float>(fraction), -24)
                     : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                      : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

inline uint16_t to_half(float value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return sign | 0x7e00;
  const double size = std::fabs(static_cast<double>(value));
  if (size == 0) return sign;
  int exponent = 0;
  std::frexp(size, &exponent);
  const int quantum = std::max(exponent - 11, -24);
  const double rounded = std::nearbyint(std::ldexp(size, -quantum));  // ties to even
  if (std::ldexp(rounded, quantum) > 65504) return sign | 0x7c00;
  if (quantum == -24) return static_cast<uint16_t>(sign | static_cast<int>(rounded));
  // A fraction that was rounded up to 2048 carries over into the exponent by itself.
  return static_cast<uint16_t>(sign | (((quantum + 25) << 10) + static_cast<int>(rounded) - 1024));
}

// The upper half of a float.
inline float from_bfloat16(uint16_t bits) {
  const uint32_t word = uint32_t{bits} << 16;
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

inline uint16_t to_bfloat16(float value) {
  if (std::isnan(value)) return 0x7fc0;
  uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  const uint32_t rest = word & 0xffffU, kept = word >> 16;
  const bool up = rest > 0x8000 || (rest == 0x8000 && kept % 2 == 1);
  return static_cast<uint16_t>(kept + (up ? 1 : 0));
}

template <typename Element>
Element element(const void* memory, int64_t index) {
  Element value;
  std::memcpy(&value, static_cast<const char*>(memory) + index * static_cast<int64_t>(sizeof value), sizeof value);
  return value;
}
template <typename Element>
void set_element(void* memory, int64_t index, Element value) {
  std::memcpy(static_cast<char*>(memory) + index * static_cast<int64_t>(sizeof value), &value, sizeof value);
}

}  // namespace vantage::test::stand_in
