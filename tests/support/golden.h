// Text that a person would read, compared with a file in tests/data/golden.
#pragma once

#include <string>
#include <string_view>

namespace vantage::test {

// Empty when `text` equals the golden file, else the first line that differs. With VANTAGE_UPDATE_GOLDEN=1 in the
// environment the file is written instead.
std::string compare_golden(std::string_view name, std::string_view text);
// Whether that is so.
bool updates_goldens();

}  // namespace vantage::test
