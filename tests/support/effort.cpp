#include "tests/support/effort.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace vantage::test {

int rounds(int count) {
  const char* text = std::getenv("VANTAGE_TEST_EFFORT");
  if (text == nullptr) return count;
  int effort = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, effort);
  if (error != std::errc() || rest != end || effort < 1 || effort > 10'000) {
    fail("VANTAGE_TEST_EFFORT is '{}', expected a number from 1 to 10000", text);
  }
  return count * effort;
}

uint64_t seeds(int count) {
  return static_cast<uint64_t>(rounds(count));
}

}  // namespace vantage::test
