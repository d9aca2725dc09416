#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <new>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "base/signals.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/one_line.h"
#include "cli/output.h"

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

constexpr int kUserMistake = 2;
constexpr int kOurs = 70;  // EX_SOFTWARE

int report(std::string_view kind, std::string_view message, int status) {
  vantage::cli::print_error("{}: {}\n", kind, vantage::cli::one_line(message));
  return status;
}

// Runs `parse`, turning what it throws into a message and an exit status.
int guarded(const CLI::App& app, const std::function<void()>& parse) {
  try {
    parse();
    return 0;
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help
  } catch (const CLI::ParseError& e) {
    std::string command = app.get_name();
    for (auto used = app.get_subcommands(); !used.empty(); used = used.front()->get_subcommands()) {
      command += " " + used.front()->get_name();
    }
    return report("error", fmt::format("{}; see '{} --help'", e.what(), command), kUserMistake);
  } catch (const vantage::ToolError& e) {
    report("error", e.what(), kUserMistake);
    std::istringstream output(e.output());
    for (std::string line; std::getline(output, line);)
      vantage::cli::print_error("  | {}\n", vantage::cli::one_line(line));
    return kUserMistake;
  } catch (const vantage::Error& e) {
    return report("error", e.what(), kUserMistake);
  } catch (const std::filesystem::filesystem_error& e) {
    return report("error", fmt::format("{}: {}", e.path1().string(), e.code().message()), kUserMistake);
  } catch (const std::system_error& e) {
    return report("error", fmt::format("the system refused what is needed: {}", e.what()), kUserMistake);
  } catch (const std::bad_alloc&) {
    return report("error", "this machine's memory is too small for that; use smaller sizes", kUserMistake);
  } catch (const std::exception& e) {
    return report("internal error", e.what(), kOurs);
  }
}

int run(int argc, char** argv) {
  CLI::App app(
      "Vantage: a workbench for tensor accelerators of the VTA kind.\n"
      "One JSON file describes an accelerator; these commands run, replay and inspect programs on it.");
  app.name("vantage");
  app.require_subcommand(1);
  int status = 0;
  using namespace vantage::cli;
  add_commands(app, status);

  const int failure = guarded(app, [&] {
    const vantage::SignalHandling signals;
    refuse_unknown_command(app, argc, argv);
    app.parse(argc, argv);
  });
  if (failure != 0) return failure;
  const int unwritten = guarded(app, flush_out);
  return unwritten != 0 ? unwritten : status;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv);
}
