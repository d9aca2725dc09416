// How many cases a random test draws. In CI it draws few, so that every change can wait for them; with
// VANTAGE_TEST_EFFORT=N in the environment it draws N times as many, for a night.
#pragma once

#include <cstdint>

namespace vantage::test {

// `count` in CI, N times as many by VANTAGE_TEST_EFFORT=N. Both throw Error when N is no number from 1 to 10,000;
// rounds() also when the product is no int.
int rounds(int count);
// The same for seeds, of which there may be more.
uint64_t seeds(uint64_t count);

}  // namespace vantage::test
