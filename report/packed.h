// Numbers for a page, small: integers in as few bytes as they need, gzip, and letters that any text may hold.
//
// Thread safety: values, and functions without state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vantage::report {

// As RFC 4648 has it, padded.
std::string base64(std::string_view bytes);

// base64(gzip(bytes)): what the page's script unpacks by the browser's own DecompressionStream.
std::string packed(std::string_view bytes);

// A list of integers, of which neighbours are alike: those near zero take a byte. Each is written as zigzag (0, -1, 1,
// -2 are 0, 1, 2, 3) in base 128, the lowest seven bits first, with the eighth set where more follow.
class Column {
 public:
  void add(int64_t value);

  size_t size() const { return bytes_.size(); }  // in bytes, before gzip
  std::string packed() const { return report::packed(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace vantage::report
