#include "hw/fpga/place_and_route/seed_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>

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

  std::mutex mutex;  // of all that the workers share
  size_t next = 0, ended = 0;
  const auto take = [&]() -> std::optional<size_t> {
    const std::lock_guard lock(mutex);
    return next < open.size() ? std::optional(open[next++]) : std::nullopt;
  };
  const auto work = [&] {
    try {
      while (const auto i = take()) {
        const Route route = route_of(seeds[*i]);
        const std::lock_guard lock(mutex);
        routes[*i] = route;
        if (store.keep) store.keep(route);
        ++ended;
        tell(fmt::format("{:.1f} MHz with seed {}, {} to go", route.max_mhz, seeds[*i], open.size() - ended));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      next = open.size();
      throw;
    }
  };
  const size_t workers = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, open.size());
  std::vector<std::future<void>> running;
  for (size_t i = 0; i < workers; ++i) running.push_back(std::async(std::launch::async, work));
  for (std::future<void>& worker : running) worker.wait();
  for (std::future<void>& worker : running) worker.get();
  return routes;
}

}  // namespace vantage::fpga
