#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <new>
#include <system_error>

#include "base/error.h"
#include "base/one_line.h"
#include "base/signals.h"
#include "cli/command_line.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/help.h"
#include "cli/mistakes.h"
#include "cli/output.h"

namespace {

using namespace vantage::cli;

constexpr int kFailure = 1;
constexpr int kUserMistake = 2;
constexpr int kOurs = 70;  // EX_SOFTWARE

int report(std::string_view kind, std::string_view message, int status) {
  print_error("{}: {}\n", kind, vantage::one_line(message));
  return status;
}

// Runs `parse`, turning what it throws into a message and an exit status.
int guarded(const CLI::App& app, const std::function<void()>& parse) {
  try {
    parse();
    return 0;
  } catch (const CLI::Success& e) {
    // --help or --version; whose help, if not all was understood?
    if (!app.remaining(true).empty()) return report("error", explain(app, e), kUserMistake);
    return guarded(app,
                   [&] { print_out("{}", e.get_name() == "CallForHelp" ? app.help() : e.what() + std::string("\n")); });
  } catch (const CLI::ParseError& e) {
    return report("error", explain(app, e), kUserMistake);
  } catch (const Failure& e) {
    return report("error", e.what(), kFailure);
  } catch (const vantage::Error& e) {
    print_failure(e);
    return kUserMistake;
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

// A group of commands, of which none was named: what there is.
void show_group(const CLI::App& app) {
  const CLI::App* level = &app;
  while (!level->get_subcommands().empty()) level = level->get_subcommands().front();
  if (!level->get_subcommands({}).empty()) print_out("{}", short_page(describe(*level)));
}

int run(int argc, char** argv) {
  CLI::App app;
  int status = 0;
  make_command_line(app, status);
  const int failure = guarded(app, [&] {
    const vantage::SignalHandling signals;
    // The parser wants them from the last to the first.
    std::vector<std::string> words = spelled_out({argv + 1, argv + argc}, app);
    require_full_lists(words, app);
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
    show_group(app);
  });
  const int unwritten = guarded(app, flush_out);
  if (failure != 0) return failure;
  return unwritten != 0 ? unwritten : status;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv);
}
