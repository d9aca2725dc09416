#include "cli/called_as.h"

#include <cstdlib>

namespace vantage::cli {

namespace {

constexpr std::string_view kTool = "vantage";

// Whether a command may begin behind this text.
bool begins_command(std::string_view before) {
  if (before.empty() || before.ends_with('`') || before.ends_with('\'') || before.ends_with('(')) return true;
  if (!before.ends_with(' ')) return false;
  before.remove_suffix(1);
  const std::string_view word = before.substr(before.rfind(' ') + 1);
  return word == "&&" || word == "|" || word == "with:" || word.find('=') != std::string_view::npos;
}

}  // namespace

std::string called_as() {
  const char* name = std::getenv("VANTAGE_CALLED_AS");
  return name != nullptr && *name != '\0' ? name : std::string(kTool);
}

std::string with_called_as(std::string_view text) {
  const std::string name = called_as();
  std::string result;
  size_t done = 0;
  for (size_t at = text.find(kTool); at != std::string_view::npos; at = text.find(kTool, at + kTool.size())) {
    const bool is_word = at + kTool.size() < text.size() && text[at + kTool.size()] == ' ';
    if (!is_word || !begins_command(text.substr(0, at))) continue;
    result += text.substr(done, at - done);
    result += name;
    done = at + kTool.size();
  }
  return result.append(text.substr(done));
}

}  // namespace vantage::cli
