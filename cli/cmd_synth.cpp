#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/cache.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/part_table.h"
#include "cli/progress.h"
#include "cli/route_text.h"
#include "cli/timing_text.h"
#include "cli/wrap.h"
#include "hw/fpga/area/area_json.h"
#include "hw/fpga/area/area_model.h"
#include "hw/fpga/area/part_fit.h"
#include "hw/fpga/board.h"
#include "hw/fpga/clock_limit.h"
#include "hw/fpga/part.h"
#include "hw/fpga/place_and_route/place_and_route.h"
#include "hw/fpga/place_and_route/route_json.h"
#include "hw/fpga/synthesis.h"
#include "hw/fpga/timing/cell_delays.h"
#include "hw/fpga/timing/timing_json.h"
#include "hw/isa/rtl_package.h"

namespace vantage::cli {

namespace {

// Of which static timing keeps paths.
constexpr uint64_t kMostPaths = 10;
constexpr uint64_t kMostJobs = 1024;

struct SynthArguments {
  std::vector<std::string> configs;
  std::string board = "pynq-z1";
  std::string part;
  bool estimate = false;
  bool timing = false;
  uint64_t paths = 1;
  bool route = false;
  size_t jobs = 0;
  bool anew = false;
  bool json = false;
};

// What cores are to fit: the part of a board, or one by itself.
struct SynthTarget {
  fpga::Part part;
  std::optional<fpga::Board> board;
};

struct Core {
  std::string given;  // as the user named its configuration
  isa::Config config;
  fpga::Synthesis result;
  std::optional<fpga::PlaceAndRoute> route = {};
  Json estimate = {};  // what is told of it as JSON, where it is one
};

std::vector<PartUse> uses(const std::vector<Core>& cores) {
  std::vector<PartUse> result;
  for (const Core& core : cores) result.push_back({core.given, core.result.used});
  return result;
}

TimedCore timed(const Core& core) {
  return {core.given, core.config.clock_mhz(), core.result.timing.value()};
}

void print_timing(const std::vector<Core>& cores, const fpga::CellDelays& delays, size_t paths) {
  std::vector<TimedCore> all;
  for (const Core& core : cores) all.push_back(timed(core));
  print_out("\n{}", timing_table(all, delays));
  for (const Core& core : cores) {
    const auto& worst = core.result.timing->worst;
    for (size_t i = 0; i < std::min(paths, worst.size()); ++i) print_out("\n{}: {}", core.given, path_text(worst[i]));
  }
}

std::vector<RoutedCore> routed(const std::vector<Core>& cores) {
  std::vector<RoutedCore> result;
  for (const Core& core : cores) result.push_back({core.given, core.config.clock_mhz(), core.route.value()});
  return result;
}

Json route_json(const fpga::PlaceAndRoute& result) {
  Json json = fpga::to_json(result);
  json["part"] = fpga::kRoutedPart;
  json["fits"] = result.fits();
  if (result.fits()) {
    json["max_mhz"] = result.best().max_mhz;
    json["seed"] = result.best().seed;
  }
  return json;
}

void print_json(const std::vector<Core>& cores, const SynthTarget& target,
                const std::optional<fpga::CellDelays>& delays, bool ok) {
  Json list = Json::array();
  for (const Core& core : cores) {
    list.push_back({{"config", core.config.name()},
                    {"config_hash", fmt::format("{:016x}", isa::hardware_hash(core.config))},
                    {"fits", fits(core.result.used, target.part)},
                    {"used", used_json(core.result.used)},
                    {"seconds", core.result.seconds}});
    if (!core.estimate.empty()) list.back()["estimate"] = core.estimate;
    if (delays) {
      list.back()["timing"] = fpga::to_json(*core.result.timing);
      list.back()["timing"].update(timing_json(timed(core), *delays));
    }
    if (core.route) list.back()["route"] = route_json(*core.route);
  }
  Json json = {{"ok", ok}};
  if (target.board) json["board"] = target.board->name;
  json["part"] = target.part.part;
  json["available"] = available_json(target.part);
  json["cores"] = std::move(list);
  print_out("{}\n", json_text(json));
}

// Says that a core will not have its configuration's clock, if it will not.
void warn_of_slack(const Core& core, const fpga::CellDelays& delays) {
  const auto warning = fpga::clock_warning(core.config, *core.result.timing, delays);
  if (warning) print_error("warning: {}: {}\n", core.given, *warning);
}

// Fills in what cores are estimated to take, and warns of those that the estimate was not made for.
void estimate_cores(std::vector<Core>& cores, const fpga::Part& part) {
  const auto model = fpga::AreaModel::of_family(part.family);
  if (!model) fail("--estimate: nothing is known of the family of the {}, {}; leave it out", part.name, part.family);
  const std::string caveat = model->caveat(part.family);
  if (!caveat.empty()) print_error("warning: {}: {}\n", part.name, caveat);
  for (Core& core : cores) {
    core.result.used = model->estimate(core.config);
    core.estimate = fpga::estimate_json(*model, core.config);
    const std::string beyond = model->beyond(core.config);
    if (!beyond.empty()) print_error("warning: {}: {}\n", core.given, beyond);
  }
}

void synthesize_cores(std::vector<Core>& cores, const fpga::Part& part, const SynthArguments& a) {
  if (a.route) fpga::nextpnr_program();  // before minutes of synthesis
  std::vector<isa::Config> configs;
  for (const Core& core : cores) configs.push_back(core.config);
  const auto results = fpga::synthesize(configs, part.family, {default_cache(), a.anew, build_progress()}, a.jobs);
  for (size_t i = 0; i < cores.size(); ++i) {
    cores[i].result = results[i];
    if (a.route) cores[i].route = fpga::place_and_route(cores[i].config, {default_cache(), a.anew, build_progress()});
  }
}

SynthTarget target_of(const SynthArguments& a) {
  if (!a.part.empty()) return {load_part(a.part), std::nullopt};
  fpga::Board board = load_board(a.board);
  return {fpga::Part::of_board(board), std::move(board)};
}

int run_synth(const SynthArguments& a) {
  require_distinct("--config", a.configs);
  const SynthTarget target = target_of(a);
  const fpga::Part& part = target.part;
  std::vector<Core> cores;
  for (const std::string& given : a.configs) cores.push_back({given, load_config(given), {}});
  if (a.timing && !fpga::CellDelays::of_family(part.family)) {
    fail("--timing: no delays are known of the family of the {}, {}; leave it out, or take a part of the family xc7",
         part.name, part.family);
  }
  if (target.board) {
    for (const Core& core : cores) warn_of_clock(core.config.clock_mhz(), *target.board);
  }
  if (a.estimate) {
    estimate_cores(cores, part);
  } else {
    synthesize_cores(cores, part, a);
  }
  const bool ok = std::all_of(cores.begin(), cores.end(), [&](const Core& core) {
    return fits(core.result.used, part) && (!core.route || core.route->fits());
  });
  const auto delays = a.timing ? fpga::CellDelays::of_family(part.family) : std::nullopt;
  if (a.json) {
    print_json(cores, target, delays, ok);
  } else {
    print_out("{}", part_table(uses(cores), part, a.estimate ? "estimate" : "Yosys"));
    if (delays) print_timing(cores, *delays, a.paths);
    if (a.route) print_out("\n{}", route_text(routed(cores)));
  }
  if (delays) {
    for (const Core& core : cores) warn_of_slack(core, *delays);
  }
  for (const PartUse& core : uses(cores)) {
    for (const std::string& line : shortages(core, part)) print_error("error: {}\n", line);
  }
  if (a.route) {
    for (const RoutedCore& core : routed(cores)) {
      for (const std::string& line : shortages(core)) print_error("error: {}\n", line);
    }
  }
  return ok ? 0 : 1;
}

}  // namespace

void add_synth(CLI::App& app, int& status) {
  auto a = std::make_shared<SynthArguments>();
  CLI::App* synth =
      app.add_subcommand("synth", "what a core takes of an FPGA and how fast it is there, by Yosys and nextpnr");
  a->configs = {"default"};
  synth->add_option("--config", a->configs, "accelerators: JSON files, or names from configs/accelerators")
      ->type_name("NAME|FILE")
      ->check(such_as(configuration_names()))
      ->capture_default_str();
  synth->add_option("--board", a->board, "a JSON file, or a name from configs/boards")
      ->type_name("NAME|FILE")
      ->check(such_as(board_names()))
      ->capture_default_str();
  synth->add_option("--part", a->part, "instead of a board: a JSON file, or a name from configs/parts")
      ->type_name("NAME|FILE")
      ->check(such_as(part_names()))
      ->excludes("--board");
  CLI::Option* estimate =
      synth->add_flag("--estimate", a->estimate, "at once, by what was learned of other cores; within a tenth mostly");
  CLI::Option* timing =
      synth->add_flag("--timing", a->timing, "also how fast it may be clocked, by static timing, and the longest paths")
          ->excludes(estimate);
  synth->add_option("--paths", a->paths, "with --timing, paths to show, each between other modules than those before")
      ->check(whole_number(0, kMostPaths))
      ->needs(timing)
      ->capture_default_str();
  synth
      ->add_flag("--route", a->route,
                 "also place and route on an ECP5 LFE5U-85F by nextpnr, and the path that limits the clock there")
      ->excludes(estimate);
  synth
      ->add_option("--jobs", a->jobs,
                   "cores that are synthesized at a time; 0: as many as the machine has processor cores")
      ->check(whole_number(0, kMostJobs))
      ->excludes(estimate)
      ->capture_default_str();
  synth->add_flag("--anew", a->anew, "synthesize even if the result is known")->excludes(estimate);
  add_json_flag(*synth, a->json);
  synth->footer(
      "Takes minutes without --estimate; results are kept in $VANTAGE_CACHE_DIR, or in vantage in $XDG_CACHE_HOME or "
      "~/.cache.\n"
      "Exit status: 0 all fit, 1 one does not.\n"
      "Examples:\n"
      "  vantage synth\n"
      "  vantage synth --estimate --part xczu3eg --config default 8x8 batch2\n"
      "  vantage synth --timing --paths 3\n"
      "  vantage synth --route --config 8x8\n"
      "  vantage synth --config default 8x8 int4\n"
      "  vantage synth --config batch2 --board ultra96 --json");
  synth->callback([a, &status] { status = run_synth(*a); });
}

}  // namespace vantage::cli
