// One reader for every format that is a JSON object with named keys. What it gives has the type and the range that was
// asked for; anything else is refused with the file, the key, the value found and what would be right.
//
// Thread safety: reading is const, so any number of threads may share an object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace vantage {

class JsonObject {
 public:
  // `where` begins every message: the file's name, and behind it the keys that lead here, as "b.json: reserved_memory".
  // Keys that nobody asks for are let pass. Throws Error unless `json` is an object. REQUIRES: `json` outlives this.
  JsonObject(const Json& json, std::string where);

  // The same, for a format whose keys are all listed in `known`: any other is refused, with the nearest one.
  // REQUIRES: no member is asked for a key that is not listed.
  JsonObject(const Json& json, std::string where, std::vector<std::string> known);

  JsonObject(const Json&& json, std::string where) = delete;
  JsonObject(const Json&& json, std::string where, std::vector<std::string> known) = delete;

  std::string where() const;
  std::vector<std::string> keys() const;  // in the order of the file
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // Each throws Error when the key is missing, of another type or out of range. Bounds are inclusive.
  const Json& value(std::string_view key) const;
  uint64_t natural(std::string_view key, uint64_t min, uint64_t max) const;
  int integer(std::string_view key, int min, int max) const;
  double number(std::string_view key, double min, double max) const;
  bool boolean(std::string_view key) const;
  std::string string(std::string_view key) const;
  // Of which there is something to print, on one line: no control characters.
  std::string line(std::string_view key) const;
  std::string one_of(std::string_view key, std::initializer_list<std::string_view> names) const;
  std::vector<std::string> strings(std::string_view key) const;  // an array of them
  std::vector<int> integers(std::string_view key, int min, int max) const;
  const Json& array(std::string_view key) const;
  JsonObject object(std::string_view key) const;
  JsonObject object(std::string_view key, std::vector<std::string> known) const;

  // For an array of objects, whose keys are all listed in `known`: calls `use` with each, whose where() ends with
  // "key[3]".
  template <typename Use>
  void each_object(std::string_view key, const std::vector<std::string>& known, Use use) const {
    const Json& list = array(key);
    const auto shared = elements(where(), key, known);
    for (size_t i = 0; i < list.size(); ++i) use(JsonObject(list[i], shared, i));
  }

  // A key that may be absent, read by one of the members above: `object.optional("jtag", &JsonObject::strings)`.
  template <typename T, typename... Parameters, typename... Arguments>
  std::optional<T> optional(std::string_view key, T (JsonObject::*read)(std::string_view, Parameters...) const,
                            Arguments... arguments) const {
    if (!has(key)) return std::nullopt;
    return (this->*read)(key, arguments...);
  }

  // The same for a key that must be there and may be null.
  template <typename T, typename... Parameters, typename... Arguments>
  std::optional<T> nullable(std::string_view key, T (JsonObject::*read)(std::string_view, Parameters...) const,
                            Arguments... arguments) const {
    if (has(key) && find(key)->is_null()) return std::nullopt;
    return (this->*read)(key, arguments...);
  }

  // For formats with conversions of their own: throws the Error that says what was expected and what is there, or that
  // nothing is. `expected` reads on from the word "expected", as "letters and digits".
  [[noreturn]] void refuse(std::string_view key, std::string_view expected) const;

 private:
  friend JsonStream stream_objects(const std::string& where, const std::string& key, std::vector<std::string> known,
                                   std::function<void(const JsonObject&)> use);

  // What the elements of an array have in common, which may be very many.
  struct Shared {
    std::string where;
    std::vector<std::string> known;  // empty: any
  };
  static std::shared_ptr<const Shared> elements(const std::string& where, std::string_view key,
                                                std::vector<std::string> known);
  JsonObject(const Json& json, std::shared_ptr<const Shared> shared, std::optional<size_t> index);

  const Json* find(std::string_view key) const;

  const Json* json_;
  std::shared_ptr<const Shared> shared_;
  std::optional<size_t> index_;  // in the array that shared_->where names
};

// For an array of any number of objects, under a key of the text's outermost object: parse_json() calls `use` with
// each as it reads them, as JsonObject::each_object does with those that were read. `where` names the outermost object.
JsonStream stream_objects(const std::string& where, const std::string& key, std::vector<std::string> known,
                          std::function<void(const JsonObject&)> use);

}  // namespace vantage
