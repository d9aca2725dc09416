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

}  // namespace

std::string operator_list() {
  std::string list;
  for (const Operator& op : operators()) {
    list += fmt::format("- **`{}`**: {}\n", op.name, op.meaning);
    for (const OperatorInput& input : op.inputs) list += fmt::format("  - {}\n", describe_input(input));
    for (const AttributeField& field : op.attributes) list += fmt::format("  - {}\n", describe_field(field));
  }
  return list;
}

}  // namespace vantage::ops
