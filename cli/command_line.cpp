#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/version.h"
#include "network/archive.h"

namespace vantage::cli {

namespace {

bool has_command(const CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; }).empty();
}

// Whether a file is one that `vantage compile` wrote; one that is not there may be meant to be.
bool holds_model(const std::string& path) {
  std::array<char, 512> begin{};
  std::ifstream file(path, std::ios::binary);
  if (!file) return path.ends_with(".tar");
  file.read(begin.data(), begin.size());
  return is_model_archive({begin.data(), static_cast<size_t>(file.gcount())});
}

// The command that runs a file.
std::string kind_of_file(const std::string& path) {
  if (path.ends_with(".onnx")) return "onnx";
  return holds_model(path) ? "archive" : "program";
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
