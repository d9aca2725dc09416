#include "compiler/ops/operator.h"

#include "base/error.h"

namespace vantage::ops {

void check_inputs(const Operator& op, size_t count) {
  using Count = OperatorInput::Count;
  size_t least = 0, most = 0;
  for (const OperatorInput& input : op.inputs) {
    least += input.count == Count::kOptional ? 0 : 1;
    most = input.count == Count::kMany ? SIZE_MAX : most + 1;
  }
  if (count < least) fail("{} takes {}, which is missing", op.inputs[count].name, op.inputs[count].meaning);
  if (count > most) fail("there are {} inputs, expected {}", count, most);
}

std::vector<TensorType> infer(const Operator& op, const OperatorCall& call) {
  try {
    check_inputs(op, call.inputs.size());
    for (const TensorType& input : call.inputs) {
      for (const int64_t extent : input.shape) {
        if (extent < 1) fail("an input is {}, expected sizes of at least 1", describe(input));
      }
    }
    return op.infer(call);
  } catch (const Error& error) {
    fail("{}: {}", op.name, error.what());
  }
}

}  // namespace vantage::ops
