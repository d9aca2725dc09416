// How long random tests go on: in CI as long as shows a mistake in what a change touched, by VANTAGE_TEST_EFFORT=N N
// times as long, for a night.
#pragma once

#include <cstdint>

namespace vantage::test {

// `count` rounds in CI, N times as many by VANTAGE_TEST_EFFORT=N. Throws Error when N is no number from 1 to 10,000.
int rounds(int count);
// The same as a count of seeds.
uint64_t seeds(int count);

}  // namespace vantage::test
