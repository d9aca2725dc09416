#pragma once

#include "compiler/tir/prim_func.h"

namespace vantage::lower {

// Makes every allocated buffer as small as what is touched of it while it exists.
tir::PrimFunc compact_buffers(tir::PrimFunc function);

}  // namespace vantage::lower
