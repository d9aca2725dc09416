#include "hw/fpga/timing/netlist.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "base/error.h"
#include "base/json_object.h"

namespace vantage::fpga {

namespace {

using Bits = std::vector<std::optional<Netlist::Net>>;
// What newer versions of Yosys leave where a module was flattened: it is no hardware.
constexpr std::string_view kScope = "$scopeinfo";
constexpr Netlist::Net kMostNets = 1u << 26;

// Bits are numbers; constants are "0", "1", "x" and "z".
Bits read_bits(const JsonObject& object, const std::string& key) {
  Bits nets;
  for (const Json& bit : object.array(key)) {
    if (bit.is_string()) {
      nets.emplace_back();
    } else if (bit.is_number_unsigned() && bit.get<uint64_t>() < kMostNets) {
      nets.emplace_back(bit.get<Netlist::Net>());
    } else {
      object.refuse(key, "numbers of nets, and constants as text");
    }
  }
  return nets;
}

// Yosys writes integers as 32 binary digits and text as it is.
std::string parameter(const Json& value) {
  if (!value.is_string()) return value.dump();
  std::string text = value.get<std::string>();
  const bool is_binary = !text.empty() && text.find_first_not_of("01x") == std::string::npos;
  if (!is_binary || text.size() > 64) return text;
  uint64_t number = 0;
  for (char digit : text) number = 2 * number + (digit == '1' ? 1 : 0);
  return std::to_string(number);
}

Netlist::Cell read_cell(const JsonObject& object) {
  Netlist::Cell cell{object.string("type"), {}, {}};
  const JsonObject parameters = object.object("parameters");
  for (const std::string& key : parameters.keys()) cell.parameters[key] = parameter(parameters.value(key));
  const JsonObject directions = object.object("port_directions");
  const JsonObject connections = object.object("connections");
  for (const std::string& pin : connections.keys()) {
    cell.connections.push_back(
        {pin, directions.one_of(pin, {"input", "output"}) == "output", read_bits(connections, pin)});
  }
  return cell;
}

// Lower is better.
auto badness(const std::string& name) {
  const std::string_view base = std::string_view(name).substr(0, name.find('['));
  const auto dots = std::count(name.begin(), name.end(), '.');
  const bool is_register = base.ends_with("_q");
  return std::tuple(name.find('$') != std::string::npos, !is_register, is_register ? -dots : dots, name.size(),
                    std::string_view(name));
}

void use_name(std::string& best, const std::string& name) {
  if (best.empty() || badness(name) < badness(best)) best = name;
}

// Hands over the members of the module's ports, cells and netnames one by one as they are read, and forgets them: of a
// core they would take gigabytes.
using Use = std::function<void(const std::string& section, const std::string& name, const JsonObject& member)>;
void each_member(std::string_view text, std::string_view source, std::string_view top, const Use& use) {
  // "modules", the module, the section, the member: the keys that lead to what is being read
  constexpr int kMember = 4;
  std::array<std::string, kMember> keys;
  bool found = false;
  const auto callback = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key && depth >= 1 && depth <= kMember) {
      keys[static_cast<size_t>(depth - 1)] = value.get<std::string>();
    }
    if (event != Json::parse_event_t::object_end || depth != kMember) return true;
    if (keys[0] == "modules" && keys[1] == top) {
      found = true;
      use(keys[2], keys[3], JsonObject(value, fmt::format("{}: {}.{}", source, keys[2], keys[3])));
    }
    return false;
  };
  try {
    // All that is left of it is the empty frame
    const Json frame = Json::parse(text.begin(), text.end(), callback);
    if (frame.is_discarded()) found = false;
  } catch (const Json::exception& error) {
    fail("{}: {}", source, error.what());
  }
  if (!found) fail("{}: no module {} with cells", source, top);
}

}  // namespace

Netlist Netlist::parse(std::string_view json_text, std::string_view source, std::string_view top) {
  Netlist netlist;
  std::vector<bool> driven;
  const auto cover = [&](const Bits& bits) {
    for (const auto& net : bits) {
      if (net && *net >= netlist.names.size()) netlist.names.resize(*net + 1);
    }
  };
  each_member(json_text, source, top,
              [&](const std::string& section, const std::string& name, const JsonObject& member) {
                if (section == "ports") {
                  netlist.ports.push_back(
                      {name, member.one_of("direction", {"input", "output"}) == "input", read_bits(member, "bits")});
                  cover(netlist.ports.back().nets);
                } else if (section == "cells") {
                  Cell cell = read_cell(member);
                  if (cell.type == kScope) return;
                  netlist.cells.push_back(std::move(cell));
                  for (const Connection& connection : netlist.cells.back().connections) cover(connection.nets);
                } else if (section == "netnames") {
                  const Bits bits = read_bits(member, "bits");
                  cover(bits);
                  for (size_t i = 0; i < bits.size(); ++i) {
                    if (bits[i])
                      use_name(netlist.names[*bits[i]], bits.size() == 1 ? name : fmt::format("{}[{}]", name, i));
                  }
                }
              });
  driven.resize(netlist.names.size());
  for (const Cell& cell : netlist.cells) {
    for (const Connection& connection : cell.connections) {
      if (!connection.is_output) continue;
      for (const auto& net : connection.nets) {
        if (!net) continue;
        if (driven[*net]) fail("{}: net {} has two drivers", source, netlist.names[*net]);
        driven[*net] = true;
      }
    }
  }
  return netlist;
}

}  // namespace vantage::fpga
