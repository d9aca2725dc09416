#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/one_line.h"
#include "base/process.h"
#include "base/shell_word.h"
#include "base/signals.h"
#include "base/temporary.h"
#include "cli/bitstreams.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "driver/boards/board_files.h"
#include "driver/boards/flash.h"
#include "driver/boards/kept_bitstreams.h"
#include "driver/boards/programmer.h"
#include "driver/boards/served_flash.h"
#include "driver/rpc/client/remote_flash.h"
#include "hw/isa/config_name.h"

namespace vantage::cli {

namespace fs = std::filesystem;

namespace {

struct FlashArguments {
  std::string bitstream, board, map, target;
  ConfigOption config;
  double clock_mhz = 0;
  bool dry_run = false, force = false, rollback = false, jtag = false, adopt = false;
};

// The bitstream by file or by name; or the one of this configuration that is on this machine.
boards::Bitstream choose_bitstream(const FlashArguments& a, const fpga::Board& board) {
  const boards::BitstreamStore store = bitstream_store();
  if (!a.bitstream.empty()) {
    if (fs::exists(a.bitstream)) return store.load_file(a.bitstream);
    return store.load(store.find(a.bitstream));
  }
  if (!a.config.given()) fail("which bitstream? give a .bit file, a name of `vantage bitstream list`, or --config");
  const isa::Config config = a.config.load();
  const double wanted_mhz = a.clock_mhz > 0 ? a.clock_mhz : config.clock_mhz();
  std::optional<boards::Bitstream> slower;  // which is refused by its clock
  for (const boards::BitstreamEntry& entry : store.entries()) {
    const bool of_board = std::count(entry.boards.begin(), entry.boards.end(), board.name) != 0;
    if (!of_board || !entry.may_be_of(config)) continue;
    if (store.check(entry).state != boards::BitstreamState::kVerified) continue;
    if (entry.clock_mhz >= wanted_mhz) return store.load(entry);
    slower = store.load(entry);
  }
  if (slower) return *std::move(slower);
  fail(
      "no verified bitstream of configuration {} for {} is on this machine; `vantage bitstream list` shows those that "
      "there are, `vantage bitstream build --board {} --config {}` makes one with Vivado",
      config.name(), board.name, shell_word(a.board.empty() ? board.name : a.board), shell_word(a.config.text));
}

isa::Config config_of(const FlashArguments& a, const boards::Bitstream& bitstream) {
  if (a.config.given()) return a.config.load();
  if (bitstream.config) return *bitstream.config;
  if (!bitstream.configuration.empty()) return isa::config_of_name(bitstream.configuration);
  try {
    // As bitstreams are named.
    return isa::config_of_name(fs::path(bitstream.name).stem().string());
  } catch (const Error&) {
    fail("{}: its configuration is not known; say which with --config", bitstream.name);
  }
}

// This machine, or another one that is flashed from here.
fpga::Board board_of(const FlashArguments& a, boards::System& system) {
  const bool is_this = !a.jtag && a.target.empty();
  return is_this ? boards::this_board(system, boards_folder(), a.board) : load_board(a.board);
}

boards::FlashRequest make_request(const FlashArguments& a, boards::System& system) {
  boards::FlashRequest request{.board = board_of(a, system),
                               .bitstream = {},
                               .map = {},
                               .config = isa::Config::vta_default(),
                               .clock_mhz = a.clock_mhz};
  std::optional<isa::Config> kept_config;
  if (a.adopt) {
    if (!a.config.given()) fail("--adopt: which core is in the FPGA? say so with --config");
    request.bitstream.name = "what was in the FPGA";
    request.adopt = true;
  } else if (a.rollback) {
    auto kept = boards::previous_bitstream(system);
    if (!kept) fail("--rollback: no bitstream is kept that worked before the one that is in the FPGA");
    request.bitstream = std::move(kept->bitstream);
    if (a.clock_mhz == 0) request.clock_mhz = kept->record.clock_mhz;
    kept_config = kept->record.config;
  } else {
    request.bitstream = choose_bitstream(a, request.board);
  }
  request.map = boards::load_register_map(boards_folder(), a.map.empty() ? request.bitstream.register_map : a.map);
  request.config = kept_config && !a.config.given() ? *kept_config : config_of(a, request.bitstream);
  // A configuration that is known by its name alone has no clock of its own.
  if (request.clock_mhz == 0 && !kept_config && !a.config.given()) request.clock_mhz = request.bitstream.clock_mhz;
  require_flashable(request);
  if (!a.force) require_clock(request);
  if (!a.adopt) boards::require_verified(request.bitstream, a.force);
  return request;
}

void print_step(const std::string& step) {
  print_out("{}\n", one_line(step));
  flush_out();
}

// From a machine that a cable leads from. What the FPGA then holds only the board itself can try.
void flash_over_jtag(const FlashArguments& a, const boards::FlashRequest& request) {
  if (request.board.jtag.empty()) {
    fail("{} has no jtag in its description: how openFPGALoader is told to reach it", request.board.name);
  }
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "vantage.bit";
  std::vector<std::string> argv = {"openFPGALoader"};
  argv.insert(argv.end(), request.board.jtag.begin(), request.board.jtag.end());
  argv.push_back(file.string());
  std::string command;
  for (const std::string& word : argv) command += (command.empty() ? "" : " ") + word;
  print_step(command);
  if (a.dry_run) return;
  write_file(file, request.bitstream.contents);
  run_tool(argv, folder.path(), "openfpgaloader");
  std::string adopt = fmt::format("vantage flash --adopt --board {} --config {}", shell_word(a.board),
                                  a.config.given() ? shell_word(a.config.text) : "F");
  if (request.map.name != "vantage") adopt += " --map " + request.map.name;
  if (a.clock_mhz > 0) adopt += fmt::format(" --clock-mhz {}", a.clock_mhz);
  print_out("{} is in the FPGA of {}; on the board, `{}` clocks and tries it (configuration {})\n",
            request.bitstream.name, request.board.name, adopt, request.config.name());
}

// Through the server of the board, which sees to the rest.
void flash_remotely(const FlashArguments& a, const boards::FlashRequest& request) {
  if constexpr (VANTAGE_HAS_REMOTE) {
    if (a.dry_run) fail("--dry-run: the steps are for the board to choose; run it there");
    rpc::flash_remotely(a.target,
                        {.name = fs::path(request.bitstream.name).filename().string(),
                         .bitstream = request.bitstream.contents,
                         .config_json = request.config.to_json().dump(),
                         .register_map = request.map.name,
                         .clock_mhz = request.clock_mhz,
                         .force = a.force},
                        print_step);
    print_out("{} runs on {}: configuration {}\n", request.bitstream.name, a.target, request.config.name());
  } else {
    fail("this build reaches no boards of other machines; build it with -DVANTAGE_REMOTE=ON, which ./vantage does");
  }
}

int run_flash(const FlashArguments& a) {
  boards::System system;
  if (a.rollback && (a.jtag || !a.target.empty())) fail("--rollback: only the board itself knows what it had before");
  if (a.adopt && (a.jtag || a.rollback || !a.target.empty() || !a.bitstream.empty())) {
    fail("--adopt: takes what is in this board's FPGA; no bitstream, no other board and no other way go with it");
  }
  if (a.board.empty() && (a.jtag || !a.target.empty())) fail("--board is missing: which board is it?");
  const boards::FlashRequest request = make_request(a, system);
  warn_of_clock(request.clock_mhz > 0 ? request.clock_mhz : request.config.clock_mhz(), request.board);
  if (!a.target.empty()) {
    flash_remotely(a, request);
    return 0;
  }
  if (a.jtag) {
    flash_over_jtag(a, request);
    return 0;
  }
  if (a.dry_run) {
    auto programmer = boards::fpga_manager();
    if (programmer->present(system) || boards::xdevcfg()->present(system)) {
      programmer = boards::find_programmer(system);
    } else {
      print_error("this machine is no board; on one whose kernel has {}:\n", programmer->name());
    }
    for (const boards::Action& action : boards::flash_plan(system, request, *programmer)) print_step(action.what);
    print_out("Nothing was done.\n");
    return 0;
  }
  // What was in the FPGA comes back before the program ends.
  std::stop_source stop;
  const StopOnSignal stop_on_signal([&] { stop.request_stop(); });
  boards::flash(system, request, print_step, stop.get_token());
  print_out("{} runs on {}: configuration {}\n", request.bitstream.name, request.board.name, request.config.name());
  return 0;
}

}  // namespace

void add_flash(CLI::App& app, int& status) {
  auto a = std::make_shared<FlashArguments>();
  CLI::App* flash = app.add_subcommand("flash", "put a bitstream on this board's FPGA, or over JTAG on another's");
  flash->add_option("bitstream", a->bitstream, "a .bit file, or a name of `vantage bitstream list`")
      ->type_name("NAME|FILE")
      ->check(not_empty());
  flash->add_option("--board", a->board, "a JSON file, or a name from configs/boards; without it what the image says")
      ->type_name("NAME|FILE")
      ->check(such_as(board_names()));
  a->config.add_to(*flash)
      ->description("the bitstream's accelerator: a JSON file, or a name from configs/accelerators")
      ->default_str("");
  flash->add_option("--map", a->map, "the core's registers: a JSON file, or a name from configs/boards/register_maps")
      ->type_name("NAME|FILE")
      ->check(such_as(register_map_names()));
  flash
      ->add_option("--clock-mhz", a->clock_mhz,
                   "the FPGA's clock; without it the configuration's, or that which the bitstream was made for")
      ->check(number(1, 1000));
  flash->add_flag("--dry-run", a->dry_run, "show every step, and do none");
  flash->add_flag("--force", a->force,
                  "flash a bitstream that no manifest verifies, or with a faster clock than its own");
  flash->add_flag("--adopt", a->adopt,
                  "flash nothing: what is in the FPGA came over JTAG or as the board started; clock, try and note it");
  flash->add_flag("--rollback", a->rollback, "flash what worked before");
  flash->add_option("--target", a->target, "the server of a board: rpc://HOST:PORT, with --allow-flash there")
      ->type_name("TARGET")
      ->check(not_empty());
  flash->add_flag("--jtag", a->jtag, "through openFPGALoader, from a machine that a cable leads from");
  flash->footer(
      "The part and the configuration are checked first; then the FPGA is programmed and clocked, and a program runs "
      "on it. If that fails, or is interrupted, what was there before is put back.\n"
      "Examples:\n"
      "  vantage flash --board pynq-z1 --config pynq\n"
      "  vantage flash --board pynq-z2 vta-pynq-0.0.2-1x16 --dry-run\n"
      "  # through the server of a board\n"
      "  vantage flash --board pynq-z1 --config pynq --target rpc://board:9091\n"
      "  vantage flash --rollback");
  flash->callback([a, &status] { status = run_flash(*a); });
}

}  // namespace vantage::cli
