// How long it takes until the front of a million cores with ResNet-18 is known and proved, on two cores. The proof is
// written, read, and checked before anything is printed.
#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/json.h"
#include "base/temporary.h"
#include "bench/memory.h"
#include "bench/stopwatch.h"
#include "bench/targets.h"
#include "explore/certificate.h"
#include "explore/explore.h"
#include "explore/measurer.h"
#include "explore/worker.h"

namespace vantage::bench {
namespace {

int run() {
  const std::filesystem::path configs = VANTAGE_CONFIGS;
  const explore::Space space = explore::Space::load(configs / "spaces" / "a-million-cores.json", configs);
  const explore::Question question{space.text(), {"resnet18"}, {"cycles", "luts"}, "bench", "brief"};
  std::vector<explore::Objective> minimize;
  for (const std::string& name : question.minimize) minimize.push_back(explore::find_objective(name));
  const TemporaryDirectory folder;
  explore::Database database(folder.path() / "front.sqlite");
  const std::vector<std::vector<std::string>> workers(2, {VANTAGE_CLI, "worker"});
  const explore::SweepOptions options{
      .version = question.version, .effort = question.effort, .engine = explore::worker_processes(workers)};

  const auto start = Clock::now();
  const std::vector<explore::Workload> workloads = {explore::find_workload("resnet18")};
  explore::Certificate proof{question, explore::explore(space, workloads, minimize, database, options)};
  proof.question.inputs = explore::inputs_of(space, workloads);
  const double seconds = seconds_since(start), memory = most_resident_mb();

  const auto begin = Clock::now();
  const explore::Certificate read = explore::parse_certificate(to_json(proof, space).dump(), "the proof");
  const auto mistakes = explore::mistakes_of(read, space, workloads);
  if (!mistakes.empty()) fail("the proof does not hold: {}", mistakes[0]);
  const double checked = seconds_since(begin);

  const auto on_front = std::ranges::count_if(read.result.measured, &explore::Measured::on_front);
  std::printf(
      "%llu points, %llu designs: %zu measured, %llu programs run, %lld on the front; proof checked in %.1f s\n",
      static_cast<unsigned long long>(space.size()), static_cast<unsigned long long>(read.result.designs),
      read.result.measured.size(), static_cast<unsigned long long>(proof.result.programs),
      static_cast<long long>(on_front), checked);
  // Those without room for a layer are ruled out by that.
  uint64_t configurations = proof.result.designs;
  for (const auto& [rejection, points] : proof.result.rejections) {
    if (rejection.reason == explore::Measurer::kNoRoom) configurations += points;
  }
  return report({{"configurations, in millions", 1e-6 * static_cast<double>(configurations), 1, true, ""},
                 {"their front with ResNet-18, proved, two cores", seconds, 300, false, "s"},
                 {"memory that it takes at the most", memory, 1000, false, "MB"}});
}

}  // namespace
}  // namespace vantage::bench

int main() {
  return vantage::bench::guarded(vantage::bench::run);
}
