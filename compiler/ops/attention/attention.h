// Attention: each query's mean of the values, weighted by how well their keys fit it.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator attention_operator();

}  // namespace vantage::ops
