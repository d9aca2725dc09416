#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/installation.h"
#include "base/json.h"
#include "base/settings.h"
#include "cli/commands.h"
#include "cli/design_table.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/sweep_options.h"
#include "cli/wrap.h"
#include "explore/energies.h"
#include "explore/shard.h"
#include "explore/worker.h"

namespace vantage::cli {

namespace {

struct SpaceArguments : SweepArguments {
  std::string space, db;
  uint64_t best = 10;
  EnergyOption energy;
  PartOption part;
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

Json unable_json(explore::Database& database, const explore::SweepResult& result) {
  Json list = Json::array();
  for (const Unable& one : unable(database, result)) list.push_back({{"error", one.error}, {"designs", one.designs}});
  return list;
}

void print_summary(const explore::SweepResult& result, const explore::Space& space, explore::Database& database) {
  print_out("{}", counted(space.size(), "point"));
  if (result.looked_at < space.size()) print_out(", {} of them looked at", result.looked_at);
  print_out(": {}", counted(result.designs, "design"));
  if (result.repeated > 0) print_out(", {} the same as others", result.repeated);
  uint64_t rejected = 0;
  for (const auto& [rejection, points] : result.rejections) rejected += points;
  print_out(", {} no designs\n", rejected);
  print_out("{}", rejections_text(result.rejections));
  for (const Unable& one : unable(database, result)) {
    print_out("{:>10}  {}", one.designs, wrapped("of the designs cannot have a workload: " + one.error, 12));
  }
  print_out("{}", wrapped(fmt::format("{} run for {}", were(result.evaluated - result.failed, "program"),
                                      database.path().string()),
                          0));
}

int run_sweep(SpaceArguments& a) {
  a.check();
  a.energy.load();
  a.part.load();
  const auto configs = data_folder() / "configs";
  explore::Space space = explore::Space::load(find_settings(a.space, configs / "spaces", "space"), configs);
  if (a.part.fit() != nullptr) space.require_fit(*a.part.fit());
  const std::string db = a.db.empty() ? std::filesystem::path(a.space).stem().string() + ".sqlite" : a.db;
  explore::Database database(db);
  const explore::SweepResult result = a.run(space, database);
  std::vector<DesignRow> rows = fastest(database, result, a.best);
  add_fits(database, a.part.fit(), rows);
  if (a.energy.given()) explore::record_energies(database, result, *a.energy.model());
  add_energy(database, a.energy, rows);
  if (a.json) {
    print_out("{}\n", json_text({{"database", db},
                                 {"points", space.size()},
                                 {"designs", result.designs},
                                 {"repeated", result.repeated},
                                 {"rejections", rejections_json(result)},
                                 {"unable", unable_json(database, result)},
                                 {"evaluated", result.evaluated},
                                 {"failed", result.failed},
                                 {"stopped", result.stopped},
                                 {"fastest", to_json(rows)}}));
  } else {
    print_summary(result, space, database);
    if (!result.stopped) print_out("{}", table(rows));
  }
  return status_of(result);
}

}  // namespace

void add_sweep(CLI::App& app, int& status) {
  auto a = std::make_shared<SpaceArguments>();
  CLI::App* command = app.add_subcommand("sweep", kSweep);
  command->add_option("space", a->space, "the designs: a JSON file (docs/sweeps.md), or a name from configs/spaces")
      ->required()
      ->type_name("NAME|FILE")
      ->check(such_as(space_names()));
  a->add_to(*command);
  command->add_option("--db", a->db, "the database of results, which is made or gone on with; without it SPACE.sqlite")
      ->type_name("FILE")
      ->check(not_empty());
  command->add_option("--best", a->best, "designs that are shown for each workload, the fastest ones")
      ->check(whole_number(0, 1'000'000))
      ->capture_default_str();
  a->energy.add_to(*command, "also say what each design spends, and record it layer by layer");
  a->part.add_to(*command, "measure only designs that fit this FPGA, by estimate; others count as no designs");
  add_json_flag(*command, a->json);
  command->footer(
      "Killed or stopped at any time, it has lost the programs that were being run;\n"
      "the same command goes on. What is in the database is not done again.\n"
      "Examples:\n"
      "  vantage sweep shapes-of-256-macs --workloads resnet18,mobilenet\n"
      "  vantage sweep space.json --workloads conv:C2,gemm:256x256x256 --db s.sqlite\n"
      "  vantage sweep space.json --workloads net.onnx:batch=1 --jobs 1 --json\n"
      "  vantage sweep space.json --workloads resnet18 --energy 7nm\n"
      "  vantage sweep space.json --part xc7z020\n"
      "  vantage sweep space.json --engine slurm --sbatch \"--partition=long\"\n"
      "  vantage sweep space.json --engine rpc://big:9091,rpc://bigger:9091 --jobs 16");
  command->callback([a, &status] { status = run_sweep(*a); });
}

void add_worker(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("worker", "evaluate programs for sweeps, which start it");
  command->footer(
      "Takes lines of JSON and gives one for each (docs/sweeps.md).\n"
      "Examples:\n"
      "  vantage worker > answers\n"
      "  vantage worker --target rpc://board:9091 > answers\n"
      "  vantage worker --shard requests-0.jsonl");
  auto target = std::make_shared<std::string>("systemc:");
  command->add_option("--target", *target, "the machine that programs run on, which must have time")
      ->type_name("TARGET")
      ->check(such_as(target_names()))
      ->capture_default_str();
  auto shard = std::make_shared<std::string>();
  command
      ->add_option("--shard", *shard,
                   "answer a file of requests into files beside it, as a job of a cluster: what others have answered "
                   "there is left out")
      ->type_name("FILE")
      ->check(not_empty());
  command->callback([target, shard, &status] {
    if (shard->empty()) {
      explore::serve_requests(std::cin, std::cout, *target);
    } else {
      // In processes of their own, so that one that dies is one answer; as many as the job was given cores.
      const char* cores = std::getenv("SLURM_CPUS_PER_TASK");
      const auto count = static_cast<size_t>(std::clamp(cores != nullptr ? std::atoi(cores) : 1, 1, 1024));
      explore::WorkerPool pool(
          std::vector<std::vector<std::string>>(count, {"/proc/self/exe", "worker", "--target", *target}));
      explore::serve_shard(*shard, pool);
    }
    status = 0;
  });
}

}  // namespace vantage::cli
