#include "driver/boards/bit_file.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.h"

namespace vantage::boards {

namespace {

constexpr std::string_view kPreamble("\x0f\xf0\x0f\xf0\x0f\xf0\x0f\xf0\x00", 9);
constexpr uint32_t kSyncWord = 0xaa995566;
// Type 1 packets: 001, the operation in bits 28:27 (2: write), a register in 17:13, a number of words in 10:0. Type 2:
// 010, for the register of the packet before, a number of words in 26:0.
constexpr uint32_t kIdcodeRegister = 0x0c;
constexpr uint32_t kFrameDataRegister = 0x02;

// Reads from the front, and knows where it is.
class Reader {
 public:
  Reader(std::string_view bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  std::string_view take(size_t size, std::string_view what) {
    if (size > bytes_.size() - at_) {
      fail("{}: is cut off: {} at byte {} has {} bytes, {} are left", source_, what, at_, size, bytes_.size() - at_);
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  uint32_t number(size_t bytes, std::string_view what) {
    uint32_t value = 0;
    for (const char c : take(bytes, what)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  void tag(char wanted) {
    const size_t at = at_;
    const char got = take(1, fmt::format("field '{}'", wanted))[0];
    if (got == wanted) return;
    fail("{}: byte {} is 0x{:02x}, expected the field '{}' of a .bit file", source_, at,
         static_cast<unsigned char>(got), wanted);
  }
  std::string text(char name) {
    tag(name);
    const std::string what = fmt::format("field '{}'", name);
    const std::string_view bytes = take(number(2, what), what);
    std::string result(bytes.substr(0, bytes.find('\0')));
    const auto printable = [](unsigned char c) { return c >= ' ' && c < 0x7f; };
    if (!std::all_of(result.begin(), result.end(), printable)) fail("{}: {} is no text", source_, what);
    return result;
  }
  size_t left() const { return bytes_.size() - at_; }
  size_t at() const { return at_; }

 private:
  std::string_view bytes_, source_;
  size_t at_ = 0;
};

uint32_t word_at(std::string_view bytes, size_t index) {
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[4 * index + i]);
  return word;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "xc7z020clg400-1" and "7z020clg400" are both "7z020clg400"; "xczu3eg-sbva484-1-e" is "zu3eg-sbva484".
std::string device_and_package(std::string_view part) {
  std::string text = lower(part);
  if (text.starts_with("xc")) text.erase(0, 2);
  const size_t first = text.find('-');
  if (!text.starts_with("zu") || first == std::string::npos) return text.substr(0, first);
  return text.substr(0, text.find('-', first + 1));
}

}  // namespace

BitFile parse_bit_file(std::string_view bytes, std::string_view source) {
  Reader reader(bytes, source);
  const auto size = reader.number(2, "the header");
  if (size != kPreamble.size() || reader.take(size, "the header") != kPreamble || reader.number(2, "the header") != 1) {
    fail("{}: does not begin as a .bit file does; a .bin file, which names no part, is not taken", source);
  }
  BitFile file;
  file.design = reader.text('a');
  file.part = reader.text('b');
  file.date = reader.text('c');
  file.time = reader.text('d');
  reader.tag('e');
  const uint32_t length = reader.number(4, "field 'e'");
  if (length != reader.left()) {
    fail("{}: {} the configuration at byte {} has {} bytes, {} are there", source,
         length > reader.left() ? "is cut off:" : "has something behind it:", reader.at(), length, reader.left());
  }
  if (length == 0 || length % 4 != 0) {
    fail("{}: the configuration has {} bytes, expected whole words of 4", source, length);
  }
  file.configuration = reader.take(length, "field 'e'");
  const size_t words = file.configuration.size() / 4;
  size_t sync = 0;
  while (sync < words && word_at(file.configuration, sync) != kSyncWord) ++sync;
  if (sync == words) fail("{}: the configuration has no sync word 0x{:08x}", source, kSyncWord);
  return file;
}

std::optional<uint32_t> BitFile::idcode() const {
  const size_t words = configuration.size() / 4;
  size_t i = 0;
  while (i < words && word_at(configuration, i) != kSyncWord) ++i;
  for (++i; i < words;) {
    const uint32_t header = word_at(configuration, i++);
    if (header >> 29 == 2) i += header & 0x7ffffff;
    if (header >> 29 != 1) continue;
    const uint32_t target = header >> 13 & 0x1f, count = header & 0x7ff;
    const bool writes = (header >> 27 & 3) == 2;
    if (writes && target == kFrameDataRegister) return std::nullopt;
    if (writes && target == kIdcodeRegister && count == 1 && i < words) return word_at(configuration, i);
    i += count;
  }
  return std::nullopt;
}

std::string BitFile::bin() const {
  std::string swapped(configuration.size(), '\0');
  for (size_t i = 0; i < swapped.size(); ++i) swapped[i] = configuration[i / 4 * 4 + 3 - i % 4];
  return swapped;
}

bool same_part(std::string_view bit_part, std::string_view board_part) {
  return device_and_package(bit_part) == device_and_package(board_part);
}

}  // namespace vantage::boards
