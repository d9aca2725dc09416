#include "explore/evolution_by_pagmo.h"

#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/sga.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/utils/multi_objective.hpp>

namespace vantage::explore {

namespace {

// What pagmo copies: it sees the genes that have a choice.
struct PagmoProblem {
  const std::vector<uint64_t>* sizes = nullptr;
  const std::vector<size_t>* genes = nullptr;
  const Fitness* of = nullptr;
  size_t objectives = 1;

  Genome genome(const pagmo::vector_double& x) const {
    Genome all(sizes->size());
    for (size_t g = 0; g < genes->size(); ++g) all[(*genes)[g]] = static_cast<uint64_t>(x[g]);
    return all;
  }
  pagmo::vector_double vector(const Genome& genome) const {
    pagmo::vector_double x;
    for (const size_t gene : *genes) x.push_back(static_cast<double>(genome[gene]));
    return x;
  }

  // Names and types that pagmo looks for.
  pagmo::vector_double fitness(const pagmo::vector_double& x) const { return (*of)(genome(x)); }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    pagmo::vector_double most;
    for (const size_t gene : *genes) most.push_back(static_cast<double>((*sizes)[gene] - 1));
    return {pagmo::vector_double(most.size(), 0.0), most};
  }
  pagmo::vector_double::size_type get_nix() const { return genes->size(); }
  pagmo::vector_double::size_type get_nobj() const { return objectives; }
};

std::vector<Genome> evolve_by_pagmo(const std::vector<uint64_t>& sizes, std::vector<Genome> start,
                                    const Fitness& fitness, const EvolutionOptions& options) {
  std::vector<size_t> genes;
  for (size_t g = 0; g < sizes.size(); ++g) {
    if (sizes[g] > 1) genes.push_back(g);
  }
  const size_t objectives = fitness(start[0]).size();
  constexpr size_t kLeast = 8;  // NSGA-II pairs parents by fours, and takes no fewer
  for (size_t i = 0; start.size() < kLeast || start.size() % 4 != 0; ++i) start.push_back(Genome(start[i]));
  const PagmoProblem problem{&sizes, &genes, &fitness, objectives};
  pagmo::population population(pagmo::problem(problem), 0, options.seed);
  for (const Genome& genome : start) population.push_back(problem.vector(genome));
  constexpr double kCrossover = 0.9, kSpread = 10, kNear = 50;
  const double mutation = 1.0 / static_cast<double>(genes.size());
  if (objectives > 1) {
    population =
        pagmo::nsga2(options.generations, kCrossover, kSpread, mutation, kNear, options.seed).evolve(population);
  } else {
    population = pagmo::sga(options.generations, kCrossover, 1, mutation, 1, 2, "binomial", "uniform", "tournament",
                            options.seed)
                     .evolve(population);
  }
  std::vector<Genome> last;
  for (const pagmo::vector_double& x : population.get_x()) last.push_back(problem.genome(x));
  return last;
}

}  // namespace

}  // namespace vantage::explore

const vantage::explore::EvolutionByPagmo vantage_evolution_by_pagmo = {&vantage::explore::evolve_by_pagmo,
                                                                       &pagmo::select_best_N_mo};
