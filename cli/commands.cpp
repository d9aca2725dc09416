#include "cli/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <sstream>
#include <string>

#include "base/error.h"
#include "cli/called_as.h"
#include "cli/known_values.h"

namespace vantage::cli {

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  # a matrix multiply, checked, with its counters\n"
    "  vantage run gemm\n"
    "  # 10,000 MNIST images through a trained int8 network\n"
    "  vantage run mlp\n"
    "  # a layer on an accelerator, this processor and its libraries\n"
    "  vantage compare conv --layer C2\n"
    "  # every number derived from a configuration\n"
    "  vantage config show pynq\n"
    "  # record a run, and replay it\n"
    "  vantage run gemm --record run.bundle\n"
    "  vantage replay run.bundle";

// On a board itself, which has no simulators with time.
constexpr const char* kBoardExamples =
    "Examples:\n"
    "  # put a core on this board's FPGA, and try it\n"
    "  vantage flash --config pynq\n"
    "  # a matrix multiply on it, checked\n"
    "  vantage run gemm --target pynq:\n"
    "  # lend it to others, who open rpc://BOARD:9091\n"
    "  vantage serve --listen 0.0.0.0:9091 --token-file token";

// The launcher's own commands, which never reach this program but are part of what its user sees: VANTAGE_LAUNCHER has
// them, one a line, as name, what it does, and the values of its argument, between tabs.
void add_launchers_own(CLI::App& app) {
  const char* text = std::getenv("VANTAGE_LAUNCHER");
  std::istringstream lines(text != nullptr ? text : "");
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = CLI::detail::split(line, '\t');
    if (fields.size() < 2) continue;
    CLI::App* command = app.add_subcommand(fields[0], fields[1]);
    if (fields.size() > 2) {
      command->add_option("name")->type_name("NAME")->check(
          such_as([names = fields[2]] { return CLI::detail::split(names, ' '); }));
    }
    command->footer(fmt::format("Examples:\n  vantage {} --help", fields[0]));
    command->allow_extras();
    command->callback([name = fields[0]] { fail("'{}' is a command of the launcher; call ./vantage {}", name, name); });
  }
}

}  // namespace

void add_left_out(CLI::App& app, const std::string& name, const std::string& what, const std::string& before) {
  const std::string called = before + name;
  CLI::App* command = app.add_subcommand(name, what);
  command->footer(
      fmt::format("This build leaves it out. In a checkout `./vantage {0}` builds it when it is first called, "
                  "without --help; elsewhere take a build with more parts (`vantage --version` lists them).\n"
                  "Examples:\n"
                  "  vantage {0}",
                  called));
  command->allow_extras();
  command->callback([called] {
    fail("this build leaves out '{}'; in a checkout, ./vantage {} builds it when it is first called, without --help",
         called, called);
  });
}

// What a build leaves out is not referred to, and so not linked.
void add_commands(CLI::App& app, int& status) {
  add_run(app, status);
  if constexpr (VANTAGE_HAS_PROCESSOR) {
    add_compare(app, status);
    add_compile(app, status);
    add_explain(app, status);
    add_sweep(app, status);
    add_explore(app, status);
    add_worker(app, status);
  } else if constexpr (VANTAGE_HAS_TIME) {
    add_left_out(app, "compare", kCompare);
    add_left_out(app, "compile", kCompile);
    add_left_out(app, "explain", kExplain);
    add_left_out(app, "sweep", kSweep);
    add_left_out(app, "explore", kExplore);
  }
  add_lower(app, status);
  add_replay(app, status);
  if constexpr (VANTAGE_HAS_TIME) add_report(app, status);
  add_validate(app, status);
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
  add_launchers_own(app);
  add_completion(app, status);
  add_man(app, status);
  app.footer(VANTAGE_HAS_TIME ? kExamples : kBoardExamples);
}

}  // namespace vantage::cli
