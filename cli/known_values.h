// Options whose values are known by name: checked, suggested, shown in help and offered by completion, all from the one
// list that the option is given.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class Option;
class Validator;
}  // namespace CLI

namespace vantage::cli {

using Names = std::function<std::vector<std::string>()>;

// A check that the value is one of these names; any other is refused with the nearest.
CLI::Validator one_of(const std::vector<std::string>& names);

// A check that the value is not empty. It may be one of these names, which are looked up when they are needed, or
// something else: whoever reads it says what is wrong with it.
CLI::Validator such_as(Names names);

// The names that either of the two was given, and whether there can be no others.
struct KnownValues {
  std::vector<std::string> names;
  bool are_all = false;
};
KnownValues known_values(const CLI::Option& option);

// What --target can be: a scheme, and a URI as far as it is the same for all.
Names target_names();

// Of --config, --memory, --energy, --board and --map: the names of the project's own files.
Names configuration_names();
Names memory_names();
Names energy_names();
Names space_names();
Names board_names();
Names part_names();
Names part_and_board_names();
Names register_map_names();

}  // namespace vantage::cli
