#include "compiler/lower/pass.h"

namespace vantage::lower {

tir::PrimFunc run_passes(tir::PrimFunc function, const std::vector<Pass>& passes, const Observer& observer) {
  for (const Pass& pass : passes) {
    function = pass.run(std::move(function));
    if (observer) observer(pass, function);
  }
  return function;
}

}  // namespace vantage::lower
