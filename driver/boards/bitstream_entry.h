// What a manifest says of a bitstream: {name, boards, part, hardware_version, configuration, register_map, clock_mhz,
// source, sha256, bytes, licence}. `source` is a URL, or "build" for what `vantage bitstream build` makes. `sha256`,
// `bytes` and `licence` may be null: not known. What was built here also has `config`, all keys of the configuration.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/units.h"
#include "hw/isa/config.h"

namespace vantage::boards {

struct BitstreamEntry {
  std::string name;  // letters, digits, and . _ - between them: also a file's name
  std::vector<std::string> boards;
  std::string part;  // as .bit files name it
  std::string hardware_version;
  std::string configuration;               // its string
  std::optional<isa::Config> config = {};  // of that string; none: only this is known
  std::string register_map;
  double clock_mhz = 0;  // that it was made for
  std::string source;
  std::optional<std::string> sha256;
  std::optional<Bytes> bytes;
  std::optional<std::string> licence;
  bool built_here = false;

  static constexpr const char* kBuild = "build";  // the source of what is not fetched
  bool is_built() const { return source == kBuild; }

  // Whether it may be of this configuration, by what is known of it: all of the core, or the string.
  bool may_be_of(const isa::Config& other) const;

  Json to_json() const;
  // Throws Error that names `source`, the key, the value and what would be right.
  static BitstreamEntry from_json(const Json& json, std::string_view source);
};

}  // namespace vantage::boards
