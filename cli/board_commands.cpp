#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace vantage::cli {

// What makes sense on a board itself.
void add_commands(CLI::App& app, int& status) {
  app.footer(
      "Examples:\n"
      "  vantage flash --config pynq            puts a core on this board's FPGA, and tries it\n"
      "  vantage run gemm --target pynq:        the blocked matrix multiply on it, checked\n"
      "  vantage serve --listen 0.0.0.0:9091 --token-file t    lends it: --target rpc://BOARD:9091");
  add_run(app, status);
  add_lower(app, status);
  add_replay(app, status);
  add_config(app, status);
  add_verify(app, status);
  add_asm(app, status);
  add_disasm(app, status);
  add_targets(app, status);
  add_serve(app, status);
  add_bitstream(app, status);
  add_flash(app, status);
}

}  // namespace vantage::cli
