// How fast designs are looked at: bounds by the million, programs that are searched for and run, whole networks; what a
// sweep adds to that, and what a second core gives. Results are checked first: of every design of the first sweep the
// cycles are those of its program alone.
#include <cstdio>
#include <optional>

#include "base/error.h"
#include "base/json.h"
#include "base/temporary.h"
#include "bench/known_space.h"
#include "bench/stopwatch.h"
#include "bench/targets.h"
#include "explore/bounds.h"
#include "explore/sweep.h"
#include "explore/worker.h"

namespace vantage::bench {
namespace {

using explore::Database;
using explore::Space;
using explore::Workload;

Space space(const char* text) {
  return Space::parse(text, "space", VANTAGE_CONFIGS);
}

// Designs that differ in all of what cycles depend on.
constexpr const char* kMany =
    R"({"parameters": {"LOG_BATCH": {"from": 0, "to": 3}, "LOG_BLOCK_IN": {"from": 2, "to": 6},
  "LOG_BLOCK_OUT": {"from": 2, "to": 6}, "LOG_INP_BUFF_SIZE": {"from": 10, "to": 16},
  "LOG_WGT_BUFF_SIZE": {"from": 13, "to": 19}, "LOG_ACC_BUFF_SIZE": {"from": 12, "to": 18},
  "LOG_BUS_WIDTH": {"from": 6, "to": 9}, "memory": ["m1", "m64", "narrow"]}})";

constexpr const char* kSome = R"({"parameters": {"LOG_BLOCK_IN": [4, 5], "LOG_BLOCK_OUT": [4, 5],
  "LOG_INP_BUFF_SIZE": [13, 14, 15], "LOG_WGT_BUFF_SIZE": [15, 16, 17], "LOG_ACC_BUFF_SIZE": [14, 15, 16],
  "LOG_BUS_WIDTH": [6, 7]}, "sample": {"method": "random", "count": 120, "seed": 1}})";

constexpr const char* kFew = R"({"parameters": {"LOG_BLOCK_IN": [3, 4, 5], "LOG_BLOCK_OUT": [3, 4, 5],
  "LOG_INP_BUFF_SIZE": [13, 14, 15], "LOG_WGT_BUFF_SIZE": [15, 16, 17], "LOG_ACC_BUFF_SIZE": [14, 15, 16],
  "LOG_BUS_WIDTH": [6, 7]}, "sample": {"method": "random", "count": 24, "seed": 1}})";

struct Run {
  explore::SweepResult result;
  double seconds = 0;
};

Run sweep(const char* text, const std::vector<Workload>& workloads, Database& database, int jobs) {
  const Space all = space(text);
  const std::vector<std::vector<std::string>> workers(static_cast<size_t>(jobs), {VANTAGE_CLI, "worker"});
  const explore::SweepOptions options{.version = "bench", .engine = explore::worker_processes(workers)};
  const auto start = Clock::now();
  explore::SweepResult result = explore::sweep(all, workloads, database, options);
  return {std::move(result), seconds_since(start)};
}

void check(Database& database) {
  const auto rows = database.query(
      "SELECT d.config, d.memory, t.task, r.cycles FROM layer_results r JOIN designs d ON d.id = r.design JOIN tasks t "
      "ON "
      "t.id = r.task LIMIT 10");
  for (const auto& row : rows) {
    const Json design = {{"config", parse_json(row[0].get<std::string>(), "config")},
                         {"memory", parse_json(row[1].get<std::string>(), "memory")}};
    const auto alone = explore::evaluate(ops::parse_task(parse_json(row[2].get<std::string>(), "task"), "task"),
                                         explore::parse_design(design, "design"));
    if (row[3] != alone.cycles) fail("a sweep has {} cycles where a program takes {}", row[3].dump(), alone.cycles);
  }
}

int run() {
  std::vector<Target> targets;
  const TemporaryDirectory folder;
  const Workload resnet = explore::find_workload("resnet18");
  {
    const Space all = space(kMany);
    const std::vector<Workload> workloads = {resnet};
    explore::Bounds bounds(workloads);
    uint64_t pairs = 0, designs = 0;
    // What is made once for all of them is made before.
    for (uint64_t n = 0; n < all.size(); n += 7) {
      const auto design = all.at(n).design;
      if (design) bounds.of(*design);
    }
    constexpr uint64_t kPoints = 300'000;
    const auto start = Clock::now();
    for (uint64_t n = 0; n < kPoints; ++n) {
      const auto design = all.at(n * (all.size() / kPoints)).design;
      if (!design) continue;
      pairs += bounds.of(*design).layers.size();
      ++designs;
    }
    const double seconds = seconds_since(start);
    std::printf("%llu of %llu points are designs; their bounds took %.2f s\n", static_cast<unsigned long long>(designs),
                static_cast<unsigned long long>(kPoints), seconds);
    targets.push_back({"bounds: configuration and layer", 1e-6 * static_cast<double>(pairs) / seconds, 1, true, "M/s"});
  }
  {
    const std::vector<Workload> gemm = {explore::find_workload("gemm:256x256x256")};
    Database one(folder.path() / "one.sqlite"), two(folder.path() / "two.sqlite");
    const Run alone = sweep(kSome, gemm, one, 1), both = sweep(kSome, gemm, two, 2);
    check(two);
    const auto points = static_cast<double>(both.result.evaluated);
    std::printf("%.0f designs of a product of 256: %.2f s with a job, %.2f s with two\n", points, alone.seconds,
                both.seconds);
    targets.push_back(
        {"products of 256, searched, compiled and run, two cores", 60 * points / both.seconds, 1000, true, "a minute"});
    targets.push_back({"two jobs instead of one", alone.seconds / both.seconds, 1.8, true, "x"});
    const Run again = sweep(kSome, gemm, two, 2);
    targets.push_back({"a sweep's own time for a point",
                       1e3 * again.seconds / static_cast<double>(again.result.designs), 5, false, "ms"});
  }
  {
    Database database(folder.path() / "resnet.sqlite");
    const Run whole = sweep(kFew, {resnet}, database, 2);
    check(database);
    std::printf("%llu designs with ResNet-18: %llu programs, %.2f s\n",
                static_cast<unsigned long long>(whole.result.designs),
                static_cast<unsigned long long>(whole.result.evaluated), whole.seconds);
    targets.push_back({"ResNet-18 on configurations never seen, two cores",
                       60 * static_cast<double>(whole.result.designs) / whole.seconds, 60, true, "a minute"});
  }
  for (const Target& target : search_targets(folder.path())) targets.push_back(target);
  return report(targets);
}

}  // namespace
}  // namespace vantage::bench

int main() {
  return vantage::bench::guarded(vantage::bench::run);
}
