// What a page's script does with packed data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vantage::test {

// The bytes behind base64 and gzip.
std::string unpacked(const std::string& text);
// Those of a report::Column.
std::vector<int64_t> numbers(const std::string& text);

}  // namespace vantage::test
