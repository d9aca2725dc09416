// Matrices that lie otherwise than tensor cores multiply them.
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "compiler/ops/cuda/matrix_form.h"
#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// The product with operands that lie as some product of tensor cores wants them: bytes have one alone (tensor_cores.h).
// A formula's results that do not lie so are kept with their last two dimensions in the other order, and a parameter is
// copied so, by a block of its own; the fewest that will do. Throws Error where that cannot be.
MatrixForm turn_operands(schedule::Schedule& s, const std::string& block, const MatrixForm& form);

}  // namespace vantage::ops
