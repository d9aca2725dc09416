// The commands as data, read off the tree that the argument parser has. Help, manual pages, completion and the tests of
// all three are made of this, so what one of them says the others say as well.
//
// A footer of a command has a fixed form: paragraphs, then "Examples:" and one command line after another, each
// indented by two spaces and beginning with "vantage" (or with settings of the environment before it). A line that
// begins with '#' says what the next one is for.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace vantage::cli {

struct OptionEntry {
  std::vector<std::string> names;  // as typed: "-o", "--output"; of an argument its name in capitals
  std::string value;               // what stands for its value, as "FILE"; empty for a flag
  std::string text;
  std::string range;                // of numbers: "1..16"
  std::string default_value;        // as it may be typed; empty without one
  std::vector<std::string> values;  // that are known by name
  bool values_are_all = false;
  bool required = false;
  bool repeats = false;

  // The value may be a file, or a folder, of the user's.
  bool takes_file() const { return value.find("FILE") != std::string::npos; }
  bool takes_folder() const { return value.find("DIR") != std::string::npos; }
};

struct Example {
  std::string comment;  // without '#'; may be empty
  std::string line;
};

struct CommandEntry {
  std::vector<std::string> words;  // behind the tool's name: {"run", "gemm"}
  std::string text;
  std::vector<OptionEntry> arguments, options;
  std::vector<std::string> notes;  // paragraphs
  std::vector<Example> examples;
  std::vector<CommandEntry> commands;

  // "vantage run gemm", after `tool`.
  std::string name(const std::string& tool) const;
};

// This command and all below it.
CommandEntry describe(const CLI::App& app);

// Calls `visit` with `top` and everything below it, parents first.
template <typename Visit>
void for_each_command(const CommandEntry& top, const Visit& visit) {
  visit(top);
  for (const CommandEntry& command : top.commands) for_each_command(command, visit);
}

}  // namespace vantage::cli
