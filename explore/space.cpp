#include "explore/space.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/settings.h"
#include "base/sha256.h"

namespace vantage::explore {

namespace {

struct DerivedName {
  const char* name;
  double (*value)(const isa::ConfigKeys& keys);
};
constexpr DerivedName kDerived[] = {
    {"BATCH", [](const isa::ConfigKeys& k) { return std::exp2(k.log_batch); }},
    {"BLOCK_IN", [](const isa::ConfigKeys& k) { return std::exp2(k.log_block_in); }},
    {"BLOCK_OUT", [](const isa::ConfigKeys& k) { return std::exp2(k.log_block_out); }},
    {"MACS", [](const isa::ConfigKeys& k) { return std::exp2(k.log_batch + k.log_block_in + k.log_block_out); }},
    {"BUS_BYTES", [](const isa::ConfigKeys& k) { return std::exp2(k.log_bus_width - 3); }},
    {"UOP_BYTES", [](const isa::ConfigKeys& k) { return std::exp2(k.log_uop_buff_size); }},
    {"INP_BYTES", [](const isa::ConfigKeys& k) { return std::exp2(k.log_inp_buff_size); }},
    {"WGT_BYTES", [](const isa::ConfigKeys& k) { return std::exp2(k.log_wgt_buff_size); }},
    {"ACC_BYTES", [](const isa::ConfigKeys& k) { return std::exp2(k.log_acc_buff_size); }},
};

// Messages that differ only in numbers are one reason.
std::string without_numbers(const std::string& message) {
  std::string reason;
  for (const char c : message) {
    if (c < '0' || c > '9') {
      reason += c;
    } else if (reason.empty() || reason.back() != '#') {
      reason += '#';
    }
  }
  return reason;
}

}  // namespace

const std::vector<std::string>& expression_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const isa::ConfigKey& key : isa::config_keys()) {
      if (key.number != nullptr) names.push_back(key.name);
    }
    for (const DerivedName& derived : kDerived) names.emplace_back(derived.name);
    return names;
  }();
  return kNames;
}

std::vector<double> expression_values(const isa::ConfigKeys& keys) {
  std::vector<double> values;
  for (const isa::ConfigKey& key : isa::config_keys()) {
    if (key.number != nullptr) values.push_back(keys.*key.number);
  }
  for (const DerivedName& derived : kDerived) values.push_back(derived.value(keys));
  return values;
}

Space Space::of(std::vector<Design> designs) {
  Space space;
  Json texts = Json::array();
  for (const Design& design : designs) texts.push_back(to_json(design));
  space.text_ = texts.dump();
  space.given_ = std::move(designs);
  return space;
}

std::map<std::string, std::string> Space::inputs() const {
  std::map<std::string, std::string> all;
  if (memories_.empty()) return all;  // of designs that were given whole
  all["base"] = sha256(isa::Config::from_keys(base_, "the base").to_json().dump());
  for (const std::string& name : memories_) {
    const auto file = find_settings(name, configs_ / "memory", "memory setting");
    all["memory " + name] = sha256(MemoryTiming::load(file, base_.clock_mhz).to_json().dump());
  }
  return all;
}

Space::Point Space::at(uint64_t number) const {
  Point point = any_point(number);
  if (!fit_ || !point.design) return point;
  const fpga::Part& part = fit_->part();
  const fpga::Resources used = fit_->estimate(point.design->config);
  if (fits(used, part)) return point;
  // One reason for each resource, as a list of all that a point lacks would make many.
  return {.rejection = Rejection{
              fmt::format("does not fit the {}: {}", part.name, part_shares(used, part)[0].of->name),
              fmt::format("a point does not fit the {}: it takes {}; a larger part would do, or a smaller core",
                          part.name, fullest_text(used, part))}};
}

Space::Point Space::any_point(uint64_t number) const {
  if (number < given_.size()) return {.design = given_[number]};
  number -= given_.size();
  if (number < listed_.size()) return point(listed_[number].first, listed_[number].second);
  const std::vector<uint64_t> places = (*sampling_)(number - listed_.size());
  const Combination combination = combine(places);
  for (size_t p = 0; p < places.size(); ++p) {
    if (!combination.counts[p] && places[p] != 0 && sampling_->is_distinct()) return {};
  }
  return point(combination.keys, combination.memory);
}

Space::Combination Space::combine(const std::vector<uint64_t>& places) const {
  Combination made{base_};
  isa::ConfigKeys& keys = made.keys;
  made.counts.assign(places.size(), true);
  for (size_t p = 0; p < places.size(); ++p) {
    const Parameter& parameter = parameters_[p];
    if (parameter.when && (*parameter.when)(expression_values(keys)) == 0) {
      made.counts[p] = false;
      continue;
    }
    (parameter.key != nullptr ? keys.*parameter.key : made.memory) = parameter.values[places[p]];
    // The depth of a tile has two keys, which must agree.
    if (parameter.key == &isa::ConfigKeys::log_block) keys.log_block_in = keys.log_block_out = keys.log_block;
    if (parameter.key == &isa::ConfigKeys::log_block_in) keys.log_block = keys.log_block_in;
  }
  return made;
}

Space::Point Space::point(const isa::ConfigKeys& keys, int memory) const {
  for (const Expression& constraint : constraints_) {
    if (constraint(expression_values(keys)) == 0) return {.rejection = Rejection{constraint.text(), ""}};
  }
  try {
    isa::Config config = isa::Config::from_keys(keys, "a point");
    auto known = timings_.find({memory, config.clock_mhz()});
    if (known == timings_.end()) {
      const auto file = find_settings(memories_[static_cast<size_t>(memory)], configs_ / "memory", "memory setting");
      known =
          timings_.emplace(std::pair(memory, config.clock_mhz()), MemoryTiming::load(file, config.clock_mhz())).first;
    }
    return {.design = Design{std::move(config), known->second}};
  } catch (const Error& error) {
    return {.rejection = Rejection{without_numbers(error.what()), error.what()}};
  }
}

}  // namespace vantage::explore
