// batch_norm, as it is when nothing is learned any more: the statistics are inputs.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator batch_norm_operator();

}  // namespace vantage::ops
