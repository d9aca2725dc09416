// What every command's help promises: it fits, it has examples of its own, and these and its defaults can be typed.
#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "cli/command_tree.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "tests/catch.h"
#include "tests/cli/command_line.h"
#include "tests/support/cli.h"

namespace vantage::test::cli_help_test {

using namespace vantage;
using cli::CommandEntry;

namespace {

CommandEntry top() {
  test::CommandLine line;
  return cli::describe(line.app());
}

// The tool's own command lines in a line of a shell's.
std::vector<std::vector<std::string>> commands_in(const std::string& line) {
  std::vector<std::vector<std::string>> commands;
  bool in_command = false;
  for (const std::string& word : test::words_of(line)) {
    if (word == "vantage" || word == "<(vantage") {
      commands.emplace_back();
      in_command = true;
    } else if (word == "&&" || word == "|" || word == ">") {
      in_command = false;
    } else if (in_command) {
      commands.back().push_back(word.ends_with(')') ? word.substr(0, word.size() - 1) : word);
    }
  }
  return commands;
}

std::string refusal(test::CommandLine& line, const std::vector<std::string>& words) {
  try {
    line.only_parse(words);
  } catch (const CLI::Success&) {
  } catch (const CLI::ParseError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every page of help fits 80 columns", "[unit]") {
  for (const char* name : {"vantage", "./vantage"}) {
    ::setenv("VANTAGE_CALLED_AS", name, 1);
    for_each_command(top(), [&](const CommandEntry& command) {
      std::istringstream page(cli::help_page(command) + (command.commands.empty() ? "" : cli::short_page(command)));
      for (std::string line; std::getline(page, line);) {
        INFO(command.name(name) << ": " << line);
        CHECK(line.size() <= 80);
        CHECK_FALSE(line.ends_with(' '));
      }
    });
  }
  ::unsetenv("VANTAGE_CALLED_AS");
}

TEST_CASE("help shows the name that the tool was called by", "[unit]") {
  ::setenv("VANTAGE_CALLED_AS", "./vantage", 1);
  const std::string page = cli::help_page(top());
  ::unsetenv("VANTAGE_CALLED_AS");
  CHECK_THAT(page, ContainsSubstring("Usage: ./vantage COMMAND") && ContainsSubstring("\n  ./vantage run gemm\n"));
  CHECK(page.find("\n  vantage ") == std::string::npos);
}

TEST_CASE("every command has examples of its own, and they can be typed", "[unit]") {
  std::set<std::string> pages;
  test::CommandLine line;
  for_each_command(top(), [&](const CommandEntry& command) {
    INFO(command.name("vantage"));
    CHECK(command.text != "");
    CHECK(command.examples.size() >= 1);
    std::string lines;
    size_t own = 0;
    for (const cli::Example& example : command.examples) {
      lines += example.line + "\n";
      for (const std::vector<std::string>& words : commands_in(example.line)) {
        INFO(example.line);
        CHECK(refusal(line, words) == "");
        const bool is_own = words.size() >= command.words.size() &&
                            std::equal(command.words.begin(), command.words.end(), words.begin());
        own += is_own ? 1 : 0;
      }
    }
    CHECK(own >= 1);
    CHECK(pages.insert(lines).second);  // not those of another command
  });
  CHECK(pages.size() >= 30);
}

TEST_CASE("defaults that help names are accepted as they stand there, and values say what they are", "[unit]") {
  test::CommandLine line;
  for_each_command(top(), [&](const CommandEntry& command) {
    for (const cli::OptionEntry& option : command.options) {
      INFO(command.name("vantage") << " " << option.names.back());
      CHECK(option.text != "");
      CHECK(option.text.find("default:") == std::string::npos);
      CHECK(option.value != "TEXT");
      if (option.default_value.empty()) continue;
      std::vector<std::string> words = command.words;
      words.insert(words.end(), {option.names.back(), option.default_value});
      std::string error;
      try {
        line.only_parse(words);
      } catch (const CLI::RequiredError&) {  // of an argument that is not given here
      } catch (const CLI::RequiresError&) {  // likewise of an option
      } catch (const CLI::ParseError& e) {
        error = e.what();
      }
      CHECK(error == "");
    }
  });
}

TEST_CASE("run names no target that it would refuse", "[unit]") {
  test::CommandLine line;
  const CommandEntry gemm = cli::describe(*line.app().get_subcommand("run")->get_subcommand("gemm"));
  for (const cli::OptionEntry& option : gemm.options) {
    if (option.names.back() != "--target") continue;
    CHECK(option.text.find("fsim:") != std::string::npos);
    CHECK(option.text.find("cpu:") == std::string::npos);
    for (const std::string& target : option.values) CHECK(target != "cpu:");
  }
}

TEST_CASE("a group without a command shows what it has, and --version which tool it is", "[unit]") {
  const auto bare = test::run_cli({});
  CHECK(bare.status == 0);
  CHECK(bare.err == "");
  CHECK_THAT(bare.out, ContainsSubstring("Usage: vantage COMMAND") && ContainsSubstring("\n  run "));
  const auto group = test::run_cli({"rtl"});
  CHECK(group.status == 0);
  CHECK_THAT(group.out, ContainsSubstring("Usage: vantage rtl COMMAND") && ContainsSubstring("\n  registers "));
  const auto version = test::run_cli({"--version"});
  CHECK(version.status == 0);
  CHECK_THAT(version.out, ContainsSubstring("vantage 0.1.0\n") && ContainsSubstring("\nparts: "));
  const std::string page = test::run_cli({"run", "--help"}).out;
  CHECK(test::run_cli({"help", "run"}).out == page);
  CHECK(test::run_cli({"run", "help"}).out == page);
}

TEST_CASE("tables fit 80 columns", "[golden]") {
  for (const char* command : {"config show pynq", "targets", "bitstream list", "--version", "rtl"}) {
    const auto result = test::run_cli(test::words_of(command));
    CHECK(result.status == 0);
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      INFO(command << ": " << line);
      CHECK(line.size() <= 80);
    }
  }
}

}  // namespace vantage::test::cli_help_test
