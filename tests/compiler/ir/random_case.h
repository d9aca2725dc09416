// Random functions with random arguments.
#pragma once

#include <optional>
#include <string>

#include "tests/compiler/ir/interpreter/inputs.h"
#include "tests/compiler/ir/random_function.h"

namespace vantage::test {

struct RandomCase {
  ir::PrimFunc function;
  std::vector<Input> inputs, expected;
};

// A function of `body` on random arguments, and what the interpreter makes of them; nothing where that refuses.
std::optional<RandomCase> random_case(RandomFunction& random, const ir::Stmt& body, const std::string& name);

// With loops in order, whatever they say about themselves: what they do depends on what came before.
ir::Stmt in_order(const ir::Stmt& stmt);

}  // namespace vantage::test
