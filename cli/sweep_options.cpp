#include "cli/sweep_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/version.h"

namespace vantage::cli {

void SweepArguments::add_to(CLI::App& app) {
  app.add_option("--workloads", workloads,
                 "what designs run, separated by commas: networks with sizes (resnet18, bert_base:sequence=64), "
                 "FILE.onnx, convolutions of ResNet-18 (conv:C2), products (gemm:256x256x256: rows, depth, columns)")
      ->type_name("NAMES")
      ->delimiter(',')
      ->check(not_empty())
      ->capture_default_str();
  app.add_option("--jobs", jobs, "programs that are run at a time; 0: as many as there are cores")
      ->check(whole_number(0, 1024))
      ->capture_default_str();
  app.add_option("--search", effort, "how long to look for a mapping: quick (0.1 s) or thorough (5 s)")
      ->type_name("EFFORT")
      ->check(one_of({"quick", "thorough"}))
      ->capture_default_str();
  app.add_option("--seed", seed, "seed of random weights and inputs")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
}

explore::Method SweepArguments::method() const {
  return {full_version(), effort};
}

std::vector<explore::Workload> SweepArguments::find_workloads() const {
  std::vector<explore::Workload> all;
  for (const std::string& name : workloads) {
    all.push_back(explore::find_workload(name, {.seed = seed, .progress = build_progress()}));
  }
  return all;
}

explore::SweepOptions SweepArguments::sweep_options() const {
  explore::SweepOptions options;
  options.version = full_version();
  options.evaluate.effort = effort == "quick" ? ops::SearchEffort::kQuick : ops::SearchEffort::kThorough;
  options.jobs = jobs > 0 ? jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.worker = {"/proc/self/exe", "worker"};
  return options;
}

explore::SweepResult SweepArguments::run(const explore::Space& space, explore::Database& database) const {
  return run(space, [&](const std::vector<explore::Workload>& all, const explore::SweepOptions& options) {
    return explore::sweep(space, all, database, options);
  });
}

int tell_stopped() {
  print_error("stopped; what was done is recorded, and the same command goes on\n");
  return 130;
}

}  // namespace vantage::cli
