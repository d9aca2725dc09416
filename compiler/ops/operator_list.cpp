#include "compiler/ops/operator_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/ops/operators.h"

namespace vantage::ops {

namespace {

std::string describe_input(const OperatorInput& input) {
  switch (input.count) {
    case OperatorInput::Count::kOne: break;
    case OperatorInput::Count::kOptional: return fmt::format("`{}` (may be left out): {}", input.name, input.meaning);
    case OperatorInput::Count::kMany: return fmt::format("`{}`, one or more: {}", input.name, input.meaning);
  }
  return fmt::format("`{}`: {}", input.name, input.meaning);
}

std::string describe_field(const AttributeField& field) {
  const std::string standard = field.is_required ? "" : fmt::format(" = {}", to_text(field.standard));
  const std::string choices = field.choices.empty() ? "" : fmt::format(" (`{}`)", fmt::join(field.choices, "`, `"));
  return fmt::format("`{}{}`: {}{}", field.name, standard, field.meaning, choices);
}

// An item of the list, in lines of at most 120 characters.
std::string item(const std::string& mark, std::string text) {
  constexpr size_t kWidth = 120;
  const std::string behind(mark.size(), ' ');
  std::string lines = mark;
  while (mark.size() + text.size() > kWidth) {
    const size_t end = text.rfind(' ', kWidth - mark.size());
    if (end == std::string::npos) break;
    lines += text.substr(0, end) + "\n" + behind;
    text.erase(0, end + 1);
  }
  return lines + text + "\n";
}

}  // namespace

std::string operator_list() {
  std::string list;
  for (const Operator& op : operators()) {
    list += item("- ", fmt::format("**`{}`**: {}", op.name, op.meaning));
    for (const OperatorInput& input : op.inputs) list += item("  - ", describe_input(input));
    for (const AttributeField& field : op.attributes) list += item("  - ", describe_field(field));
  }
  return list;
}

}  // namespace vantage::ops
