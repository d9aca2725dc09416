// The fingerprint that files are told apart by.
#pragma once

#include <string>
#include <string_view>

namespace vantage {

// SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace vantage
