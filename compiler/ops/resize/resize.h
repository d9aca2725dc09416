// resize2d: images in another size.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator resize2d_operator();

}  // namespace vantage::ops
