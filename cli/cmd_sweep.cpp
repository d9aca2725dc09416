#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/json.h"
#include "base/settings.h"
#include "base/signals.h"
#include "cli/commands.h"
#include "cli/design_table.h"
#include "cli/installation.h"
#include "cli/known_values.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/version.h"
#include "cli/wrap.h"
#include "explore/sweep.h"
#include "explore/worker.h"

namespace vantage::cli {

namespace {

struct SweepArguments {
  std::string space, db;
  std::vector<std::string> workloads = {"resnet18"};
  int jobs = 0;
  std::string effort = "quick";
  uint64_t seed = 1, best = 10;
  bool json = false;
};

Json rejections_json(const explore::SweepResult& result) {
  Json list = Json::array();
  for (const auto& [rejection, points] : result.rejections) {
    list.push_back({{"reason", rejection.reason}, {"points", points}});
    if (!rejection.detail.empty()) list.back()["example"] = rejection.detail;
  }
  return list;
}

void print_summary(const explore::SweepResult& result, const explore::Space& space, const std::string& db) {
  print_out("{} points: {} designs", space.size(), result.designs);
  if (result.repeated > 0) print_out(", {} the same as others", result.repeated);
  uint64_t rejected = 0;
  for (const auto& [rejection, points] : result.rejections) rejected += points;
  print_out(", {} no designs\n", rejected);
  for (const auto& [rejection, points] : result.rejections) {
    print_out("{:>10}  {}", points, wrapped(rejection.detail.empty() ? rejection.reason : rejection.detail, 12));
  }
  print_out("{}", wrapped(fmt::format("{} programs were run for {}{}", result.evaluated, db,
                                      result.failed > 0 ? fmt::format(", {} could not be", result.failed) : ""),
                          0));
}

int run_sweep(const SweepArguments& a) {
  const auto configs = data_folder() / "configs";
  const explore::Space space = explore::Space::load(find_settings(a.space, configs / "spaces", "space"), configs);
  const std::string db = a.db.empty() ? std::filesystem::path(a.space).stem().string() + ".sqlite" : a.db;
  // Workers before threads: networks are made with some.
  explore::SweepOptions options;
  options.version = full_version();
  options.evaluate.effort = a.effort == "quick" ? ops::SearchEffort::kQuick : ops::SearchEffort::kThorough;
  options.jobs = a.jobs > 0 ? a.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.worker = {"/proc/self/exe", "worker"};
  std::vector<explore::Workload> workloads;
  for (const std::string& name : a.workloads) {
    workloads.push_back(explore::find_workload(name, {.seed = a.seed, .progress = build_progress()}));
  }
  explore::Database database(db);
  std::stop_source stop;
  const StopOnSignal stop_on_signal([&] { stop.request_stop(); });
  options.stop = stop.get_token();
  std::optional<Progress> progress(std::in_place, "points", space.size());
  options.progress = [&](uint64_t points, uint64_t of, uint64_t) { progress->advance(points, of); };
  const explore::SweepResult result = explore::sweep(space, workloads, database, options);
  progress.reset();
  if (a.json) {
    print_out("{}\n", json_text({{"database", db},
                                 {"points", space.size()},
                                 {"designs", result.designs},
                                 {"repeated", result.repeated},
                                 {"rejections", rejections_json(result)},
                                 {"evaluated", result.evaluated},
                                 {"failed", result.failed},
                                 {"stopped", result.stopped},
                                 {"best", fastest_json(database, a.workloads, options.version, a.effort, a.best)}}));
  } else {
    print_summary(result, space, db);
    if (!result.stopped) print_out("{}", fastest_table(database, a.workloads, options.version, a.effort, a.best));
  }
  if (result.stopped) {
    print_error("stopped; what was done is recorded, and the same command goes on\n");
    return 130;
  }
  return result.failed == 0 ? 0 : 1;
}

}  // namespace

void add_sweep(CLI::App& app, int& status) {
  auto a = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand("sweep", kSweep);
  command->add_option("space", a->space, "the designs: a JSON file (docs/sweeps.md), or a name from configs/spaces")
      ->required()
      ->type_name("NAME|FILE")
      ->check(such_as(space_names()));
  command
      ->add_option("--workloads", a->workloads,
                   "what they run, separated by commas: networks with sizes (resnet18, bert_base:sequence=64), "
                   "FILE.onnx, convolutions of ResNet-18 (conv:C2), products (gemm:256x256x256: rows, depth, columns)")
      ->type_name("NAMES")
      ->delimiter(',')
      ->check(not_empty())
      ->capture_default_str();
  command->add_option("--db", a->db, "the database of results, which is made or gone on with; without it SPACE.sqlite")
      ->type_name("FILE")
      ->check(not_empty());
  command->add_option("--jobs", a->jobs, "programs that are run at a time; 0: as many as there are cores")
      ->check(whole_number(0, 1024))
      ->capture_default_str();
  command->add_option("--search", a->effort, "how long to look for a mapping: quick (0.1 s) or thorough (5 s)")
      ->type_name("EFFORT")
      ->check(one_of({"quick", "thorough"}))
      ->capture_default_str();
  command->add_option("--seed", a->seed, "seed of random weights and inputs")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  command->add_option("--best", a->best, "designs that are shown, the fastest ones")
      ->check(whole_number(0, 1'000'000))
      ->capture_default_str();
  add_json_flag(*command, a->json);
  command->footer(
      "Killed or stopped at any time, it has lost the programs that were being run;\n"
      "the same command goes on. What is in the database is not done again.\n"
      "Examples:\n"
      "  vantage sweep shapes-of-256-macs --workloads resnet18,mobilenet\n"
      "  vantage sweep space.json --workloads conv:C2,gemm:256x256x256 --db s.sqlite\n"
      "  vantage sweep space.json --workloads net.onnx:batch=1 --jobs 1 --json");
  command->callback([a, &status] { status = run_sweep(*a); });
}

void add_worker(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("worker", "evaluate programs for sweeps, which start it");
  command->footer(
      "Takes lines of JSON and gives one for each (docs/sweeps.md).\n"
      "Examples:\n"
      "  vantage worker < requests > answers");
  command->callback([&status] {
    explore::serve_requests(std::cin, std::cout);
    status = 0;
  });
}

}  // namespace vantage::cli
