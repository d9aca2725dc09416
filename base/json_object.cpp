#include "base/json_object.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/one_line.h"
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
    : JsonObject(json, std::make_shared<const Shared>(Shared{std::move(where), std::move(known)}), std::nullopt) {}

JsonObject::JsonObject(const Json& json, std::shared_ptr<const Shared> shared, std::optional<size_t> index)
    : json_(&json), shared_(std::move(shared)), index_(index) {
  if (!json.is_object()) fail("{}: expected an object, found {}", where(), json_excerpt(json));
  const std::vector<std::string>& known = shared_->known;
  if (known.empty()) return;
  for (const auto& [name, unused] : json.get_ref<const Json::object_t&>()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail("{}: unknown key {}{}", where(), json_excerpt(name), did_you_mean(name, known));
    }
  }
}

std::shared_ptr<const JsonObject::Shared> JsonObject::elements(const std::string& where, std::string_view key,
                                                               std::vector<std::string> known) {
  return std::make_shared<const Shared>(Shared{fmt::format("{}: {}", where, key), std::move(known)});
}

JsonStream stream_objects(const std::string& where, const std::string& key, std::vector<std::string> known,
                          std::function<void(const JsonObject&)> use) {
  const auto shared = JsonObject::elements(where, key, std::move(known));
  return {key, [shared, use = std::move(use)](const Json& element, size_t index) {
            use(JsonObject(element, shared, index));
          }};
}

std::string JsonObject::where() const {
  return index_ ? fmt::format("{}[{}]", shared_->where, *index_) : shared_->where;
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : json_->items()) names.push_back(name);
  return names;
}

const Json* JsonObject::find(std::string_view key) const {
  const std::vector<std::string>& known = shared_->known;
  VANTAGE_CHECK(known.empty() || std::find(known.begin(), known.end(), key) != known.end());
  for (const auto& [name, value] : json_->get_ref<const Json::object_t&>()) {
    if (name == key) return &value;
  }
  return nullptr;
}

void JsonObject::refuse(std::string_view key, std::string_view expected) const {
  const Json* value = find(key);
  if (value == nullptr) fail("{}: the key \"{}\" is missing, expected {}", where(), key, expected);
  fail("{}: {} is {}, expected {}", where(), key, json_excerpt(*value), expected);
}

const Json& JsonObject::value(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) fail("{}: the key \"{}\" is missing; add it", where(), key);
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

std::string JsonObject::line(std::string_view key) const {
  std::string text = string(key);
  if (text.empty() || !is_one_line(text)) refuse(key, "a line of text without control characters, not empty");
  return text;
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
  return {*value, fmt::format("{}: {}", where(), key), std::move(known)};
}

}  // namespace vantage
