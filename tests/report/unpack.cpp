#include "tests/report/unpack.h"

#include "base/gzip.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test {

namespace {

std::string from_base64(const std::string& text) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const size_t value = std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    REQUIRE(value != std::string_view::npos);
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  return bytes;
}

}  // namespace

std::string unpacked(const std::string& text) {
  const TemporaryFolder folder;
  return read_gzip_file(folder.file("packed", from_base64(text)), Bytes(1 << 20));
}

std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> values;
  uint64_t zigzag = 0;
  int shift = 0;
  for (const char c : unpacked(text)) {
    const auto byte = static_cast<uint8_t>(c);
    zigzag |= uint64_t{byte & 127U} << shift;
    shift += 7;
    if (byte > 127) continue;
    values.push_back(static_cast<int64_t>(zigzag >> 1) ^ -static_cast<int64_t>(zigzag & 1));
    zigzag = 0;
    shift = 0;
  }
  return values;
}

}  // namespace vantage::test
