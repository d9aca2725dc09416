// The options of commands that measure designs: which workloads, and how.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/signals.h"
#include "base/temporary.h"
#include "cli/progress.h"
#include "explore/engine.h"
#include "explore/sweep.h"

namespace CLI {
class App;
}

namespace vantage::cli {

// Throws Failure that says how to go on.
[[noreturn]] void fail_without_machine(const explore::NoMachineLeft& error);

struct SweepArguments {
  std::vector<std::string> workloads = {"resnet18"};
  int jobs = 0;
  std::string engine = "local", sbatch;
  std::string effort = "quick";
  uint64_t seed = 1;

  // --workloads, --engine, --jobs, --sbatch, --search and --seed.
  void add_to(CLI::App& app);
  explore::Method method() const;
  // Throws Error for what no sweep could begin with, before there is a database.
  void check() const;

  // Measures all designs of the space, with progress on a terminal; a signal ends it in good order. Throws Error.
  explore::SweepResult run(const explore::Space& space, explore::Database& database) const;
  // The same of these workloads, whatever --workloads says.
  explore::SweepResult run(const explore::Space& space, const std::vector<explore::Workload>& all,
                           explore::Database& database) const;
  // The same of something else that sweeps: calls it with the workloads and the options.
  template <typename Work>
  auto run(const explore::Space& space, const explore::Database& database, const Work& work) const {
    return run_on(find_workloads(), space, database, work);
  }

  // With progress on a terminal. Throws Error, also where one is named twice.
  std::vector<explore::Workload> find_workloads() const;
  // For a database that nobody keeps: where all who run its programs can see it.
  TemporaryDirectory scratch() const {
    return engine == "slurm" ? TemporaryDirectory("vantage") : TemporaryDirectory();
  }

 private:
  template <typename Work>
  auto run_on(const std::vector<explore::Workload>& all, const explore::Space& space, const explore::Database& database,
              const Work& work) const {
    explore::SweepOptions options = sweep_options(database.path());
    std::stop_source stop;
    const StopOnSignal stop_on_signal([&] { stop.request_stop(); });
    options.stop = stop.get_token();
    Progress progress("designs", space.size());
    options.progress = [&](uint64_t done, uint64_t of, uint64_t) { progress.advance(done, of); };
    try {
      return work(all, options);
    } catch (const explore::NoMachineLeft& error) {
      fail_without_machine(error);
    }
  }

  // `database`: beside which there is place for what is under way.
  explore::SweepOptions sweep_options(const std::filesystem::path& database) const;
  explore::EngineStarter starter(const std::filesystem::path& database) const;
  // Of --engine, with the device that runs programs.
  std::vector<std::string> servers() const;
};

// Why points are no designs, a reason a line, with how many there are of each.
std::string rejections_text(const std::vector<std::pair<explore::Rejection, uint64_t>>& rejections);

// The exit status of a sweep, after what there is to say of its end on stderr.
int status_of(const explore::SweepResult& result);
// Of a search for the best designs, likewise.
int status_of(const explore::Undecided& undecided);
// What is said, and the exit status, when a signal ended it; what was done is in a database, or in a folder that goes.
int tell_stopped(bool is_recorded = true);

}  // namespace vantage::cli
