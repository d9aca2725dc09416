#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace vantage::cli {

void add_run(CLI::App& app, int& status) {
  CLI::App* run = app.add_subcommand("run", "build a workload, run it on a device and check its result");
  run->require_subcommand(1);
  run->footer(
      "Examples:\n"
      "  vantage run gemm --m 64 --k 300 --n 70 --bias\n"
      "  vantage run conv --layer C2\n"
      "  vantage run elementwise --size 100000 --op add --shift 1\n"
      "  vantage run mlp --config 32x32 --json");
  add_run_conv(*run, status);
  add_run_elementwise(*run, status);
  add_run_gemm(*run, status);
  add_run_mlp(*run, status);
}

}  // namespace vantage::cli
