// Schedules for the threads of a GPU.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/ir/prim_func.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"

namespace vantage::test {

// Steps as people take them for a GPU, of random sizes and at random places: the loops of a block go to blocks and
// threads, what it reads and makes to shared and local memory, and threads fetch together, several elements at a time
// and some iterations ahead. Those that are refused are left out.
void take_random_threads(schedule::Schedule& s, std::mt19937_64& random);

// A random function, what a random schedule for threads has become of it, and what it makes of random arrays.
struct ThreadedCase {
  ir::PrimFunc original, lowered;
  std::vector<Tensor> arrays, expected;
};

// Draws one named `name`; none where its schedule means nothing on a GPU. Requires that every pass leaves what holds by
// the IR's rules, that its text is read back as it was, and that interpreted thread by thread it computes what it
// should without a race.
std::optional<ThreadedCase> random_threaded_case(std::mt19937_64& random, const std::string& name);

}  // namespace vantage::test
