// Searches that choose what they measure: the front of what is small enough to know it, the same for a seed whatever
// happens, and nothing that grows with the space.
#include <sys/resource.h>

#include <cmath>
#include <set>

#include "base/json.h"
#include "explore/correction.h"
#include "explore/evolution.h"
#include "explore/explore.h"
#include "explore/search.h"
#include "explore/worker.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::explore_evolve_test {

using namespace vantage;
using explore::Database;
using explore::Genome;
using explore::Objective;
using explore::SearchOptions;
using explore::SearchResult;
using explore::Space;

namespace {

// Conditions, constraints, and points that are written out.
constexpr const char* kSpace = R"({"parameters": {"LOG_BLOCK_IN": [3, 4], "LOG_BLOCK_OUT": [3, 4],
  "LOG_BATCH": {"values": [0, 1], "when": "BLOCK_IN > 8"}, "LOG_ACC_BUFF_SIZE": [11, 13]},
  "constraints": ["MACS <= 256"],
  "points": [{"LOG_INP_BUFF_SIZE": 10}, {"LOG_BUS_WIDTH": 7, "memory": "m1"}]})";

// 96,000,000,000 points.
constexpr const char* kVast = R"({"parameters": {"LOG_BATCH": {"from": 0, "to": 4},
  "LOG_BLOCK_IN": {"from": 2, "to": 6}, "LOG_BLOCK_OUT": {"from": 2, "to": 6},
  "LOG_UOP_BUFF_SIZE": {"from": 5, "to": 20}, "LOG_INP_BUFF_SIZE": {"from": 5, "to": 24},
  "LOG_WGT_BUFF_SIZE": {"from": 5, "to": 24}, "LOG_ACC_BUFF_SIZE": {"from": 5, "to": 24},
  "LOG_BUS_WIDTH": {"from": 6, "to": 9}, "CLOCK_MHZ": {"from": 1, "to": 500}, "memory": ["m1", "m64", "narrow"])";

Space space(const std::string& text = kSpace) {
  return Space::parse(text, "space.json", test::source_dir() / "configs");
}

std::vector<explore::Workload> workloads() {
  return {explore::find_workload("gemm:8x32x32")};
}

std::vector<Objective> minimize(const std::vector<std::string>& names) {
  std::vector<Objective> all;
  for (const std::string& name : names) all.push_back(explore::find_objective(name));
  return all;
}

explore::SweepOptions options(size_t jobs = 2) {
  static const auto kModel = energy::EnergyModel::load(test::source_dir() / "configs" / "energy" / "45nm.json");
  const std::vector<std::vector<std::string>> workers(jobs, {test::cli_path(), "worker"});
  return {.version = "test", .engine = explore::worker_processes(workers), .energy = &kModel};
}

SearchResult find(const Space& of, Database& database, const std::vector<std::string>& names, const SearchOptions& how,
                  const explore::SweepOptions& by = options()) {
  return explore::search(of, workloads(), minimize(names), database, by, how);
}

template <typename Designs>
std::set<uint64_t> front_of(const Designs& measured) {
  std::set<uint64_t> front;
  for (const explore::Measured& m : measured) {
    if (m.on_front) front.insert(m.number);
  }
  return front;
}

std::vector<std::pair<uint64_t, std::vector<double>>> choices(const SearchResult& result) {
  std::vector<std::pair<uint64_t, std::vector<double>>> all;
  for (const auto& m : result.measured) all.emplace_back(m.number, m.values);
  return all;
}

}  // namespace

TEST_CASE("with designs enough a search ends with the front, and its values are those of a sweep", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  for (const std::vector<std::string>& names : {std::vector<std::string>{"cycles", "scratchpad_bytes"}, {"edp"}}) {
    INFO(Json(names).dump());
    const SearchResult found = find(space(), database, names, {});
    const auto exact = explore::explore(space(), workloads(), minimize(names), database, options());
    CHECK(found.is_exhausted);
    CHECK(front_of(found.measured) == front_of(exact.measured));
    CHECK(found.chosen == found.measured.size() + found.ruled_out);
    CHECK(found.after.size() == found.measured.size());
    REQUIRE(found.rejections.size() == 1);
    CHECK(found.rejections[0].first.reason == "MACS <= 256");
    CHECK(found.rejections[0].second == 2);
  }
  const SearchResult all = find(space(), database, {"cycles"}, {.method = SearchOptions::Method::kRandom});
  CHECK(all.is_exhausted);
  REQUIRE(all.measured.size() == 12);
  CHECK(all.chosen == 12);
  explore::sweep(space(), workloads(), database, options());
  for (const auto& m : all.measured) {
    const auto rows = database.query("SELECT SUM(cycles) FROM results WHERE design = ?",
                                     {database.add(*space().at(m.number).design).design});
    CHECK(rows[0][0].get<double>() == m.values[0]);
  }
}

TEST_CASE("a search does the same for a seed, however many jobs there are and whatever is known", "[unit]") {
  const test::TemporaryFolder folder;
  const std::vector<std::string> names = {"cycles", "luts"};
  const Space vast = space(std::string(kVast) + R"(}, "constraints": ["MACS <= 256", "UOP_BYTES <= 4096"]})");
  CHECK(vast.size() == 96'000'000'000);
  Database first(folder.path() / "first.sqlite"), second(folder.path() / "second.sqlite");
  const SearchOptions how = {.designs = 6, .seed = 3};
  const SearchResult alone = find(vast, first, names, how, options(1));
  CHECK(alone.chosen == 6);
  CHECK(!alone.is_exhausted);
  // Stopped when something is known; the same goes on.
  std::stop_source stop;
  explore::SweepOptions until = options(3);
  until.stop = stop.get_token();
  until.progress = [&](uint64_t, uint64_t, uint64_t programs) {
    if (programs >= 2) stop.request_stop();
  };
  const SearchResult stopped = find(vast, second, names, how, until);
  CHECK(stopped.stopped);
  CHECK(stopped.programs > 0);
  const SearchResult rest = find(vast, second, names, how, options(3));
  CHECK(choices(rest) == choices(alone));
  CHECK(rest.after == alone.after);
  CHECK(rest.programs + stopped.programs == alone.programs);
  CHECK(choices(find(vast, second, names, {.designs = 3, .seed = 4}, options(1))) != choices(alone));
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  CHECK(used.ru_maxrss < 2'000'000);  // kB, with all that sanitizers keep
}

TEST_CASE("samples are searched, and spaces without a design say so", "[unit]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  const std::string begin = R"({"parameters": {"LOG_BLOCK_IN": [3, 4], "LOG_BLOCK_OUT": [3, 4], "LOG_BATCH": [0, 1],
    "LOG_ACC_BUFF_SIZE": [11, 13]}, "constraints": ["MACS <= 256"], "sample": {"method": ")";
  for (const std::string method : {"random", "latin-hypercube"}) {
    const Space sample = space(begin + method + R"(", "count": 5, "seed": 2}})");
    const auto exact = explore::explore(sample, workloads(), minimize({"cycles", "luts"}), database, options());
    const SearchResult found = find(sample, database, {"cycles", "luts"}, {});
    CHECK(found.is_exhausted);
    CHECK(front_of(found.measured) == front_of(exact.measured));
  }
  for (const auto method : {SearchOptions::Method::kEvolve, SearchOptions::Method::kRandom}) {
    CHECK_THAT(
        ERROR_OF(find(space(R"({"points": [{"LOG_ACC_BUFF_SIZE": 20}, {"LOG_ACC_BUFF_SIZE": 19}]})"), database,
                      {"cycles"}, {.method = method})),
        ContainsSubstring("the space has no design: 2 of 2 points are none, such as: a point: a micro-op needs 1"));
    const auto fit = [&] {
      return explore::search(space(R"({"points": [{"LOG_INP_BUFF_SIZE": 6}]})"), {explore::find_workload("conv:C2")},
                             minimize({"cycles"}), database, options(), {.method = method});
    };
    CHECK_THAT(ERROR_OF(fit()), ContainsSubstring("have no room for a layer"));
  }
}

TEST_CASE("a vast space without a design is given up", "[slow]") {
  const test::TemporaryFolder folder;
  Database database(folder.path() / "d.sqlite");
  CHECK_THAT(ERROR_OF(find(space(std::string(kVast) + R"(}, "constraints": ["MACS < 1"]})"), database, {"cycles"}, {})),
             ContainsSubstring("among those that were looked at: 100000 of 100000 points do not hold with 'MACS < 1'"));
}

TEST_CASE("points and the places of their values are one another's", "[unit]") {
  for (const char* text : {kSpace, R"({"points": [{}, {"memory": "m1"}]})",
                           R"({"points": [{}], "parameters": {"LOG_BATCH": [0, 1, 2], "CLOCK_MHZ": [50, 100]},
            "sample": {"method": "random", "count": 4}})"}) {
    const Space all = space(text);
    for (uint64_t number = 0; number < all.size(); ++number) {
      const auto point = all.at(number);
      const std::vector<uint64_t> places = all.places_of(number);
      REQUIRE(places.size() == all.sizes().size());
      for (size_t i = 0; i < places.size(); ++i) CHECK(places[i] < all.sizes()[i]);
      const uint64_t again = all.number_of(places);
      if (point.design || point.rejection) {
        CHECK(again == number);
      } else {
        CHECK(all.at(again).design.has_value());  // the same, where a condition does not hold
      }
    }
  }
}

TEST_CASE("evolution finds what is small, and does the same for a seed", "[unit]") {
  const std::vector<uint64_t> sizes = {1000, 1, 1000, 4};
  const std::vector<Genome> start = {{0, 0, 0, 0}, {999, 0, 999, 3}, {500, 0, 500, 1}};
  size_t calls = 0;
  const auto from = [](uint64_t value, double to) { return std::abs(static_cast<double>(value) - to); };
  const explore::Fitness one = [&](const Genome& g) {
    ++calls;
    CHECK(g[1] == 0);
    return std::vector<double>{from(g[0], 300) + from(g[2], 700) + 100 * from(g[3], 2)};
  };
  const explore::Fitness two = [&](const Genome& g) {
    const double off = from(g[2], 700) + 100 * from(g[3], 2);
    return std::vector<double>{from(g[0], 300) + off, from(g[0], 600) + off};
  };
  const auto least = [](const std::vector<Genome>& genomes, const explore::Fitness& fitness) {
    double value = 1e9;
    for (const Genome& genome : genomes) value = std::min(value, fitness(genome)[0]);
    return value;
  };
  const explore::EvolutionOptions long_enough = {.generations = 200, .seed = 7};
  CHECK(least(explore::evolve(sizes, start, one, long_enough), one) < 100);
  CHECK(calls < 8 * 202 + 20);
  const auto found = explore::evolve(sizes, start, two, long_enough);
  CHECK(least(found, two) < 300);
  CHECK(found == explore::evolve(sizes, start, two, long_enough));
  CHECK(explore::evolve({1, 1, 1, 1}, {{0, 0, 0, 0}}, two, {}).size() == 1);

  CHECK(explore::select_best({{3}, {1}, {2}}, 2) == std::vector<size_t>{1, 2});
  const auto best = explore::select_best({{1, 5}, {2, 6}, {5, 1}, {9, 9}}, 2);
  CHECK(std::set<size_t>(best.begin(), best.end()) == std::set<size_t>{0, 2});
}

TEST_CASE("a correction has what it was told, and something between elsewhere", "[unit]") {
  explore::Correction correction;
  const Space some = space(R"({"parameters": {"LOG_ACC_BUFF_SIZE": [11, 13, 17]}})");
  const auto design = [&](uint64_t number) { return *some.at(number).design; };
  CHECK(correction.expected(design(0), {100, 10}).cycles == 100);
  correction.learn(design(0), {100, 10}, {400, 20});
  correction.learn(design(2), {100, 0}, {100, 0});
  CHECK(std::abs(correction.expected(design(0), {200, 10}).cycles - 800.0) < 0.01 * 800.0);
  CHECK(std::abs(correction.expected(design(0), {200, 10}).pj - 20.0) < 0.01 * 20.0);
  const double between = correction.expected(design(1), {100, 10}).cycles;
  CHECK(between > 250);
  CHECK(between < 400);
}

}  // namespace vantage::test::explore_evolve_test
