#include "tests/support/effort.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace vantage::test {

namespace {

constexpr uint64_t kMostEffort = 10'000;

uint64_t effort() {
  const char* text = std::getenv("VANTAGE_TEST_EFFORT");
  if (text == nullptr) return 1;
  uint64_t result = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, result);
  if (error != std::errc() || rest != end || result < 1 || result > kMostEffort) {
    fail("VANTAGE_TEST_EFFORT is '{}', expected a number from 1 to {}", text, kMostEffort);
  }
  return result;
}

}  // namespace

int rounds(int count) {
  const uint64_t result = seeds(static_cast<uint64_t>(count));
  if (result > static_cast<uint64_t>(std::numeric_limits<int>::max())) {
    fail("VANTAGE_TEST_EFFORT makes {} rounds of {}, more than can be counted; give less", result, count);
  }
  return static_cast<int>(result);
}

uint64_t seeds(uint64_t count) {
  return count * effort();
}

}  // namespace vantage::test
