// Values from one scalar type to another, as Cast means it.
#pragma once

#include "compiler/ir/dtype.h"

namespace vantage::ir {

// Integer to integer: the low bits. Integer to float: the nearest value. Float to integer: cut toward zero, beyond the
// type's ends the end, NaN 0. Float to float: the nearest value. To bool: whether it is not 0 (NaN is not 0). From
// bool: 0 or 1.
Scalar convert(DType from, DType to, Scalar value);

}  // namespace vantage::ir
