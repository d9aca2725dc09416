#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/output_file.h"
#include "cli/version.h"
#include "network/archive.h"

namespace vantage::cli {

namespace {

bool has_command(const CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; }).empty();
}

// Whether a file is one that `vantage compile` wrote, or is called as if: one that is not there may be meant to be, one
// that was cut off is told so.
bool holds_model(const std::string& path) {
  if (path.ends_with(".tar")) return true;
  std::array<char, 512> begin{};
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), begin.size());
  return is_model_archive({begin.data(), static_cast<size_t>(file.gcount())});
}

// The command that runs a file.
std::string kind_of_file(const std::string& path) {
  if (path.ends_with(".onnx")) return "onnx";
  return holds_model(path) ? "archive" : "program";
}

void keep_inputs(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) {
    command->parse_complete_callback([command] { require_inputs_stay(*command); });
    keep_inputs(*command);
  }
}

}  // namespace

void make_command_line(CLI::App& app, int& status) {
  app.name("vantage");
  app.description(
      "Vantage: a workbench for tensor accelerators of the VTA kind. One JSON file describes an accelerator; these "
      "commands run, replay and inspect programs on it.");
  app.set_help_flag("-h,--help", "this page");
  app.set_version_flag("--version", version_page(), "which Vantage this is, and what it was built with");
  app.formatter_fn(
      [](const CLI::App* command, const std::string&, CLI::AppFormatMode) { return help_page(describe(*command)); });
  // At most one at every level; without one a group says what it has.
  app.require_subcommand(0, 1);
  add_commands(app, status);
  keep_inputs(app);
}

void require_full_lists(const std::vector<std::string>& words, const CLI::App& app) {
  const CLI::App* command = &app;
  for (size_t i = 0; i < words.size(); ++i) {
    if (has_command(*command, words[i])) command = command->get_subcommand(words[i]);
    const size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const CLI::Option* option = command->get_option_no_throw(words[i].substr(0, equals));
    if (option == nullptr || option->get_delimiter() != ',') continue;
    if (equals == std::string::npos && i + 1 == words.size()) continue;
    const std::string list = equals == std::string::npos ? words[i + 1] : words[i].substr(equals + 1);
    if (!list.starts_with(',') && !list.ends_with(',') && list.find(",,") == std::string::npos) continue;
    fail("{} {}: an item of the list is empty; leave out its comma", option->get_name(), list);
  }
}

std::vector<std::string> spelled_out(std::vector<std::string> words, const CLI::App& app) {
  // "help", wherever a command may stand.
  const CLI::App* level = &app;
  for (auto word = words.begin(); word != words.end() && !level->get_subcommands({}).empty(); ++word) {
    if (*word == "help") {
      words.erase(word);
      words.emplace_back("--help");
      break;
    }
    if (!has_command(*level, *word)) break;
    level = level->get_subcommand(*word);
  }
  const bool runs_file = words.size() > 1 && words[0] == "run" && !words[1].starts_with('-') &&
                         !has_command(*app.get_subcommand("run"), words[1]) &&
                         (std::filesystem::exists(words[1]) || words[1].find_first_of("./") != std::string::npos);
  if (runs_file) words.insert(words.begin() + 1, kind_of_file(words[1]));
  return words;
}

}  // namespace vantage::cli
