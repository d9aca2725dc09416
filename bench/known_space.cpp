#include "bench/known_space.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/json.h"
#include "bench/memory.h"
#include "bench/stopwatch.h"
#include "explore/search.h"
#include "explore/worker.h"

namespace vantage::bench {

namespace {

using explore::Measured;
using explore::Objective;
using explore::SearchOptions;

// 1,458 designs, of which each has another core.
constexpr const char* kSpace =
    R"({"parameters": {"LOG_BATCH": [0, 1], "LOG_BLOCK_IN": [3, 4, 5], "LOG_BLOCK_OUT": [3, 4, 5],
  "LOG_INP_BUFF_SIZE": [10, 12, 14], "LOG_WGT_BUFF_SIZE": [12, 14, 16], "LOG_ACC_BUFF_SIZE": [11, 13, 15],
  "LOG_BUS_WIDTH": [6, 7, 8]}})";
constexpr uint64_t kSeeds = 20;

struct Area {
  double luts, block_rams;
};
Area area(const explore::Design& design) {
  const auto resources = explore::area_of(design.config);
  return {static_cast<double>(resources.luts), static_cast<double>(resources.block_rams)};
}

// What lies ahead of two values of each design, in logarithms, below the worst ones.
double hypervolume(std::vector<std::vector<double>> values, const std::vector<double>& worst) {
  std::ranges::sort(values);
  double volume = 0, second = std::log(worst[1]);
  for (const auto& value : values) {
    if (std::log(value[1]) >= second) continue;
    volume += (std::log(worst[0]) - std::log(value[0])) * (second - std::log(value[1]));
    second = std::log(value[1]);
  }
  return volume;
}

// Whether some designs, by their values, are as good as is asked for.
using IsGood = std::function<bool(const std::vector<std::vector<double>>&)>;

struct KnownSpace {
  explore::Space space = explore::Space::parse(kSpace, "space", VANTAGE_CONFIGS);
  std::vector<explore::Workload> workloads = {explore::find_workload("gemm:64x256x256")};
  explore::Database database;
  explore::SweepOptions options = {.version = "bench",
                                   .engine = explore::worker_processes({2, {VANTAGE_CLI, "worker"}})};

  // All designs, by their values, as the sweep has them.
  std::map<uint64_t, std::vector<double>> all(const std::vector<Objective>& minimize) {
    std::map<uint64_t, std::vector<double>> values;
    for (uint64_t number = 0; number < space.size(); ++number) {
      const auto design = space.at(number).design;
      if (!design) continue;
      const auto rows = database.query("SELECT cycles FROM results WHERE design = ?", {database.add(*design).design});
      const explore::Spent spent{.cycles = rows.at(0).at(0).get<double>()};
      for (const Objective& objective : minimize) values[number].push_back(objective.value(*design, spent));
    }
    return values;
  }

  // How many designs had been chosen when they were good: the median of the seeds.
  double median(const std::vector<Objective>& minimize, SearchOptions::Method method, const IsGood& is_good,
                const std::map<uint64_t, std::vector<double>>& expected) {
    std::vector<uint64_t> counts;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const explore::SearchResult found = explore::search(space, workloads, minimize, database, options,
                                                          {.method = method, .designs = space.size(), .seed = seed});
      std::vector<std::vector<double>> values;
      uint64_t count = 0;
      for (size_t i = 0; i < found.measured.size(); ++i) {
        if (found.measured[i].values != expected.at(found.measured[i].number))
          fail("a search has another value of point {} than the sweep", found.measured[i].number);
        values.push_back(found.measured[i].values);
        if (count == 0 && is_good(values)) count = found.after[i];
      }
      if (count == 0) fail("a search of seed {} has not found the best designs, and ended", seed);
      counts.push_back(count);
    }
    std::ranges::sort(counts);
    return 0.5 * static_cast<double>(counts[kSeeds / 2 - 1] + counts[kSeeds / 2]);
  }

  Target compare(const char* what, const std::vector<Objective>& minimize, const IsGood& is_good,
                 const std::map<uint64_t, std::vector<double>>& expected) {
    const auto start = Clock::now();
    const double evolved = median(minimize, SearchOptions::Method::kEvolve, is_good, expected);
    const double between = seconds_since(start);
    const double drawn = median(minimize, SearchOptions::Method::kRandom, is_good, expected);
    std::printf("%s: %.1f designs, and %.1f at random (%.1f s, %.1f s)\n", what, evolved, drawn, between,
                seconds_since(start) - between);
    return {what, drawn / evolved, 5, true, "x"};
  }
};

}  // namespace

std::vector<Target> search_targets(const std::filesystem::path& folder) {
  KnownSpace known{.database = explore::Database(folder / "known.sqlite")};
  const auto start = Clock::now();
  const double before = resident_mb();
  const uint64_t programs = explore::sweep(known.space, known.workloads, known.database, known.options).evaluated;
  const double more = resident_mb() - before;
  std::printf("the known space: %llu programs, %.2f s, of %.0f MB of memory %.1f more than before\n",
              static_cast<unsigned long long>(programs), seconds_since(start), before + more, more);
  std::vector<Target> targets;
  // A few are SQLite's pages, whatever there is in the database.
  targets.push_back({"memory that a sweep of 1,458 designs adds", more, 8, false, "MB"});
  const auto best_of = [&](const char* what, const Objective& objective) {
    const auto all = known.all({objective});
    std::vector<double> values;
    for (const auto& [number, value] : all) values.push_back(value[0]);
    std::ranges::sort(values);
    const double good = values[values.size() / 100 - 1];
    const IsGood is_good = [&](const auto& found) { return found.back()[0] <= good; };
    targets.push_back(known.compare(what, {objective}, is_good, all));
  };
  best_of("fewer designs to the best 1 % by cycles times LUTs",
          {"product", "", [](const auto& design, const auto& spent) { return spent.cycles * area(design).luts; }});
  best_of(
      "fewer designs to the best 1 % by cycles times block RAMs",
      {"product", "", [](const auto& design, const auto& spent) { return spent.cycles * area(design).block_rams; }});
  {
    const std::vector<Objective> minimize = {explore::find_objective("cycles"), explore::find_objective("luts")};
    const auto all = known.all(minimize);
    std::vector<std::vector<double>> values;
    std::vector<double> worst = {0, 0};
    for (const auto& [number, value] : all) {
      values.push_back(value);
      for (size_t i = 0; i < 2; ++i) worst[i] = std::max(worst[i], value[i]);
    }
    const double whole = hypervolume(values, worst);
    const IsGood is_good = [&](const auto& found) { return hypervolume(found, worst) >= 0.99 * whole; };
    targets.push_back(known.compare("fewer designs to 99 % of the front of cycles and LUTs", minimize, is_good, all));
  }
  return targets;
}

}  // namespace vantage::bench
