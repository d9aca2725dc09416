#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/cache.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/route_text.h"
#include "cli/timing_text.h"
#include "cli/wrap.h"
#include "hw/fpga/board.h"
#include "hw/fpga/clock_limit.h"
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

struct SynthArguments {
  std::vector<std::string> configs;
  std::string board = "pynq-z1";
  bool timing = false;
  uint64_t paths = 1;
  bool route = false;
  bool anew = false;
  bool json = false;
};

struct Core {
  std::string given;  // as the user named its configuration
  isa::Config config;
  fpga::Synthesis result;
  std::optional<fpga::PlaceAndRoute> route = {};
};

struct Resource {
  const char* name;
  const char* key;
  uint64_t fpga::Resources::*used;
  uint64_t fpga::Board::*available;
};
constexpr Resource kResources[] = {
    {"LUTs", "luts", &fpga::Resources::luts, &fpga::Board::luts},
    {"flip-flops", "flip_flops", &fpga::Resources::flip_flops, &fpga::Board::flip_flops},
    {"DSP slices", "dsps", &fpga::Resources::dsps, &fpga::Board::dsps},
    {"36 Kb RAMs", "block_rams", &fpga::Resources::block_rams, &fpga::Board::block_rams},
};

bool fits(const Core& core, const fpga::Board& board) {
  return std::all_of(std::begin(kResources), std::end(kResources),
                     [&](const Resource& r) { return core.result.used.*r.used <= board.*r.available; });
}

void print_table(const std::vector<Core>& cores, const fpga::Board& board) {
  constexpr size_t kNames = 20;
  print_out("{} ({}), by Yosys\n{:<{}}", board.name, board.part, "", kNames);
  for (const Resource& r : kResources) print_out("{:>14} ", r.name);
  print_out("\n{:<{}}", "the part has", kNames);
  for (const Resource& r : kResources) print_out("{:>7}        ", board.*r.available);
  print_out("\n");
  for (const Core& core : cores) {
    // A file's name may be longer than its column.
    if (core.given.size() >= kNames) print_out("{}\n", core.given);
    print_out("{:<{}}", core.given.size() < kNames ? core.given : "", kNames);
    for (const Resource& r : kResources) {
      const uint64_t used = core.result.used.*r.used;
      const uint64_t available = board.*r.available;
      const std::string share =
          available == 0 ? "-"
                         : fmt::format("{:.1f}%", 100.0 * static_cast<double>(used) / static_cast<double>(available));
      print_out("{:>7} {:>6}{}", used, share, used <= available ? ' ' : '!');
    }
    print_out("\n");
  }
}

double slack_ns(const Core& core, const fpga::CellDelays& delays) {
  return 1000.0 / core.config.clock_mhz() - fpga::reached_ns(*core.result.timing, delays);
}

void print_timing(const std::vector<Core>& cores, const fpga::CellDelays& delays, size_t paths) {
  print_out("\n{}", wrapped(fmt::format("timing on {}, {}; reached: nominal times {:.2f}, the calibration by {}",
                                        delays.name, delays.meaning, delays.calibration(), delays.calibration_core),
                            0));
  print_out("{:<20}{:>12} {:>12} {:>10} {:>9} {:>12}\n", "", "nominal ns", "reached ns", "MHz", "CLOCK_MHZ",
            "slack ns");
  for (const Core& core : cores) {
    const double ns = fpga::reached_ns(*core.result.timing, delays);
    print_out("{:<20}{:>12.2f} {:>12.2f} {:>10.1f} {:>9} {:>12.2f}\n", core.given, core.result.timing->worst_ns, ns,
              1000 / ns, core.config.clock_mhz(), slack_ns(core, delays));
  }
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

Json timing_json(const Core& core, const fpga::CellDelays& delays) {
  const fpga::Timing& timing = *core.result.timing;
  Json json = fpga::to_json(timing);
  json["delays"] = delays.name;
  json["calibration"] = delays.calibration();
  json["reached_ns"] = fpga::reached_ns(timing, delays);
  json["max_mhz"] = 1000 / fpga::reached_ns(timing, delays);
  json["clock_mhz"] = core.config.clock_mhz();
  json["slack_ns"] = slack_ns(core, delays);
  return json;
}

void print_json(const std::vector<Core>& cores, const fpga::Board& board, const std::optional<fpga::CellDelays>& delays,
                bool ok) {
  Json available = Json::object();
  for (const Resource& r : kResources) available[r.key] = board.*r.available;
  Json list = Json::array();
  for (const Core& core : cores) {
    Json used = Json::object();
    for (const Resource& r : kResources) used[r.key] = core.result.used.*r.used;
    list.push_back({{"config", core.config.name()},
                    {"config_hash", fmt::format("{:016x}", isa::hardware_hash(core.config))},
                    {"fits", fits(core, board)},
                    {"used", std::move(used)},
                    {"seconds", core.result.seconds}});
    if (delays) list.back()["timing"] = timing_json(core, *delays);
    if (core.route) list.back()["route"] = route_json(*core.route);
  }
  print_out("{}\n", json_text({{"ok", ok},
                               {"board", board.name},
                               {"part", board.part},
                               {"available", std::move(available)},
                               {"cores", std::move(list)}}));
}

// Says that a core will not have its configuration's clock, if it will not.
void warn_of_slack(const Core& core, const fpga::CellDelays& delays) {
  const auto warning = fpga::clock_warning(core.config, *core.result.timing, delays);
  if (warning) print_error("warning: {}: {}\n", core.given, *warning);
}

int run_synth(const SynthArguments& a) {
  const fpga::Board board = load_board(a.board);
  std::vector<Core> cores;
  for (const std::string& given : a.configs) cores.push_back({given, load_config(given), {}});
  if (a.route) fpga::nextpnr_program();  // before minutes of synthesis
  if (a.timing && !fpga::CellDelays::of_family(board.family)) {
    fail("--timing: no delays are known of the family of the {}, {}; leave it out, or take a board of the family xc7",
         board.name, board.family);
  }
  for (const Core& core : cores) warn_of_clock(core.config.clock_mhz(), board);
  bool ok = true;
  for (Core& core : cores) {
    core.result = fpga::synthesize(core.config, board.family, {default_cache(), a.anew, build_progress()});
    ok = ok && fits(core, board);
    if (!a.route) continue;
    core.route = fpga::place_and_route(core.config, {default_cache(), a.anew, build_progress()});
    ok = ok && core.route->fits();
  }
  const auto delays = a.timing ? fpga::CellDelays::of_family(board.family) : std::nullopt;
  if (a.json) {
    print_json(cores, board, delays, ok);
  } else {
    print_table(cores, board);
    if (delays) print_timing(cores, *delays, a.paths);
    if (a.route) print_out("\n{}", route_text(routed(cores)));
  }
  if (delays) {
    for (const Core& core : cores) warn_of_slack(core, *delays);
  }
  for (const Core& core : cores) {
    for (const Resource& r : kResources) {
      if (core.result.used.*r.used <= board.*r.available) continue;
      print_error("error: {} does not fit the {}: it takes {} {}, the part has {}\n", core.given, board.part,
                  core.result.used.*r.used, r.name, board.*r.available);
    }
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
  synth->add_flag("--timing", a->timing, "also how fast it may be clocked, by static timing, and the longest paths");
  synth->add_option("--paths", a->paths, "with --timing, paths to show, each between other modules than those before")
      ->check(whole_number(0, kMostPaths))
      ->capture_default_str();
  synth->add_flag("--route", a->route,
                  "also place and route on an ECP5 LFE5U-85F by nextpnr, and the path that limits the clock there");
  synth->add_flag("--anew", a->anew, "synthesize even if the result is known");
  add_json_flag(*synth, a->json);
  synth->footer(
      "Takes minutes; results are kept in $VANTAGE_CACHE_DIR, or in vantage in $XDG_CACHE_HOME or ~/.cache.\n"
      "Exit status: 0 all fit, 1 one does not.\n"
      "Examples:\n"
      "  vantage synth\n"
      "  vantage synth --timing --paths 3\n"
      "  vantage synth --route --config 8x8\n"
      "  vantage synth --config default 8x8 int4\n"
      "  vantage synth --config batch2 --board ultra96 --json");
  synth->callback([a, &status] { status = run_synth(*a); });
}

}  // namespace vantage::cli
