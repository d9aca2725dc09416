#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::passes {

// Makes every allocated buffer as small as what is touched of it while it exists.
ir::PrimFunc compact_buffers(ir::PrimFunc function);

}  // namespace vantage::passes
