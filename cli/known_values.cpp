#include "cli/known_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/installation.h"
#include "base/settings.h"
#include "base/suggest.h"
#include "driver/open/open.h"

namespace vantage::cli {

namespace {

// The argument parser keeps nothing of a check but its description, so the list is kept there.
constexpr char kAll = '=', kSome = '~';

class Known : public CLI::Validator {
 public:
  Known(char mark, Names names, std::function<std::string(std::string&)> check) {
    desc_function_ = [mark, names = std::move(names)] { return fmt::format("{}{}", mark, fmt::join(names(), " ")); };
    func_ = std::move(check);
  }
};

Names settings_of(const char* folder) {
  return [folder] { return settings_in(data_folder() / "configs" / folder); };
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& names) {
  return Known(
      kAll, [names] { return names; },
      [names](std::string& text) -> std::string {
        if (std::find(names.begin(), names.end(), text) != names.end()) return "";
        return fmt::format("there is no '{}'{}", text, did_you_mean(text, names));
      });
}

CLI::Validator such_as(Names names) {
  return Known(kSome, std::move(names),
               [](std::string& text) -> std::string { return text.empty() ? "the value is empty" : ""; });
}

KnownValues known_values(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t colon = type.find(':');
  if (colon == std::string::npos || colon + 1 == type.size()) return {};
  const char mark = type[colon + 1];
  if (mark != kAll && mark != kSome) return {};
  KnownValues known{{}, mark == kAll};
  for (std::string& name : CLI::detail::split(type.substr(colon + 2), ' ')) {
    if (!name.empty()) known.names.push_back(std::move(name));
  }
  return known;
}

Names target_names() {
  return [] {
    std::vector<std::string> names;
    for (const auto& kind : driver::accelerator_kinds()) {
      names.push_back(kind.scheme + (kind.rest.starts_with("//") ? "://" : ":"));
    }
    return names;
  };
}

Names configuration_names() {
  return settings_of("accelerators");
}

Names memory_names() {
  return settings_of("memory");
}

Names energy_names() {
  return settings_of("energy");
}

Names space_names() {
  return settings_of("spaces");
}

Names board_names() {
  return settings_of("boards");
}

Names part_names() {
  return settings_of("parts");
}

Names part_and_board_names() {
  return [] {
    std::vector<std::string> names = part_names()();
    for (std::string& name : board_names()()) names.push_back(std::move(name));
    return names;
  };
}

Names register_map_names() {
  return settings_of("boards/register_maps");
}

}  // namespace vantage::cli
