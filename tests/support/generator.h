// What a random test draws from.
#pragma once

#include <cstdint>
#include <random>

#include "tests/catch.h"

namespace vantage::test {

// Another sequence for each `own`, and for each --rng-seed. That of CI, 1, and none are the same, under which a test
// draws by its own number alone.
inline std::mt19937_64 generator(uint64_t own) {
  constexpr uint64_t kApart = 0x9e3779b97f4a7c15;
  const uint64_t seed = Catch::rngSeed();
  return std::mt19937_64(own + (seed <= 1 ? 0 : seed * kApart));
}

}  // namespace vantage::test
