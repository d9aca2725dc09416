#include "report/packed.h"

#include "base/gzip.h"

namespace vantage::report {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t k) { return i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0U; };
    const uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    text += kLetters[three >> 18];
    text += kLetters[three >> 12 & 63];
    text += i + 1 < bytes.size() ? kLetters[three >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kLetters[three & 63] : '=';
  }
  return text;
}

std::string packed(std::string_view bytes) {
  return base64(gzip(bytes));
}

void Column::add(int64_t value) {
  uint64_t left = static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
  for (; left >= 128; left >>= 7) bytes_ += static_cast<char>(left | 128);
  bytes_ += static_cast<char>(left);
}

}  // namespace vantage::report
