#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/cache.h"
#include "base/error.h"
#include "base/installation.h"
#include "base/one_line.h"
#include "base/signals.h"
#include "cli/called_as.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "sim/rtl/model_builder.h"
#include "tools/emulated_board/virtual_zynq.h"

namespace vantage::cli {

namespace {

struct EmulateArguments {
  ConfigOption config;
  int port = 9091;
  bool quiet = false;
};

int emulate(const EmulateArguments& a) {
  emulated::VirtualZynqOptions options;
  options.config = a.config.load();
  options.project = data_folder();
  if (!std::filesystem::exists(options.project / "tools")) {
    fail(
        "{}: no checkout of Vantage, in which alone the tool for the board can be made; run ./vantage board emulate "
        "in one",
        options.project.string());
  }
  options.cache = default_cache() / "virtual-zynq";
  options.port = a.port;
  // Minutes may pass between two of these, also where no terminal is.
  options.progress = [](const std::string& what) { print_error("{} ...\n", what); };
  if (!a.quiet) {
    options.console = [](const std::string& line) { print_error("board: {}\n", one_line(line)); };
  }
  emulated::VirtualZynq::require_possible(options);
  options.model = sim::build_model(options.config, {default_cache(), false, options.progress});
  emulated::VirtualZynq board(options);
  const StopOnSignal stop_on_signal([&] { board.stop(); });
  board.wait_until_served();
  print_out("VANTAGE_TOKEN={} {} run gemm --target rpc://127.0.0.1:{}/pynq\n", emulated::VirtualZynq::kToken,
            called_as(), a.port);
  flush_out();
  board.wait();
  return 0;
}

}  // namespace

void add_board(CLI::App& app, int& status) {
  auto a = std::make_shared<EmulateArguments>();
  CLI::App* board = app.add_subcommand("board", "boards that are emulated");
  board->footer(
      "Examples:\n"
      "  vantage board emulate\n"
      "  vantage board emulate --config 8x8 --quiet");
  CLI::App* emulate_command =
      board->add_subcommand("emulate", "a Zynq-7000 in QEMU with the core's RTL in its FPGA, flashed and served");
  a->config.add_to(*emulate_command);
  emulate_command->add_option("--port", a->port, "of 127.0.0.1, where its server is reached")
      ->check(whole_number(1, 65535))
      ->capture_default_str();
  emulate_command->add_flag("--quiet", a->quiet, "do not print the board's console");
  emulate_command->footer(
      "The first time Linux and QEMU are built, in $VANTAGE_CACHE_DIR or ~/.cache/vantage: 8 minutes, 3 GB. The board "
      "needs the tool built for it, which `./vantage cross armhf` makes in a checkout. Ctrl-C switches it off.\n"
      "Examples:\n"
      "  vantage board emulate\n"
      "  # then, on another terminal\n"
      "  export VANTAGE_TOKEN=virtual-zynq-on-loopback\n"
      "  vantage run gemm --target rpc://127.0.0.1:9091/pynq");
  emulate_command->callback([a, &status] { status = emulate(*a); });
}

}  // namespace vantage::cli
