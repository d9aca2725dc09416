#include "compiler/passes/pass.h"

namespace vantage::passes {

ir::PrimFunc run_passes(ir::PrimFunc function, const std::vector<Pass>& passes, const Observer& observer) {
  for (const Pass& pass : passes) {
    function = pass.run(std::move(function));
    if (observer) observer(pass, function);
  }
  return function;
}

}  // namespace vantage::passes
