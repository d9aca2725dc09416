// Rotary embedding: pairs of elements turned by angles that depend on their place.
#pragma once

#include "compiler/ops/operator.h"

namespace vantage::ops {

Operator rotary_operator();

}  // namespace vantage::ops
