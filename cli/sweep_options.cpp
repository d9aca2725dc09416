#include "cli/sweep_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "base/error.h"
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
  app.add_option(
         "--engine", engine,
         "where programs are run: on this machine (local), or on servers (`vantage serve`), separated by commas: "
         "rpc://HOST:PORT,rpc://HOST:PORT")
      ->type_name("local|URIS")
      ->check(not_empty())
      ->capture_default_str();
  app.add_option("--jobs", jobs, "programs that are run at a time, on each server; 0: as many as there are cores")
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
  const size_t each = jobs > 0 ? static_cast<size_t>(jobs) : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::vector<std::string>> kinds;
  if (engine == "local") {
    kinds.push_back({"/proc/self/exe", "worker"});
  } else {
    for (const std::string& uri : CLI::detail::split(engine, ',')) {
      if (!uri.starts_with("rpc://") && !uri.starts_with("rpcs://")) {
        fail("--engine: '{}' is none; expected local, or servers as rpc://HOST:PORT", uri);
      }
      const bool names_device = uri.find('/', uri.find("//") + 2) != std::string::npos;
      kinds.push_back({"/proc/self/exe", "worker", "--target", names_device ? uri : uri + "/systemc"});
    }
  }
  for (const std::vector<std::string>& kind : kinds) options.workers.insert(options.workers.end(), each, kind);
  return options;
}

explore::SweepResult SweepArguments::run(const explore::Space& space, const std::vector<explore::Workload>& all,
                                         explore::Database& database) const {
  return run_on(all, space, [&](const std::vector<explore::Workload>&, const explore::SweepOptions& options) {
    return explore::sweep(space, all, database, options);
  });
}

explore::SweepResult SweepArguments::run(const explore::Space& space, explore::Database& database) const {
  return run(space, [&](const std::vector<explore::Workload>& all, const explore::SweepOptions& options) {
    return explore::sweep(space, all, database, options);
  });
}

int status_of(const explore::SweepResult& result) {
  if (result.failed > 0) {
    print_error("error: {} of {} programs could not be run; the first says: {}\n", result.failed, result.evaluated,
                result.failure);
  }
  if (result.stopped) return tell_stopped();
  return result.failed == 0 ? 0 : 1;
}

int tell_stopped() {
  print_error("stopped; what was done is recorded, and the same command goes on\n");
  return 130;
}

}  // namespace vantage::cli
