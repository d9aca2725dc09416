// Lowering as a list of passes, each a function from a function to one that computes the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

struct Pass {
  std::string name;
  std::string meaning;  // a few words, for people
  std::function<ir::PrimFunc(ir::PrimFunc)> run;
};

// Called after each pass with the function that came out.
using Observer = std::function<void(const Pass& pass, const ir::PrimFunc& function)>;

ir::PrimFunc run_passes(ir::PrimFunc function, const std::vector<Pass>& passes, const Observer& observer = nullptr);

}  // namespace vantage::passes
