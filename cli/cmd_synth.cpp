#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "hw/fpga/board.h"
#include "hw/fpga/synthesis.h"
#include "hw/spec/cache.h"
#include "hw/spec/rtl_package.h"

namespace vantage::cli {

namespace {

struct SynthArguments {
  ConfigOption config;
  std::string board = "pynq-z1";
  bool anew = false;
  bool json = false;
};

struct Row {
  const char* name;
  const char* key;
  uint64_t used, available;
};

int run_synth(const SynthArguments& a) {
  const spec::Config config = a.config.load();
  const fpga::Board board = load_board(a.board);
  const fpga::Resources r = fpga::synthesize(config, board.family, {default_cache(), a.anew, build_progress()});
  const Row rows[] = {{"LUTs", "luts", r.luts, board.luts},
                      {"flip-flops", "flip_flops", r.flip_flops, board.flip_flops},
                      {"DSP slices", "dsps", r.dsps, board.dsps},
                      {"36 Kbit block RAMs", "block_rams", r.block_rams, board.block_rams}};
  bool fits = true;
  for (const Row& row : rows) fits = fits && row.used <= row.available;
  if (a.json) {
    Json resources = Json::object();
    for (const Row& row : rows) resources[row.key] = {{"used", row.used}, {"available", row.available}};
    fmt::print("{}\n", json_text({{"ok", fits},
                                  {"config", config.name()},
                                  {"config_hash", fmt::format("{:016x}", spec::hardware_hash(config))},
                                  {"board", board.name},
                                  {"part", board.part},
                                  {"resources", std::move(resources)},
                                  {"seconds", r.seconds}}));
  } else {
    fmt::print("{} on {} ({}), by Yosys\n{:>20} {:>9} {:>9} {:>6}\n", config.name(), board.name, board.part, "", "used",
               "available", "%");
    for (const Row& row : rows) {
      const double share = 100.0 * static_cast<double>(row.used) / static_cast<double>(row.available);
      fmt::print("{:>20} {:>9} {:>9} {:>6.1f}{}\n", row.name, row.used, row.available, share,
                 row.used <= row.available ? "" : "  too many");
    }
  }
  if (!fits) fmt::print(stderr, "error: {} does not fit the {}\n", config.name(), board.part);
  return fits ? 0 : 1;
}

}  // namespace

void add_synth(CLI::App& app, int& status) {
  auto a = std::make_shared<SynthArguments>();
  CLI::App* synth = app.add_subcommand("synth", "what a core takes of an FPGA, by Yosys");
  a->config.add_to(*synth);
  synth->add_option("--board", a->board, "a JSON file, or a name from configs/boards")
      ->check(not_empty())
      ->capture_default_str();
  synth->add_flag("--anew", a->anew, "synthesize even if the result is known");
  add_json_flag(*synth, a->json);
  synth->footer(
      "Takes minutes; results are kept in $VANTAGE_CACHE_DIR, or in vantage in $XDG_CACHE_HOME or ~/.cache.\n"
      "Examples:\n"
      "  vantage synth\n"
      "  vantage synth --config batch2 --board ultra96 --json\n"
      "Exit status: 0 it fits, 1 it does not.");
  synth->callback([a, &status] { status = run_synth(*a); });
}

}  // namespace vantage::cli
