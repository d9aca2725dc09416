#include "cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/help.h"
#include "cli/version.h"

namespace vantage::cli {

namespace {

// Text for roff: no escape, no request at a line's beginning, hyphens that can be copied.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

// A paragraph with a label that hangs to its left.
std::string item(const std::string& label, const std::string& text) {
  return fmt::format(".TP\n.B {}\n{}\n", escaped(label), escaped(text));
}

std::string option_label(const OptionEntry& option) {
  std::string label = fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.value.empty() && option.names.front().starts_with('-')) label += " " + option.value;
  return option.repeats ? label + "..." : label;
}

std::string section_of_options(const char* title, const std::vector<OptionEntry>& options) {
  if (options.empty()) return {};
  std::string text = fmt::format(".SH {}\n", title);
  for (const OptionEntry& option : options) {
    text += item(option_label(option), option_text(option));
    if (!option.values.empty() && !option.values_are_all) {
      text += fmt::format(".br\nKnown by name: {}.\n", escaped(fmt::format("{}", fmt::join(option.values, ", "))));
    }
  }
  return text;
}

// Paragraphs, which are roff already.
std::string section(const char* title, const std::vector<std::string>& paragraphs) {
  if (paragraphs.empty()) return {};
  return fmt::format(".SH {}\n{}\n", title, fmt::join(paragraphs, "\n.PP\n"));
}

}  // namespace

std::string manual_name(const CommandEntry& command) {
  std::string name = "vantage";
  for (const std::string& word : command.words) name += "-" + word;
  return name;
}

std::string manual_page(const CommandEntry& command) {
  std::string title = manual_name(command);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text = fmt::format(".TH {} 1 \"\" \"vantage {}\" \"User Commands\"\n", escaped(title), version());
  text += ".\\\" Made from the command's help by `vantage man`.\n.ad l\n.nh\n";
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(manual_name(command)), escaped(command.text));
  text += fmt::format(".SH SYNOPSIS\n.B vantage\n{}\n", escaped(usage_line(command).substr(1)));
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandEntry& below : command.commands) text += item(below.words.back(), below.text);
  }
  text += section_of_options("ARGUMENTS", command.arguments) + section_of_options("OPTIONS", command.options);
  std::vector<std::string> notes;
  for (const std::string& note : command.notes) notes.push_back(escaped(note));
  text += section("NOTES", notes);
  text += section("EXIT STATUS", {"0 for success, 1 when a check failed, 2 for a mistake in what was asked, 70 for an "
                                  "internal error."});
  std::vector<std::string> examples;
  for (const Example& example : command.examples) {
    const std::string comment = example.comment.empty() ? "" : escaped(example.comment) + ":\n";
    examples.push_back(fmt::format("{}.nf\n    {}\n.fi", comment, escaped(example.line)));
  }
  text += section("EXAMPLES", examples);
  text += ".SH SEE ALSO\n";
  std::string others;
  if (!command.words.empty()) {
    CommandEntry parent;
    parent.words = {command.words.begin(), command.words.end() - 1};
    others = fmt::format(".BR {} (1)", escaped(manual_name(parent)));
  }
  for (const CommandEntry& below : command.commands) {
    others += fmt::format("{}.BR {} (1)", others.empty() ? "" : ",\n", escaped(manual_name(below)));
  }
  return text + others + "\n";
}

}  // namespace vantage::cli
