#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/energy_option.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "driver/runtime/replay.h"

namespace vantage::cli {

namespace {

struct ReplayArguments {
  std::string bundle;
  TargetOptions target{"fsim:"};
  uint64_t max_steps = UINT64_MAX;
  uint64_t max_cycles = UINT64_MAX;
  EnergyOption energy;
  bool json = false;
};

int run_replay(ReplayArguments a) {
  a.energy.load();
  const Bundle bundle = load_bundle(a.bundle);
  const auto device = a.target.open(bundle.config);
  driver::RunOptions options;
  options.max_steps = a.max_steps;
  options.max_cycles = a.max_cycles;
  const auto result = [&] {
    Progress progress("instructions", bundle.insn_count);
    options.progress = [&](uint64_t retired, uint64_t total) { progress.advance(retired, total); };
    return driver::replay(*device, bundle, options);
  }();
  device->finish_trace();
  print_warnings(result.run);
  if (result.run.cycles) warn_of_clock(bundle.config);
  RunFacts facts{.memory = a.target.memory_name(bundle.config)};
  if (result.run.ok()) facts.energy = a.energy.report(bundle.config, result.run, a.target.uri, std::nullopt);
  if (a.json) {
    Json json = report_json(result.ok(), a.target.uri, bundle.config, result.run, facts);
    json["bundle"] = bundle.name;
    if (result.mismatch) json["mismatch"] = *result.mismatch;
    print_out("{}\n", json_text(json));
  }
  // A program that no machine would run is the bundle's mistake, not a wrong result.
  if (!result.run.ok()) fail("{}: {}", a.bundle, *result.mismatch);
  if (!a.json) {
    print_out("replay {}\n{}{}", bundle.name, setup_line(a.target.uri, bundle.config, result.run, facts),
              run_table(bundle.config, result.run, facts));
    if (result.ok()) print_out("All expected bytes and counters match.\n");
  }
  if (!result.ok()) print_error("error: {}: {}\n", a.bundle, *result.mismatch);
  return result.ok() ? 0 : 1;
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  auto a = std::make_shared<ReplayArguments>();
  CLI::App* replay = app.add_subcommand("replay", "run a recorded bundle and compare memory and counters");
  replay->add_option("bundle", a->bundle, "the bundle's directory (docs/bundle-format.md)")
      ->type_name("DIR")
      ->required();
  a->target.add_to(*replay);
  replay->add_option("--max-steps", a->max_steps, "give up after so many GEMM and ALU steps")
      ->check(whole_number(0, UINT64_MAX));
  replay->add_option("--max-cycles", a->max_cycles, "end the run when it takes more cycles")
      ->check(whole_number(1, UINT64_MAX));
  a->energy.add_to(*replay);
  add_json_flag(*replay, a->json);
  replay->footer(
      "Exit status: 0 everything matches, 1 something differs, 2 the bundle is damaged or its program is refused.\n"
      "Examples:\n"
      "  vantage run gemm --record run.bundle\n"
      "  vantage replay run.bundle\n"
      "  vantage replay run.bundle --target fsim: --json");
  replay->callback([a, &status] { status = run_replay(*a); });
}

}  // namespace vantage::cli
