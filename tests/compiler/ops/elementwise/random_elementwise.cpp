#include "tests/compiler/ops/elementwise/random_elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace vantage::test {

using isa::AluOp;

ops::Elementwise random_elementwise(std::mt19937_64& random, int64_t size) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  ops::Elementwise layer{.size = size, .operands = pick(1, 2)};
  std::vector<int> unused;
  for (int p = 0; p < layer.operands; ++p) unused.push_back(p);
  const auto append = [&](const ops::ElementwiseStep& step) {
    std::erase_if(unused, [&](int value) { return value == step.a || value == step.b; });
    unused.push_back(layer.operands + static_cast<int>(layer.steps.size()));
    layer.steps.push_back(step);
  };
  for (int count = pick(1, 9); count > 0; --count) {
    const int values = layer.operands + static_cast<int>(layer.steps.size());
    ops::ElementwiseStep step{static_cast<AluOp>(pick(0, 4)), pick(0, values - 1)};
    if (step.op == AluOp::kShr) {
      step.immediate = pick(0, 1) == 0 ? pick(1, 9) : -pick(1, 9);
    } else if (pick(0, 1) == 0) {
      step.b = pick(0, values - 1);
    } else {
      step.immediate = pick(-300, 300);
    }
    append(step);
  }
  while (unused.size() > 1) append({static_cast<AluOp>(pick(0, 2)), unused[0], unused[1]});
  if (pick(0, 3) != 0) {
    append({AluOp::kMax, unused[0], std::nullopt, pick(-128, 0)});
    append({AluOp::kMin, unused[0], std::nullopt, 127});
  }
  return layer;
}

std::string to_text(const ops::Elementwise& layer) {
  std::string text = fmt::format("{} elements of {} operands\n", layer.size, layer.operands);
  for (size_t i = 0; i < layer.steps.size(); ++i) {
    const ops::ElementwiseStep& step = layer.steps[i];
    text += fmt::format("  {} = {} {} {}{}\n", static_cast<int>(i) + layer.operands, isa::name(step.op), step.a,
                        step.b ? "value " : "", step.b.value_or(step.immediate));
  }
  return text;
}

}  // namespace vantage::test
