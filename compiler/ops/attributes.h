// What a call of an operator says beside its operands: strides, axes, limits. Every operator has a list of fields; a
// call's attributes hold a value of each.
//
// Thread safety: values and functions without state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/tensor/dtype.h"

namespace vantage::ops {

using Integers = std::vector<int64_t>;
using Attribute = std::variant<bool, int64_t, double, Integers, DType, std::string>;

// A field of an operator. Values are of the kind of its standard value.
struct AttributeField {
  std::string name;
  std::string meaning;  // a few words, for people
  Attribute standard;
  bool is_required = false;               // there is no standard value, only its kind
  std::vector<std::string> choices = {};  // of a string: what it may be
};

class Attributes {
 public:
  Attributes() = default;
  // All fields, by what is given, else by their standard value. Throws Error for a name that no field has (with those
  // that are near), a value of another kind, a word that is no choice, and a required field that is not given. Whole
  // numbers stand for floats, too.
  Attributes(const std::vector<AttributeField>& fields, std::vector<std::pair<std::string, Attribute>> given);

  // REQUIRE: a field of this name and kind.
  bool flag(std::string_view name) const { return std::get<bool>(at(name)); }
  int64_t integer(std::string_view name) const { return std::get<int64_t>(at(name)); }
  double number(std::string_view name) const { return std::get<double>(at(name)); }
  const Integers& integers(std::string_view name) const { return std::get<Integers>(at(name)); }
  DType type(std::string_view name) const { return std::get<DType>(at(name)); }
  const std::string& word(std::string_view name) const { return std::get<std::string>(at(name)); }

  // In the order of the fields.
  const std::vector<std::pair<std::string, Attribute>>& all() const { return values_; }

  bool operator==(const Attributes&) const = default;

 private:
  const Attribute& at(std::string_view name) const;

  std::vector<std::pair<std::string, Attribute>> values_;
};

// As it stands in the text of a graph: true, 3, 0.5, [1, 1], "int8", "same". Floats always have a point or exponent.
std::string to_text(const Attribute& attribute);
// "bool", "an integer", ... for messages.
std::string_view kind_of(const Attribute& attribute);

}  // namespace vantage::ops
