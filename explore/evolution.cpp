#include "explore/evolution.h"

#include <dlfcn.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/installation.h"
#include "explore/evolution_by_pagmo.h"

namespace vantage::explore {

namespace {

const EvolutionByPagmo& by_pagmo() {
  static const EvolutionByPagmo& functions = []() -> const EvolutionByPagmo& {
    const std::string path = installed_helper("vantage-evolution.so");
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const symbol = library == nullptr ? nullptr : ::dlsym(library, "vantage_evolution_by_pagmo");
    if (symbol == nullptr) fail("{}; install libpagmo8, or the tool as a whole", ::dlerror());
    return *static_cast<const EvolutionByPagmo*>(symbol);
  }();
  return functions;
}

}  // namespace

std::vector<Genome> evolve(const std::vector<uint64_t>& sizes, std::vector<Genome> start, const Fitness& fitness,
                           const EvolutionOptions& options) {
  if (std::ranges::all_of(sizes, [](uint64_t size) { return size <= 1; })) return start;
  return by_pagmo().evolve(sizes, std::move(start), fitness, options);
}

std::vector<size_t> select_best(const std::vector<std::vector<double>>& values, size_t count) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (values.size() <= count) return order;
  if (values[0].size() > 1) return by_pagmo().select_best(values, count);
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i][0]; });
  order.resize(count);
  return order;
}

}  // namespace vantage::explore
