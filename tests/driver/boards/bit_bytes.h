// .bit files as Vivado writes them, small.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace vantage::test {

inline std::string big_endian(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
  return text;
}

inline std::string words(std::initializer_list<uint32_t> values) {
  std::string text;
  for (const uint32_t value : values) text += big_endian(value, 4);
  return text;
}

// Dummies, sync, a few commands, the part's IDCODE, frames, and the end.
inline std::string configuration(uint32_t idcode, size_t frame_words = 101) {
  std::string text = words({0xffffffff, 0xffffffff, 0x000000bb, 0x11220044, 0xffffffff, 0xffffffff, 0xaa995566,
                            0x20000000, 0x30008001, 0x00000007, 0x20000000, 0x30018001, idcode, 0x30008001, 0x00000001,
                            0x30004000, 0x50000000 | static_cast<uint32_t>(frame_words)});
  for (size_t i = 0; i < frame_words; ++i) text += big_endian(i * 2654435761U & 0xffffffff, 4);
  return text + words({0x30008001, 0x00000005, 0x30000001, 0x12345678, 0x30008001, 0x0000000d, 0x20000000, 0x20000000});
}

inline std::string bit_field(char tag, const std::string& text) {
  return tag + big_endian(text.size() + 1, 2) + text + '\0';
}

inline std::string bit_bytes(const std::string& part = "7z020clg400",
                             const std::string& payload = configuration(0x03727093),
                             const std::string& design = "vta_wrapper;UserID=0XFFFFFFFF;Version=2018.3") {
  return big_endian(9, 2) + std::string("\x0f\xf0\x0f\xf0\x0f\xf0\x0f\xf0\x00", 9) + big_endian(1, 2) +
         bit_field('a', design) + bit_field('b', part) + bit_field('c', "2019/05/07") + bit_field('d', "15:04:05") +
         'e' + big_endian(payload.size(), 4) + payload;
}

}  // namespace vantage::test
