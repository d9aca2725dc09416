#include "tools/emulated_board/emulated_bitstream.h"

#include <initializer_list>

namespace vantage::emulated {

namespace {

constexpr uint32_t kFrameWords = 101 * 16;

std::string big_endian(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

std::string field(char tag, std::string_view text) {
  return tag + big_endian(text.size() + 1, 2) + std::string(text) + '\0';
}

// Packets: Xilinx UG470, "Configuration Packets".
constexpr uint32_t kSync = 0xaa995566;
constexpr uint32_t kNoOperation = 0x20000000;
constexpr uint32_t write_one(uint32_t reg) {
  return 0x30000001 | reg << 13;
}
constexpr uint32_t kFrames = 0x30000000 | 2 << 13;  // FDRI, with a count in a second header
constexpr uint32_t kFrameCount = 0x50000000;
constexpr uint32_t kCommand = write_one(4), kWriteIdcode = write_one(12);
constexpr uint32_t kWriteFrames = 1, kStartCommand = 5, kResetCrc = 7, kDesync = 13;

}  // namespace

std::string emulated_bitstream(std::string_view design, std::string_view part, uint32_t idcode) {
  std::string words;
  const auto put = [&](std::initializer_list<uint32_t> list) {
    for (const uint32_t word : list) words += big_endian(word, 4);
  };
  // Dummies and the detection of the bus's width come before the sync word.
  for (int i = 0; i < 8; ++i) put({0xffffffff});
  put({0x000000bb, 0x11220044, 0xffffffff, 0xffffffff, kSync, kNoOperation});
  put({kCommand, kResetCrc, kNoOperation, kWriteIdcode, idcode, kCommand, kWriteFrames});
  put({kFrames, kFrameCount | kFrameWords});
  words.append(size_t{kFrameWords} * 4, '\0');
  put({kCommand, kResetCrc, kCommand, kStartCommand, kCommand, kDesync, kNoOperation, kNoOperation});

  return big_endian(9, 2) + std::string("\x0f\xf0\x0f\xf0\x0f\xf0\x0f\xf0\x00", 9) + big_endian(1, 2) +
         field('a', design) + field('b', part) + field('c', "2000/01/01") + field('d', "00:00:00") + 'e' +
         big_endian(words.size(), 4) + words;
}

}  // namespace vantage::emulated
