// The part of verify() on what blocks write and whether indices stay inside.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

// Of a function whose names and types are right.
std::vector<std::string> verify_accesses(const PrimFunc& function);

}  // namespace vantage::ir
