#include "cli/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/known_values.h"

namespace vantage::cli {

namespace {

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// The parser's own names of types are C++'s.
std::string value_word(const std::string& type) {
  const std::string word = type.substr(0, type.find(':'));
  if (word == "INT" || word == "UINT") return "N";
  if (word == "FLOAT") return "X";
  return word;
}

// Of a list the parser makes "[a,b]".
std::string typed_default(const CLI::Option& option) {
  std::string text = option.get_default_str();
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  return text;
}

OptionEntry describe(const CLI::Option& option) {
  OptionEntry entry;
  const std::string type = option.get_type_name();
  const bool is_flag = option.get_items_expected_max() == 0;
  if (option.get_positional()) {
    entry.names = {capitals(option.get_name(true))};
  } else {
    for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  }
  if (!is_flag) entry.value = value_word(type);
  entry.text = option.get_description();
  KnownValues known = known_values(option);
  entry.values = std::move(known.names);
  entry.values_are_all = known.are_all;
  const size_t colon = type.find(':');
  if (colon != std::string::npos && type.find("..", colon) != std::string::npos && entry.values.empty()) {
    entry.range = type.substr(colon + 1);
  }
  if (!is_flag) entry.default_value = typed_default(option);
  entry.required = option.get_required();
  entry.repeats = option.get_items_expected_max() > 1;
  return entry;
}

void read_footer(const std::string& footer, CommandEntry& entry) {
  std::istringstream lines(footer);
  bool in_examples = false;
  std::string comment;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Examples:") {
      in_examples = true;
    } else if (!in_examples) {
      entry.notes.push_back(line);
    } else if (const size_t begin = line.find_first_not_of(' '); begin == std::string::npos) {
      continue;
    } else if (line[begin] == '#') {
      comment = line.substr(line.find_first_not_of("# ", begin));
    } else {
      entry.examples.push_back({std::move(comment), line.substr(begin)});
      comment.clear();
    }
  }
}

}  // namespace

std::string CommandEntry::name(const std::string& tool) const {
  std::string result = tool;
  for (const std::string& word : words) result += " " + word;
  return result;
}

CommandEntry describe(const CLI::App& app) {
  CommandEntry entry;
  for (const CLI::App* level = &app; level->get_parent() != nullptr; level = level->get_parent()) {
    entry.words.insert(entry.words.begin(), level->get_name());
  }
  entry.text = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? entry.arguments : entry.options).push_back(describe(*option));
  }
  read_footer(app.get_footer(), entry);
  for (const CLI::App* command : app.get_subcommands({})) entry.commands.push_back(describe(*command));
  return entry;
}

}  // namespace vantage::cli
