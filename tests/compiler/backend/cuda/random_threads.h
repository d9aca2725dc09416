// Schedules for the threads of a GPU.
#pragma once

#include <random>

#include "compiler/schedule/schedule.h"

namespace vantage::test {

// Steps as people take them for a GPU, of random sizes and at random places: the loops of a block go to blocks and
// threads, what it reads and makes to shared and local memory, and threads fetch together, several elements at a time.
// Those that are refused are left out.
void take_random_threads(schedule::Schedule& s, std::mt19937_64& random);

}  // namespace vantage::test
