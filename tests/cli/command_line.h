// The command line as the tool has it.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace vantage::test {

// A tool of its own, for one command line or, where they are only parsed, for one after the other: making a tool takes
// longer than reading what was typed.
class CommandLine {
 public:
  CommandLine() { cli::make_command_line(app_, status_); }

  CLI::App& app() { return app_; }

  void parse(const std::vector<std::string>& words) {
    std::vector<std::string> reversed = cli::spelled_out(words, app_);
    std::reverse(reversed.begin(), reversed.end());
    app_.parse(std::move(reversed));
  }

  // The same without running what was named.
  void only_parse(const std::vector<std::string>& words) {
    struct Parsed {};
    app_.parse_complete_callback([] { throw Parsed(); });  // which comes before those of the commands
    try {
      parse(words);
    } catch (const Parsed&) {
    }
  }

 private:
  CLI::App app_;
  int status_ = 0;
};

// As a shell would, of plain words and words in single quotes.
inline std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      word = word.value_or("");
    } else if (c == ' ' && !quoted) {
      if (word) words.push_back(std::move(*word));
      word.reset();
    } else {
      word = word.value_or("") + c;
    }
  }
  if (word) words.push_back(std::move(*word));
  return words;
}

}  // namespace vantage::test
