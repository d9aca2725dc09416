#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/called_as.h"
#include "cli/wrap.h"

namespace vantage::cli {

namespace {

constexpr size_t kTextColumn = 24;

// A row of two columns.
std::string row(const std::string& left, const std::string& right) {
  std::string result = "  " + left;
  if (right.empty()) return result + "\n";
  if (result.size() + 2 > kTextColumn) {
    result += "\n" + std::string(kTextColumn, ' ');
  } else {
    result.resize(kTextColumn, ' ');
  }
  return result + wrapped(with_called_as(right), kTextColumn);
}

std::string option_name(const OptionEntry& option) {
  // Those without a short name leave room for one, so that the long ones stand below each other.
  std::string text =
      fmt::format("{}{}", option.names.front().starts_with("--") ? "    " : "", fmt::join(option.names, ", "));
  if (!option.value.empty()) text += fmt::format(" {}{}", option.value, option.repeats ? "..." : "");
  return text;
}

std::string command_rows(const CommandEntry& command) {
  std::string text = "\nCommands:\n";
  for (const CommandEntry& below : command.commands) text += row(below.words.back(), below.text);
  return text;
}

std::string head(const CommandEntry& command) {
  return wrapped(with_called_as(command.text), 0) + "\nUsage: " + wrapped(called_as() + usage_line(command), 7);
}

}  // namespace

std::string usage_line(const CommandEntry& command) {
  std::string text = command.name("");
  text += command.commands.empty() ? " [options]" : " COMMAND";
  for (const OptionEntry& argument : command.arguments) {
    const std::string name = argument.names.front() + (argument.repeats ? "..." : "");
    text += argument.required ? " " + name : fmt::format(" [{}]", name);
  }
  return text;
}

std::string option_text(const OptionEntry& option) {
  std::string text = option.text;
  if (option.values_are_all) text += fmt::format(": {}", fmt::join(option.values, ", "));
  std::string limits = option.range;
  if (!option.default_value.empty()) {
    limits += fmt::format("{}default: {}", limits.empty() ? "" : ", ", option.default_value);
  }
  return limits.empty() ? text : fmt::format("{} ({})", text, limits);
}

std::string help_page(const CommandEntry& command) {
  std::string text = head(command);
  if (!command.commands.empty()) text += command_rows(command);
  if (!command.arguments.empty()) {
    text += "\nArguments:\n";
    for (const OptionEntry& argument : command.arguments) text += row(argument.names.front(), option_text(argument));
  }
  text += "\nOptions:\n";
  for (const OptionEntry& option : command.options) text += row(option_name(option), option_text(option));
  if (!command.notes.empty()) text += "\n";
  for (const std::string& note : command.notes) text += wrapped(with_called_as(note), 0);
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : command.examples) {
    if (!example.comment.empty()) text += fmt::format("  # {}\n", example.comment);
    text += fmt::format("  {}\n", with_called_as(example.line));
  }
  return text;
}

std::string short_page(const CommandEntry& command) {
  return head(command) + command_rows(command) + "\n" +
         wrapped(fmt::format("'{} --help' shows options and examples, '{} COMMAND --help' those of a command.",
                             command.name(called_as()), command.name(called_as())),
                 0);
}

}  // namespace vantage::cli
