// What explore/evolution.h does, in a library of its own: libpagmo makes 14 MB of tables wherever it is loaded, which
// takes longer than all else that a command does before it begins.
#pragma once

#include "explore/evolution.h"

namespace vantage::explore {

// Functions as in evolution.h.
struct EvolutionByPagmo {
  std::vector<Genome> (*evolve)(const std::vector<uint64_t>& sizes, std::vector<Genome> start, const Fitness& fitness,
                                const EvolutionOptions& options);
  std::vector<size_t> (*select_best)(const std::vector<std::vector<double>>& values, size_t count);
};

}  // namespace vantage::explore

// The library's one symbol.
extern "C" const vantage::explore::EvolutionByPagmo vantage_evolution_by_pagmo;
