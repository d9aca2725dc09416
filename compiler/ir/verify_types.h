// The part of verify() on the types of single nodes.
#pragma once

#include <string>

#include "compiler/ir/stmt.h"

namespace vantage::ir {

// What is wrong with an expression, its operands taken to be right; empty when nothing is.
std::string wrong_type(const Expr& expr);
// The same for the indices and the value of a store.
std::string wrong_type(const Store& store);

}  // namespace vantage::ir
