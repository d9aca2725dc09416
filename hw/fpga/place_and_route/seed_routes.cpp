#include "hw/fpga/place_and_route/seed_routes.h"

#include <fmt/format.h>

#include <mutex>

#include "base/parallel.h"

namespace vantage::fpga {

std::vector<Route> route_seeds(const std::vector<uint64_t>& seeds, const SeedStore& store,
                               const std::function<void(const std::string&)>& tell,
                               const std::function<Route(uint64_t seed)>& route_of) {
  std::vector<Route> routes(seeds.size());
  std::vector<size_t> open;
  for (size_t i = 0; i < seeds.size(); ++i) {
    if (const auto known = store.find ? store.find(seeds[i]) : std::nullopt) {
      routes[i] = *known;
    } else {
      open.push_back(i);
    }
  }
  if (open.empty()) return routes;
  tell(fmt::format("placing and routing with {} of {} seeds (up to half an hour each)", open.size(), seeds.size()));

  std::mutex mutex;  // of all that the threads share
  size_t ended = 0;
  in_parallel(open.size(), 0, [&](size_t number) {
    const size_t i = open[number];
    const Route route = route_of(seeds[i]);
    const std::lock_guard lock(mutex);
    routes[i] = route;
    if (store.keep) store.keep(route);
    ++ended;
    tell(fmt::format("{:.1f} MHz with seed {}, {} to go", route.max_mhz, seeds[i], open.size() - ended));
  });
  return routes;
}

}  // namespace vantage::fpga
