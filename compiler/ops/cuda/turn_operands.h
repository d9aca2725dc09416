// Matrices that lie otherwise than tensor cores multiply them.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/ops/cuda/matrix_form.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// The product with operands that lie as some product of tensor cores wants them: bytes have one alone (tensor_cores.h).
// Of what does not lie so, a formula for this product alone makes its results with the last two dimensions in the other
// order, and everything else is copied so by a block of its own; as few as will do. Throws Error where a copy would not
// be worth it: where elements are used seldom, or not all of them are.
MatrixForm turn_operands(schedule::Schedule& s, const std::string& block, const MatrixForm& form);

}  // namespace vantage::ops
