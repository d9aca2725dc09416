#include "cli/mistakes.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/suggest.h"
#include "cli/called_as.h"
#include "cli/command_tree.h"

namespace vantage::cli {

namespace {

const CLI::App& root_of(const CLI::App& app) {
  const CLI::App* level = &app;
  while (level->get_parent() != nullptr) level = level->get_parent();
  return *level;
}

std::string path_of(const CLI::App& app) {
  return describe(app).name(called_as());
}

// "; did you mean 'A' or 'B'?", of at most three.
std::string suggestion(const std::vector<std::string>& names) {
  return fmt::format("; did you mean {}?",
                     alternatives(std::vector<std::string_view>(names.begin(), names.end()), "'", "'"));
}

// Those below `top` whose last word is near `word`, by all their words.
std::vector<std::string> commands_like(const CommandEntry& top, const std::string& word) {
  std::vector<std::string> last_words;
  for_each_command(top, [&](const CommandEntry& command) {
    if (!command.words.empty()) last_words.push_back(command.words.back());
  });
  std::sort(last_words.begin(), last_words.end());
  last_words.erase(std::unique(last_words.begin(), last_words.end()), last_words.end());
  const std::vector<std::string> near = near_names(word, last_words);
  std::vector<std::string> found;
  for_each_command(top, [&](const CommandEntry& command) {
    if (command.words.empty() || std::find(near.begin(), near.end(), command.words.back()) == near.end()) return;
    found.push_back(command.name("").substr(1));
  });
  return found;
}

std::vector<std::string> option_names(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// Those at or below `top` that have an option of exactly this name.
std::vector<std::string> commands_with(const CommandEntry& top, const std::string& option) {
  std::vector<std::string> found;
  for_each_command(top, [&](const CommandEntry& command) {
    const std::vector<std::string> names = option_names(command);
    if (std::find(names.begin(), names.end(), option) == names.end()) return;
    found.push_back(command.words.empty() ? called_as() : command.name("").substr(1));
  });
  return found;
}

// `chosen` is the command that the rest of the line names, which may be further to the right than `app`.
std::string unknown_option(const CLI::App& app, const CLI::App& chosen, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  const std::string message = fmt::format("unknown option '{}'", option);
  constexpr size_t kMost = 4;
  const CommandEntry entry = describe(app);
  // What belongs to a command further to the right, or only to another one.
  for (const CommandEntry& top : {describe(chosen), entry, describe(root_of(app))}) {
    const std::vector<std::string> owners = commands_with(top, option);
    if (owners.empty()) continue;
    std::vector<std::string_view> shown(owners.begin(), owners.end());
    shown.resize(std::min(owners.size(), kMost));
    const std::string others = owners.size() > kMost ? " and others" : "";
    if (top.words.size() >= entry.words.size() && !entry.commands.empty()) {
      return fmt::format("{}; it stands behind {}{}", message, alternatives(shown, "'", "'"), others);
    }
    std::vector<std::string> names = option_names(entry);
    const std::vector<std::string> near = near_names(option, names);
    const std::string has = fmt::format("{} {} it", alternatives(shown, "'", "'"), owners.size() > 1 ? "have" : "has");
    return near.empty() ? fmt::format("{}; {}", message, has) : message + suggestion(near);
  }
  std::vector<std::string> names = option_names(entry);
  if (&chosen != &app && near_names(option, names).empty()) {
    const CommandEntry behind = describe(chosen);
    const std::vector<std::string> near = near_names(option, option_names(behind));
    if (!near.empty()) {
      std::string text = message + suggestion(near);
      text.pop_back();
      return fmt::format("{} behind '{}'?", text, behind.name("").substr(1));
    }
  }
  // A command with dashes before it.
  for (const CommandEntry& command : entry.commands) names.push_back(command.words.back());
  const std::vector<std::string> near = near_names(option, names);
  if (!near.empty()) return message + suggestion(near);
  return fmt::format("{}; see '{} --help'", message, path_of(app));
}

// The parser's message about an option or argument of `command`, in this tool's words where it has better ones.
std::string in_words(const CommandEntry& command, const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find(':'));
  if (error.get_name() == "RequiredError") {
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      for (const OptionEntry& argument : command.arguments) {
        if (argument.text == option->get_description()) return argument.names[0] + " is missing: " + argument.text;
      }
    }
  }
  if (error.get_name() == "ArgumentMismatch") {
    if (text.ends_with(" missing")) return name + ": its value is missing";
    if (text.find("At Most 1") != std::string::npos) return name + " is given more than once";
  }
  if (error.get_name() == "ConversionError") {
    for (const OptionEntry& option : command.options) {
      const size_t at = text.find(option.names.back() + " = ");
      if (option.value.empty() && at != std::string::npos) return option.names.back() + " takes no value";
    }
  }
  return text;
}

}  // namespace

std::string unknown_command(const CLI::App& group, const std::string& word) {
  const CommandEntry entry = describe(group);
  std::vector<std::string> names;
  for (const CommandEntry& command : entry.commands) names.push_back(command.words.back());
  const std::string message = fmt::format("unknown command '{}'", word);
  // Here, with the options that are often typed as commands; or elsewhere in the tree.
  std::vector<std::string> with_options = names;
  for (const std::string& option : option_names(entry)) {
    if (option.starts_with("--")) with_options.push_back(option);
  }
  const std::vector<std::string> near = near_names(word, with_options);
  if (!near.empty()) return message + suggestion(near);
  const std::vector<std::string> elsewhere = commands_like(describe(root_of(group)), word);
  constexpr size_t kMost = 4;
  if (!elsewhere.empty() && elsewhere.size() <= kMost) return message + suggestion(elsewhere);
  return message + did_you_mean(word, names);
}

std::string explain(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App* last = &root;
  while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
  const CLI::App* level = &root;
  while (true) {
    const std::vector<std::string> left = level->remaining();
    const bool is_group = !level->get_subcommands({}).empty();
    const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-' && word != "--"; };
    const auto wrong = is_group ? left.begin() : std::find_if(left.begin(), left.end(), is_option);
    if (wrong != left.end())
      return is_option(*wrong) ? unknown_option(*level, *last, *wrong) : unknown_command(*level, *wrong);
    const std::vector<CLI::App*> chosen = level->get_subcommands();
    if (chosen.empty()) break;
    level = chosen.front();
  }
  const std::vector<std::string> left = level->remaining();
  std::string text = in_words(describe(*level), *level, error);
  if (!left.empty()) {
    // An option without its dashes, perhaps.
    const std::vector<std::string> near = near_names(left.front(), option_names(describe(*level)));
    text = fmt::format("unexpected argument '{}'{}", left.front(), near.empty() ? "" : suggestion(near));
  }
  if (text.ends_with('?')) return text;
  return fmt::format("{}; see '{} --help'", text, path_of(*level));
}

}  // namespace vantage::cli
