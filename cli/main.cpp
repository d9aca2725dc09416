#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <new>

#include "cli/commands.h"
#include "hw/spec/error.h"
#include "hw/spec/suggest.h"

namespace {

// A word where a subcommand should stand, but that is none: CLI11 would only say that one is required.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* level = &app;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* command : level->get_subcommands({})) {
      names.push_back(command->get_name());
      if (command->get_name() == argv[i]) next = command;
    }
    if (names.empty()) return;  // what follows are this command's own arguments
    if (next == nullptr) vantage::fail("unknown command '{}'{}", argv[i], vantage::did_you_mean(argv[i], names));
    level = next;
  }
}

int run(int argc, char** argv) {
  CLI::App app(
      "Vantage: a workbench for tensor accelerators of the VTA kind.\n"
      "One JSON file describes an accelerator; these commands run, replay and inspect programs on it.");
  app.name("vantage");
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* failed, const CLI::Error& e) {
    std::string command = failed->get_name();
    for (auto used = failed->get_subcommands(); !used.empty(); used = used.front()->get_subcommands()) {
      command += " " + used.front()->get_name();
    }
    return fmt::format("error: {}; see '{} --help'\n", e.what(), command);
  });
  app.footer(
      "Examples:\n"
      "  vantage run gemm                       the blocked matrix multiply, checked, with its counters\n"
      "  vantage run mlp                        10,000 MNIST images through a trained int8 network\n"
      "  vantage config show pynq               every number derived from a configuration\n"
      "  vantage replay DIR                     run a recorded bundle and compare");

  int status = 0;
  using namespace vantage::cli;
  add_run(app, status);
  add_replay(app, status);
  add_config(app, status);
  add_verify(app, status);
  add_asm(app, status);
  add_disasm(app, status);
  add_targets(app, status);

  constexpr int kUserMistake = 2;
  constexpr int kOurs = 70;  // EX_SOFTWARE
  try {
    refuse_unknown_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help
  } catch (const CLI::ParseError& e) {
    app.exit(e);
    return kUserMistake;
  } catch (const vantage::Error& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return kUserMistake;
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "error: {}: {}\n", e.path1().string(), e.code().message());
    return kUserMistake;
  } catch (const vantage::InternalError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return kOurs;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: this machine's memory is too small for that; use smaller sizes\n");
    return kUserMistake;
  }
  if (std::fflush(stdout) != 0) {
    fmt::print(stderr, "error: the output cannot be written\n");
    return kUserMistake;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv);
}
