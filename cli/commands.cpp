#include "cli/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "base/error.h"

namespace vantage::cli {

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  vantage run gemm                       the blocked matrix multiply, checked, with its counters\n"
    "  vantage run mlp                        10,000 MNIST images through a trained int8 network\n"
    "  vantage compare conv --layer C2        the same on an accelerator, this processor and its libraries\n"
    "  vantage config show pynq               every number derived from a configuration\n"
    "  vantage serve                          lends this machine's devices: --target rpc://127.0.0.1:9091\n"
    "  vantage replay DIR                     run a recorded bundle and compare\n"
    "The launcher ./vantage knows four more: test, bench, fuzz and cross. It builds what compare, serve and\n"
    "--target rpc:// need when one of them is first called.";

// On a board itself, which has no simulators with time.
constexpr const char* kBoardExamples =
    "Examples:\n"
    "  vantage flash --config pynq            puts a core on this board's FPGA, and tries it\n"
    "  vantage run gemm --target pynq:        the blocked matrix multiply on it, checked\n"
    "  vantage serve --listen 0.0.0.0:9091 --token-file t    lends it: --target rpc://BOARD:9091";

// A command that this build leaves out: it has a place in the help, and says how it is had.
void add_left_out(CLI::App& app, const std::string& name, const std::string& what) {
  const std::string remedy = fmt::format("./vantage {} builds it when it is first called, without --help", name);
  CLI::App* command = app.add_subcommand(name, what);
  command->footer(fmt::format("This build leaves it out: {}.", remedy));
  command->allow_extras();
  command->callback([name, remedy] { fail("this build leaves out '{}'; {}", name, remedy); });
}

}  // namespace

// What a build leaves out is not referred to, and so not linked.
void add_commands(CLI::App& app, int& status) {
  app.footer(VANTAGE_HAS_TIME ? kExamples : kBoardExamples);
  add_run(app, status);
  if constexpr (VANTAGE_HAS_PROCESSOR) {
    add_compare(app, status);
  } else if constexpr (VANTAGE_HAS_TIME) {
    add_left_out(app, "compare", kCompare);
  }
  add_lower(app, status);
  add_replay(app, status);
  add_config(app, status);
  add_verify(app, status);
  add_asm(app, status);
  add_disasm(app, status);
  if constexpr (VANTAGE_HAS_TIME) {
    add_rtl(app, status);
    add_synth(app, status);
  }
  add_targets(app, status);
  if constexpr (VANTAGE_HAS_REMOTE) {
    add_serve(app, status);
  } else if constexpr (VANTAGE_HAS_TIME) {
    add_left_out(app, "serve", kServe);
  }
  add_bitstream(app, status);
  add_flash(app, status);
  if constexpr (VANTAGE_HAS_TIME) add_board(app, status);
}

}  // namespace vantage::cli
