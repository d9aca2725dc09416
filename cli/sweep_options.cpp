#include "cli/sweep_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <thread>

#include "base/error.h"
#include "cli/failure.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/version.h"
#include "cli/wrap.h"
#include "driver/device/server_address.h"
#include "explore/effort.h"
#include "explore/slurm.h"
#include "explore/worker.h"

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
         "where programs are run: on this machine (local), as jobs of a Slurm cluster (slurm), or on servers (`vantage "
         "serve`), separated by commas: rpc://HOST:PORT,rpc://HOST:PORT")
      ->type_name("local|slurm|URIS")
      ->check(not_empty())
      ->capture_default_str();
  app.add_option(
         "--jobs", jobs,
         "programs that are run at a time, on each server; 0: as many as there are cores, or as the cluster has "
         "place for")
      ->check(whole_number(0, 1024))
      ->capture_default_str();
  app.add_option("--sbatch", sbatch,
                 "with --engine slurm: further options of sbatch, separated by spaces, such as \"--partition=long\"")
      ->type_name("OPTIONS");
  app.add_option(
         "--search", effort,
         "how programs are found: for each design by a quick search (0.1 s) or a thorough one (5 s); or shared, quick "
         "ones for designs with much room, which serve those with less where they fit; or brief, such that take half "
         "as long and find what is 0.2 % slower")
      ->type_name("KIND")
      ->check(one_of({explore::kEffortNames.begin(), explore::kEffortNames.end()}))
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
  // Workloads keep it, and its line must end before the sweep's begins.
  const auto progress = std::make_shared<std::function<void(const std::string&)>>(build_progress());
  const auto tell = [progress](const std::string& what) {
    if (*progress) (*progress)(what);
  };
  for (const std::string& name : workloads)
    all.push_back(explore::find_workload(name, {.seed = seed, .progress = tell}));
  *progress = nullptr;
  return all;
}

explore::SweepOptions SweepArguments::sweep_options(const std::filesystem::path& database) const {
  return {.version = full_version(), .effort = effort, .engine = starter(database)};
}

void SweepArguments::check() const {
  require_distinct("--workloads", workloads);
  if (!sbatch.empty() && engine != "slurm") fail("--sbatch is for --engine slurm alone; leave it out");
  if (engine != "slurm" && engine != "local") servers();
}

std::vector<std::string> SweepArguments::servers() const {
  std::vector<std::string> uris = CLI::detail::split(engine, ',');
  if (engine.ends_with(',')) uris.emplace_back();
  for (std::string& uri : uris) {
    if (!uri.starts_with("rpc://") && !uri.starts_with("rpcs://")) {
      fail("--engine '{}' is none; expected local, slurm, or servers as rpc://HOST:PORT", uri);
    }
    if (driver::ServerAddress(uri, "--engine").device.empty()) uri += uri.ends_with('/') ? "systemc" : "/systemc";
  }
  require_distinct("--engine", uris);
  return uris;
}

explore::EngineStarter SweepArguments::starter(const std::filesystem::path& database) const {
  if (engine == "slurm") {
    const std::string tool = std::filesystem::read_symlink("/proc/self/exe").string();
    std::filesystem::path folder = std::filesystem::absolute(database);
    folder += ".slurm";
    explore::SlurmOptions options{.folder = folder,
                                  .worker = {tool, "worker", "--shard"},
                                  .version = full_version(),
                                  .jobs = static_cast<size_t>(jobs),
                                  .tell = [](const std::string& what) { print_error("\rnote: {}\n", what); }};
    for (const std::string& word : CLI::detail::split(sbatch, ' ')) {
      if (!word.empty()) options.sbatch.push_back(word);
    }
    return [options] { return std::make_unique<explore::SlurmEngine>(options); };
  }
  const size_t each = jobs > 0 ? static_cast<size_t>(jobs) : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::vector<std::string>> workers;
  if (engine == "local") {
    workers.assign(each, {"/proc/self/exe", "worker"});
  } else {
    for (const std::string& uri : servers()) {
      workers.insert(workers.end(), each, {"/proc/self/exe", "worker", "--target", uri});
    }
  }
  return explore::worker_processes(
      workers, [](const std::string& why) { print_error("\rnote: a server gets no more programs: {}\n", why); });
}

void fail_without_machine(const explore::NoMachineLeft& error) {
  throw Failure(
      fmt::format("{}; call the same command again: what is in its database is not done again", error.what()));
}

explore::SweepResult SweepArguments::run(const explore::Space& space, const std::vector<explore::Workload>& all,
                                         explore::Database& database) const {
  return run_on(all, space, database, [&](const std::vector<explore::Workload>&, const explore::SweepOptions& options) {
    return explore::sweep(space, all, database, options);
  });
}

explore::SweepResult SweepArguments::run(const explore::Space& space, explore::Database& database) const {
  return run(space, database, [&](const std::vector<explore::Workload>& all, const explore::SweepOptions& options) {
    return explore::sweep(space, all, database, options);
  });
}

std::string rejections_text(const std::vector<std::pair<explore::Rejection, uint64_t>>& rejections) {
  std::string text;
  for (const auto& [rejection, points] : rejections) {
    // A reason has '#' for numbers that differ; an example has them.
    const std::string example = (points > 1 ? "such as: " : "") + rejection.detail;
    text += fmt::format("{:>10}  {}", points, wrapped(rejection.detail.empty() ? rejection.reason : example, 12));
  }
  return text;
}

int status_of(const explore::SweepResult& result) {
  if (result.failed > 0) {
    print_error("error: {} of {} programs could not be run; the first says: {}\n", result.failed, result.evaluated,
                result.failure);
  }
  if (result.stopped) return tell_stopped();
  return result.failed == 0 ? 0 : 1;
}

int status_of(const explore::Undecided& undecided) {
  if (undecided.designs == 0) return 0;
  const bool is_one = undecided.designs == 1;
  print_error("error: {} {} undecided, as a program of {} could not be run; {}says: {}; the same command tries again\n",
              counted(undecided.designs, "design"), is_one ? "is" : "are", is_one ? "it" : "each",
              is_one ? "it " : "the first ", undecided.why);
  return 1;
}

int tell_stopped(bool is_recorded) {
  print_error("stopped; {}\n", is_recorded ? "what was done is recorded, and the same command goes on"
                                           : "nothing of it is kept, and the same command begins anew");
  return status_of_stop();
}

}  // namespace vantage::cli
