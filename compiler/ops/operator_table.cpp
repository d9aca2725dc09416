#include "compiler/ops/operator_table.h"

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

std::string operator_table() {
  std::string table = "| operator | what it computes | inputs | attributes |\n| --- | --- | --- | --- |\n";
  for (const Operator& op : operators()) {
    std::vector<std::string> inputs, attributes;
    for (const OperatorInput& input : op.inputs) inputs.push_back(describe_input(input));
    for (const AttributeField& field : op.attributes) attributes.push_back(describe_field(field));
    table += fmt::format("| `{}` | {} | {} | {} |\n", op.name, op.meaning, fmt::join(inputs, "; "),
                         fmt::join(attributes, "; "));
  }
  return table;
}

}  // namespace vantage::ops
