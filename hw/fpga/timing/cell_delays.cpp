#include "hw/fpga/timing/cell_delays.h"

#include "base/error.h"
#include "base/json_object.h"

namespace vantage::fpga {

namespace {

constexpr double kLongest = 1000;

double ns(const JsonObject& object, std::string_view key) {
  return object.number(key, 0, kLongest);
}

std::vector<std::string> optional_strings(const JsonObject& object, std::string_view key) {
  return object.optional(key, &JsonObject::strings).value_or(std::vector<std::string>{});
}

// A parameter's value as netlists say it: text, or a number in digits.
std::string parameter(const JsonObject& object, std::string_view key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return std::to_string(value.get<uint64_t>());
  object.refuse(key, "text or a whole number");
}

std::vector<std::string> one_or_more(const JsonObject& object, const std::string& key) {
  const Json& value = object.value(key);
  if (!value.is_array()) return {parameter(object, key, value)};
  std::vector<std::string> values;
  for (const Json& element : value) values.push_back(parameter(object, key, element));
  return values;
}

CellPath read_path(const JsonObject& object) {
  CellPath path{optional_strings(object, "from"), optional_strings(object, "to"), ns(object, "ns"), {}};
  if (path.from.empty() && path.to.empty()) object.refuse("from", "pins here, in \"to\", or in both");
  if (!object.has("when")) return path;
  const JsonObject when = object.object("when");
  for (const std::string& key : when.keys()) path.when[key] = one_or_more(when, key);
  return path;
}

CellRule read_rule(const JsonObject& object) {
  CellRule rule;
  if (object.has("defaults")) {
    const JsonObject defaults = object.object("defaults");
    for (const std::string& key : defaults.keys()) rule.defaults[key] = parameter(defaults, key, defaults.value(key));
  }
  object.each_object("paths", {"from", "to", "ns", "when"},
                     [&](const JsonObject& path) { rule.paths.push_back(read_path(path)); });
  return rule;
}

void read_nets(const JsonObject& object, CellDelays& delays) {
  delays.net_base = ns(object, "base");
  delays.net_doubling = ns(object, "doubling");
  delays.net_most = ns(object, "most");
  const JsonObject far = object.object("far", {"types", "ns"});
  delays.far_types = far.strings("types");
  delays.far_ns = ns(far, "ns");
  object.each_object("local", {"driver", "out", "sink", "in", "alone", "ns"}, [&](const JsonObject& local) {
    delays.local.push_back({optional_strings(local, "driver"), optional_strings(local, "out"),
                            optional_strings(local, "sink"), optional_strings(local, "in"),
                            local.optional("alone", &JsonObject::boolean).value_or(false), ns(local, "ns")});
  });
}

}  // namespace

CellDelays CellDelays::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  const JsonObject object(json, std::string(source),
                          {"name", "meaning", "source", "family", "calibration", "outside", "nets", "cells"});
  CellDelays delays;
  delays.name = object.string("name");
  delays.meaning = object.string("meaning");
  delays.source = object.string("source");
  delays.family = object.string("family");
  const JsonObject calibration = object.object("calibration", {"core", "nominal_ns", "real_ns", "source"});
  constexpr double kLeast = 0.001;
  delays.calibration_core = calibration.string("core");
  delays.calibration_source = calibration.string("source");
  delays.nominal_ns = calibration.number("nominal_ns", kLeast, kLongest);
  delays.real_ns = calibration.number("real_ns", kLeast, kLongest);
  const JsonObject outside = object.object("outside", {"input", "output"});
  delays.input_ns = ns(outside, "input");
  delays.output_ns = ns(outside, "output");
  read_nets(object.object("nets", {"base", "doubling", "most", "far", "local"}), delays);
  object.each_object("cells", {"types", "defaults", "paths"}, [&](const JsonObject& entry) {
    const CellRule rule = read_rule(entry);
    for (const std::string& type : entry.strings("types")) {
      if (!delays.cells.emplace(type, rule).second)
        entry.refuse("types", "each type once, and " + type + " comes again");
    }
  });
  return delays;
}

std::optional<CellDelays> CellDelays::of_family(std::string_view family) {
  for (const EmbeddedFile& file : delay_files()) {
    CellDelays delays = parse(file.text, "configs/delays/" + file.name);
    if (delays.family == family) return delays;
  }
  return std::nullopt;
}

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.ends_with('*')) return text.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == text;
}

}  // namespace vantage::fpga
