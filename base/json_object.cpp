#include "base/json_object.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage {

namespace {

// An unsigned value past int64 would wrap to something that looks harmless.
bool is_integer_within(const Json& value, int min, int max) {
  return value.is_number_integer() && !(value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX) &&
         value.get<int64_t>() >= min && value.get<int64_t>() <= max;
}

}  // namespace

JsonObject::JsonObject(const Json& json, std::string where) : JsonObject(json, std::move(where), {}) {}

JsonObject::JsonObject(const Json& json, std::string where, std::vector<std::string> known)
    : json_(&json), where_(std::move(where)), known_(std::move(known)) {
  if (!json.is_object()) fail("{}: expected an object, found {}", where_, json_excerpt(json));
  if (known_.empty()) return;
  for (const auto& [name, unused] : json.items()) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      fail("{}: unknown key {}{}", where_, json_excerpt(name), did_you_mean(name, known_));
    }
  }
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : json_->items()) names.push_back(name);
  return names;
}

const Json* JsonObject::find(std::string_view key) const {
  VANTAGE_CHECK(known_.empty() || std::find(known_.begin(), known_.end(), key) != known_.end());
  const auto it = json_->find(key);
  return it == json_->end() ? nullptr : &*it;
}

void JsonObject::refuse(std::string_view key, std::string_view expected) const {
  const Json* value = find(key);
  if (value == nullptr) fail("{}: the key \"{}\" is missing, expected {}", where_, key, expected);
  fail("{}: {} is {}, expected {}", where_, key, json_excerpt(*value), expected);
}

std::string JsonObject::element_name(std::string_view key, size_t index) const {
  return fmt::format("{}: {}[{}]", where_, key, index);
}

const Json& JsonObject::value(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) fail("{}: the key \"{}\" is missing; add it", where_, key);
  return *value;
}

uint64_t JsonObject::natural(std::string_view key, uint64_t min, uint64_t max) const {
  const Json* value = find(key);
  // What is not negative is kept as unsigned, so that all of 64 bits is told from its wrapped form.
  const bool fits =
      value != nullptr && value->is_number_unsigned() && value->get<uint64_t>() >= min && value->get<uint64_t>() <= max;
  if (!fits) refuse(key, fmt::format("an integer from {} to {}", min, max));
  return value->get<uint64_t>();
}

int JsonObject::integer(std::string_view key, int min, int max) const {
  const Json* value = find(key);
  if (value == nullptr || !is_integer_within(*value, min, max)) {
    refuse(key, fmt::format("an integer from {} to {}", min, max));
  }
  return value->get<int>();
}

double JsonObject::number(std::string_view key, double min, double max) const {
  const Json* value = find(key);
  const bool fits =
      value != nullptr && value->is_number() && value->get<double>() >= min && value->get<double>() <= max;
  if (!fits) refuse(key, fmt::format("a number from {} to {}", min, max));
  return value->get<double>();
}

bool JsonObject::boolean(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_boolean()) refuse(key, "true or false");
  return value->get<bool>();
}

std::string JsonObject::string(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_string()) refuse(key, "a string");
  return value->get<std::string>();
}

std::string JsonObject::one_of(std::string_view key, std::initializer_list<std::string_view> names) const {
  const Json* value = find(key);
  const std::string text = value != nullptr && value->is_string() ? value->get<std::string>() : "";
  if (std::find(names.begin(), names.end(), text) == names.end()) refuse(key, alternatives(names));
  return text;
}

const Json& JsonObject::array(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_array()) refuse(key, "an array");
  return *value;
}

std::vector<std::string> JsonObject::strings(std::string_view key) const {
  const Json* value = find(key);
  const auto is_string = [](const Json& entry) { return entry.is_string(); };
  if (value == nullptr || !value->is_array() || !std::all_of(value->begin(), value->end(), is_string)) {
    refuse(key, "an array of strings");
  }
  return value->get<std::vector<std::string>>();
}

std::vector<int> JsonObject::integers(std::string_view key, int min, int max) const {
  const Json* value = find(key);
  const auto fits = [&](const Json& entry) { return is_integer_within(entry, min, max); };
  if (value == nullptr || !value->is_array() || !std::all_of(value->begin(), value->end(), fits)) {
    refuse(key, fmt::format("an array of integers from {} to {}", min, max));
  }
  return value->get<std::vector<int>>();
}

JsonObject JsonObject::object(std::string_view key) const {
  return object(key, {});
}

JsonObject JsonObject::object(std::string_view key, std::vector<std::string> known) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_object()) refuse(key, "an object");
  return {*value, fmt::format("{}: {}", where_, key), std::move(known)};
}

}  // namespace vantage
