// Lowering as a list of passes, each a function from a function to one that computes the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

struct Pass {
  std::string name;
  std::string meaning;  // a few words, for people
  std::function<tir::PrimFunc(tir::PrimFunc)> run;
};

// Called after each pass with the function that came out.
using Observer = std::function<void(const Pass& pass, const tir::PrimFunc& function)>;

tir::PrimFunc run_passes(tir::PrimFunc function, const std::vector<Pass>& passes, const Observer& observer = nullptr);

}  // namespace vantage::lower
