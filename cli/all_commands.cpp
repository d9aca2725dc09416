#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace vantage::cli {

void add_commands(CLI::App& app, int& status) {
  app.footer(
      "Examples:\n"
      "  vantage run gemm                       the blocked matrix multiply, checked, with its counters\n"
      "  vantage run mlp                        10,000 MNIST images through a trained int8 network\n"
      "  vantage compare conv --layer C2        the same on an accelerator, this processor and its libraries\n"
      "  vantage config show pynq               every number derived from a configuration\n"
      "  vantage serve                          lends this machine's devices: --target rpc://127.0.0.1:9091\n"
      "  vantage replay DIR                     run a recorded bundle and compare\n"
      "The launcher ./vantage knows four more: test, bench, fuzz and cross.");
  add_run(app, status);
  add_compare(app, status);
  add_lower(app, status);
  add_replay(app, status);
  add_config(app, status);
  add_verify(app, status);
  add_asm(app, status);
  add_disasm(app, status);
  add_rtl(app, status);
  add_synth(app, status);
  add_targets(app, status);
  add_serve(app, status);
  add_bitstream(app, status);
  add_flash(app, status);
  add_board(app, status);
}

}  // namespace vantage::cli
