// Operators that become several steps, of floats of 16 bits.
#pragma once

#include "frontend/onnx/operators.h"

namespace vantage::onnx_models {

// The same operator, but of narrow floats made in the type that sums of them are in (Builder::sums_of), and rounded to
// theirs at its end: rounded step by step, what comes on the way may be infinite though the result is not. What it
// makes in that type is taken to be of the operands'.
ImportOperator rounded_once(ImportOperator import);

}  // namespace vantage::onnx_models
