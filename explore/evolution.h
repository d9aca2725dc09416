// Evolution of lists of whole numbers, by pagmo: NSGA-II where several things are to be small (Deb et al. 2002), a
// genetic algorithm with elites where one is.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace vantage::explore {

using Genome = std::vector<uint64_t>;

struct EvolutionOptions {
  unsigned generations = 15;
  unsigned seed = 1;  // the same one does the same
};

// What is to be small: finite numbers, always as many.
using Fitness = std::function<std::vector<double>(const Genome&)>;

// The last generation, of as many as `start` has, rounded up to a multiple of four by taking some twice. `sizes` has
// the ends of the numbers. REQUIRES: `start` has some.
std::vector<Genome> evolve(const std::vector<uint64_t>& sizes, std::vector<Genome> start, const Fitness& fitness,
                           const EvolutionOptions& options);

// The places of `count` lists of values that together stand for all best: those that are dominated least, and lie
// farthest from others.
std::vector<size_t> select_best(const std::vector<std::vector<double>>& values, size_t count);

}  // namespace vantage::explore
