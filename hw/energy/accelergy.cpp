#include "hw/energy/accelergy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/suggest.h"
#include "hw/energy/element_bits.h"
#include "hw/energy/yaml.h"

namespace vantage::energy {

namespace {

constexpr double kMostErtPj = 1e9;

struct ErtAction {
  std::string name;
  Json arguments;  // null or an object
  double energy;   // pJ
};

struct ErtComponent {
  std::string name;  // without the ranges of its instances: "system.PE.mac"
  uint64_t instances = 1;
  std::vector<ErtAction> actions;
};

// Takes "[0..191]" out of a name; how many instances all such ranges make. Anything else stays in the name.
uint64_t take_ranges(std::string& name) {
  uint64_t instances = 1;
  for (size_t open = name.find('['); open != std::string::npos; open = name.find('[', open + 1)) {
    const size_t close = name.find(']', open);
    if (close == std::string::npos) break;
    const char *begin = name.data() + open + 1, *end = name.data() + close;
    uint32_t first = 0, last = 0;
    const auto low = std::from_chars(begin, end, first);
    if (low.ec != std::errc() || end - low.ptr < 3 || low.ptr[0] != '.' || low.ptr[1] != '.') continue;
    const auto high = std::from_chars(low.ptr + 2, end, last);
    if (high.ec != std::errc() || high.ptr != end || last < first) continue;
    instances *= uint64_t{last} - first + 1;
    if (instances > UINT32_MAX) fail("{}: more instances than a chip has", json_excerpt(name));
    name.erase(open, close - open + 1);
    if (open > 0) --open;
  }
  return instances;
}

std::vector<ErtComponent> read_ert(const Json& json, const std::string& source) {
  const JsonObject ert = JsonObject(json, source).object("ERT");
  std::vector<ErtComponent> components;
  const Json& tables = ert.array("tables");
  for (size_t i = 0; i < tables.size(); ++i) {
    const JsonObject table(tables[i], fmt::format("{}: tables[{}]", source, i));
    ErtComponent component;
    component.name = table.string("name");
    component.instances = take_ranges(component.name);
    const Json& actions = table.array("actions");
    for (size_t a = 0; a < actions.size(); ++a) {
      const JsonObject action(actions[a], fmt::format("{}: tables[{}]: actions[{}]", source, i, a));
      ErtAction read{action.string("name"), nullptr, action.number("energy", 0, kMostErtPj)};
      if (action.has("arguments")) read.arguments = action.value("arguments");
      component.actions.push_back(std::move(read));
    }
    components.push_back(std::move(component));
  }
  return components;
}

// The table, and the file that says what its components are.
class ErtMapping {
 public:
  ErtMapping(std::string source, std::vector<ErtComponent> components)
      : source_(std::move(source)), components_(std::move(components)) {}

  const ErtComponent& component(const JsonObject& object, std::string_view key, const std::string& name) const {
    const ErtComponent* found = nullptr;
    std::string plain = name;
    take_ranges(plain);
    for (const ErtComponent& component : components_) {
      if (component.name != plain) continue;
      if (found != nullptr) fail("{}: {} is there twice; a component has one table", source_, name);
      found = &component;
    }
    if (found != nullptr) return *found;
    std::vector<std::string> names;
    for (const ErtComponent& component : components_) names.push_back(component.name);
    fail("{}: {} is \"{}\", and {} has no such component{}", object.where(), key, name, source_,
         did_you_mean(name, names));
  }

  // pJ of an action of the component that `object` names; by its arguments, too, where they are given.
  double energy(const JsonObject& object, const std::string& action) const {
    const ErtComponent& found = component(object, "component", object.string("component"));
    std::optional<double> energy;
    const Json wanted = object.has("arguments") ? object.value("arguments") : Json();
    for (const ErtAction& candidate : found.actions) {
      if (candidate.name != action || (!wanted.is_null() && candidate.arguments != wanted)) continue;
      if (energy) {
        fail("{}: {} has several entries for the action {}; say which by \"arguments\", as {}", object.where(),
             found.name, action, json_excerpt(candidate.arguments));
      }
      energy = candidate.energy;
    }
    if (energy) return *energy;
    std::vector<std::string> names;
    for (const ErtAction& candidate : found.actions) names.push_back(candidate.name);
    fail("{}: {} of {} has no action {}{}{}", object.where(), found.name, source_, action,
         wanted.is_null() ? "" : " with the arguments " + json_excerpt(wanted), did_you_mean(action, names));
  }

  // Of a bit that is read or written.
  EventEnergies::Access access(const JsonObject& object) const {
    const double bits = object.integer("bits", 1, 1 << 20);
    return {energy(object, action(object, "read", "read")) / bits,
            energy(object, action(object, "write", "write")) / bits};
  }

  static std::string action(const JsonObject& object, std::string_view key, const std::string& otherwise) {
    return object.optional(key, &JsonObject::string).value_or(otherwise);
  }

 private:
  std::string source_;
  std::vector<ErtComponent> components_;
};

}  // namespace

const std::vector<std::string>& AccelergyTable::keys() {
  static const std::vector<std::string> kKeys = {"accelergy", "components"};
  return kKeys;
}

AccelergyTable::AccelergyTable(const JsonObject& object, const ReadTable& read) {
  const std::string file = object.string("accelergy");
  const ErtMapping mapping(file, read_ert(parse_yaml(read(file), file), file));

  std::vector<std::string> known;
  for (const Part part : kAllParts) known.emplace_back(name(part));
  const JsonObject components = object.object("components", known);
  const std::vector<std::string> of_memories = {"component", "bits", "read", "write", "arguments"};
  const EventEnergies::Access dram_bit = mapping.access(components.object(name(Part::kDram), of_memories));
  dram_byte_ = {8 * dram_bit.read, 8 * dram_bit.write};
  for (size_t s = 0; s < kScratchpads.size(); ++s) {
    scratchpad_bit_[s] = mapping.access(components.object(name(kScratchpads[s]), of_memories));
  }
  const JsonObject mac = components.object(name(Part::kMac), {"component", "action", "arguments"});
  mac_ = mapping.energy(mac, mapping.action(mac, "action", "compute"));
  const JsonObject alu = components.object(name(Part::kAlu), {"component", "action", "multiply", "arguments"});
  const std::string lane = mapping.action(alu, "action", "compute");
  alu_add_ = mapping.energy(alu, lane);
  alu_mul_ = mapping.energy(alu, mapping.action(alu, "multiply", lane));
  if (!components.has(name(Part::kStatic))) return;
  const JsonObject leaking = components.object(name(Part::kStatic), {"components", "action"});
  const std::string leak = mapping.action(leaking, "action", "leak");
  for (const std::string& each : leaking.strings("components")) {
    const Json one = {{"component", each}};
    const uint64_t instances = mapping.component(leaking, "components", each).instances;
    static_per_cycle_ += static_cast<double>(instances) * mapping.energy(JsonObject(one, leaking.where()), leak);
  }
}

EventEnergies AccelergyTable::of(const isa::Config& config) const {
  EventEnergies energies;
  energies.dram_byte = dram_byte_;
  for (size_t s = 0; s < kScratchpads.size(); ++s) {
    const double bits = element_bits(kScratchpads[s], config);
    energies.scratchpads[s] = {bits * scratchpad_bit_[s].read, bits * scratchpad_bit_[s].write};
  }
  energies.mac = mac_;
  energies.alu_add = alu_add_;
  energies.alu_mul = alu_mul_;
  energies.static_per_cycle = static_per_cycle_;
  return energies;
}

}  // namespace vantage::energy
