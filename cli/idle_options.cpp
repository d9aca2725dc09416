#include "cli/idle_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"

namespace vantage::cli {

void refuse_options(const CLI::App& command, const std::vector<std::string>& options, std::string_view why) {
  for (const std::string& name : options) {
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option != nullptr && option->count() > 0) fail("{} {}; leave it out", name, why);
  }
}

void refuse_other_options(const CLI::App& command, const std::vector<std::string>& but, std::string_view why) {
  std::vector<std::string> others;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) continue;
    if (std::find(but.begin(), but.end(), option->get_name()) == but.end()) others.push_back(option->get_name());
  }
  refuse_options(command, others, why);
}

}  // namespace vantage::cli
