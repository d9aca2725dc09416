// Routes of one design from several seeds: as many at once as there are cores, each kept as soon as it is made, for it
// may take half an hour.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw/fpga/place_and_route/routed_timing.h"

namespace vantage::fpga {

// Where the route of a seed is found that is known already, and where a new one goes; either may be empty. Called by
// one thread at a time.
struct SeedStore {
  std::function<std::optional<Route>(uint64_t seed)> find;
  std::function<void(const Route&)> keep;
};

// The routes of all seeds, in their order. `route_of` makes one and is called by several threads; `tell` is told of
// what is done, by one at a time. When one fails no other is begun, and its error is thrown once those that run ended.
std::vector<Route> route_seeds(const std::vector<uint64_t>& seeds, const SeedStore& store,
                               const std::function<void(const std::string&)>& tell,
                               const std::function<Route(uint64_t seed)>& route_of);

}  // namespace vantage::fpga
