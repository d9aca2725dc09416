// Random steps on a schedule.
#pragma once

#include <map>
#include <random>
#include <string>

#include "compiler/schedule/schedule.h"

namespace vantage::test {

// How often each primitive was legal, and refused.
struct Tally {
  std::map<std::string, int> done, refused;
};

// Tries one random primitive on random blocks and loops. Returns its name when it was legal, else nothing.
std::string random_step(schedule::Schedule& s, std::mt19937_64& random, Tally& tally);

}  // namespace vantage::test
