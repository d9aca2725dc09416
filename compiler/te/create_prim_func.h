// From tensor expressions to a function of loops and blocks.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/prim_func.h"
#include "compiler/te/tensor.h"

namespace vantage::te {

// `args` become the function's parameters, in order: placeholders as inputs, computed tensors as outputs, variables as
// scalars. Every other tensor that they need is allocated inside. Each operation becomes one block of its name under
// one loop per axis; a name used twice gets a number. Throws Error when an input is missing from `args`, an argument is
// given twice, a scan reads a step that is not done, or the function is not valid (compiler/ir/verify.h).
ir::PrimFunc create_prim_func(const std::vector<std::variant<Tensor, Var>>& args, std::string name = "main");

}  // namespace vantage::te
