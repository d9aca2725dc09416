#include "compiler/ops/attributes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage::ops {

namespace {

Attribute fitting(const AttributeField& field, Attribute value) {
  if (std::holds_alternative<double>(field.standard) && std::holds_alternative<int64_t>(value)) {
    value = static_cast<double>(std::get<int64_t>(value));
  }
  // Types are written as words.
  if (std::holds_alternative<DType>(field.standard) && std::holds_alternative<std::string>(value)) {
    value = DType::parse(std::get<std::string>(value));
  }
  if (value.index() != field.standard.index()) {
    fail("{} is {}, expected {}", field.name, to_text(value), kind_of(field.standard));
  }
  if (const auto* word = std::get_if<std::string>(&value); word != nullptr && !field.choices.empty()) {
    if (std::find(field.choices.begin(), field.choices.end(), *word) == field.choices.end()) {
      fail("{} is \"{}\"{}", field.name, *word, did_you_mean(*word, field.choices));
    }
  }
  constexpr int64_t kMost = int64_t{1} << 30;  // so that sizes that are reckoned with stay within 64 bits
  const auto check = [&](int64_t number) {
    if (number < -kMost || number > kMost) fail("{} is {}, expected no more than {}", field.name, number, kMost);
  };
  if (const auto* number = std::get_if<int64_t>(&value)) check(*number);
  if (const auto* list = std::get_if<Integers>(&value)) std::for_each(list->begin(), list->end(), check);
  return value;
}

}  // namespace

Attributes::Attributes(const std::vector<AttributeField>& fields,
                       std::vector<std::pair<std::string, Attribute>> given) {
  for (const auto& [name, value] : given) {
    if (std::any_of(fields.begin(), fields.end(),
                    [&, &known = name](const AttributeField& f) { return f.name == known; }))
      continue;
    std::vector<std::string> names;
    for (const AttributeField& field : fields) names.push_back(field.name);
    fail("there is no attribute {}{}", name, did_you_mean(name, names));
  }
  for (const AttributeField& field : fields) {
    const auto is_it = [&](const auto& entry) { return entry.first == field.name; };
    const auto found = std::find_if(given.begin(), given.end(), is_it);
    if (found == given.end()) {
      if (field.is_required) fail("{} is missing: {}, {}", field.name, kind_of(field.standard), field.meaning);
      values_.emplace_back(field.name, field.standard);
      continue;
    }
    if (std::find_if(found + 1, given.end(), is_it) != given.end()) fail("{} is given twice", field.name);
    values_.emplace_back(field.name, fitting(field, std::move(found->second)));
  }
}

const Attribute& Attributes::at(std::string_view name) const {
  for (const auto& [key, value] : values_) {
    if (key == name) return value;
  }
  throw InternalError(fmt::format("no attribute {}", name));
}

std::string to_text(const Attribute& attribute) {
  struct Printer {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const {
      std::string text = fmt::format("{}", value);
      if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
      return text;
    }
    std::string operator()(const Integers& value) const { return fmt::format("[{}]", fmt::join(value, ", ")); }
    std::string operator()(DType value) const { return fmt::format("\"{}\"", name(value)); }
    std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
  };
  return std::visit(Printer(), attribute);
}

std::string_view kind_of(const Attribute& attribute) {
  constexpr std::array<std::string_view, 6> kKinds = {"true or false",      "an integer", "a number",
                                                      "a list of integers", "a type",     "a word"};
  return kKinds[attribute.index()];
}

}  // namespace vantage::ops
