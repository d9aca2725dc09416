#include "base/json.h"

#include <set>
#include <vector>

#include "base/error.h"

namespace vantage {

namespace {

constexpr int kMaxDepth = 32;      // no format of ours nests deeper than 6
constexpr size_t kMaxKeys = 1000;  // nor has an object with more than a few dozen keys

// Follows the parser's events to find what the library itself lets pass.
class StrictnessCheck {
 public:
  explicit StrictnessCheck(std::string_view source) : source_(source) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (depth > kMaxDepth) fail("{}: nested deeper than {} levels", source_, kMaxDepth);
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(value.get<std::string>()).second) {
      fail("{}: the key {} appears twice in one object; keep one of them", source_, json_excerpt(value));
    }
    // The library keeps keys in a list, so very many of them would take quadratic time.
    if (event == Event::key && keys_.back().size() > kMaxKeys)
      fail("{}: more than {} keys in one object", source_, kMaxKeys);
    return true;
  }

 private:
  std::string_view source_;
  std::vector<std::set<std::string>> keys_;
};

std::string position(std::string_view text, size_t byte) {
  // The library counts from 1 and points just past the offending character.
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  const size_t column = 1 + (newline == std::string_view::npos ? before.size() : before.size() - newline - 1);
  return fmt::format("{}:{}", line, column);
}

// What is left of the library's message once its error number and its own position are cut off.
std::string reason(std::string_view what) {
  const size_t colon = what.find(": ");
  return std::string(colon == std::string_view::npos ? what : what.substr(colon + 2));
}

}  // namespace

Json parse_json(std::string_view text, std::string_view source) {
  try {
    StrictnessCheck check(source);
    return Json::parse(text, std::ref(check));
  } catch (const Json::parse_error& e) {
    fail("{}:{}: not valid JSON: {}", source, position(text, e.byte), reason(e.what()));
  } catch (const Json::exception& e) {
    fail("{}: not valid JSON: {}", source, reason(e.what()));
  }
}

std::string json_excerpt(const Json& value) {
  constexpr size_t kMaxLength = 60;
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);  // ASCII only, so any cut is clean
  if (text.size() > kMaxLength) text = text.substr(0, kMaxLength) + "...";
  return text;
}

std::string json_text(const Json& value) {
  return value.dump(1, ' ', false, Json::error_handler_t::replace);
}

const Json& json_member(const Json& object, std::string_view key, std::string_view where) {
  if (!object.is_object()) fail("{}: expected an object, found {}", where, json_excerpt(object));
  const auto it = object.find(std::string(key));
  if (it == object.end()) fail("{}: the key \"{}\" is missing", where, key);
  return *it;
}

uint64_t json_unsigned(const Json& object, std::string_view key, uint64_t max, std::string_view where) {
  const Json& value = json_member(object, key, where);
  if (!value.is_number_unsigned() || value.get<uint64_t>() > max) {
    fail("{}: \"{}\" is {}, expected an integer from 0 to {}", where, key, json_excerpt(value), max);
  }
  return value.get<uint64_t>();
}

int json_integer(const Json& value, std::string_view what, int min, int max) {
  // An unsigned value past int64 would wrap to something that looks harmless.
  const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX) &&
                    value.get<int64_t>() >= min && value.get<int64_t>() <= max;
  if (!fits) fail("{} is {}, expected an integer from {} to {}", what, json_excerpt(value), min, max);
  return value.get<int>();
}

std::string json_string(const Json& object, std::string_view key, std::string_view where) {
  const Json& value = json_member(object, key, where);
  if (!value.is_string()) fail("{}: \"{}\" is {}, expected a string", where, key, json_excerpt(value));
  return value.get<std::string>();
}

const Json& json_array(const Json& object, std::string_view key, std::string_view where) {
  const Json& value = json_member(object, key, where);
  if (!value.is_array()) fail("{}: \"{}\" is {}, expected an array", where, key, json_excerpt(value));
  return value;
}

}  // namespace vantage
