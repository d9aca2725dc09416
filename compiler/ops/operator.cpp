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

namespace {

// Formulas count elements with 32 bits.
void check_size(const TensorType& type, std::string_view what) {
  for (const int64_t extent : type.shape) {
    if (extent < 1) fail("{} is {}, expected sizes of at least 1", what, describe(type));
  }
  if (dense_bytes(kInt8, type.shape) > INT32_MAX) {
    fail("{} is {}, expected {} elements at most", what, describe(type), INT32_MAX);
  }
}

// Any two of them can be multiplied.
void check_integers(const Attributes& attributes) {
  for (const auto& [name, value] : attributes.all()) {
    const Integers* list = std::get_if<Integers>(&value);
    const int64_t* one = std::get_if<int64_t>(&value);
    for (const int64_t integer : list != nullptr ? *list : one != nullptr ? Integers{*one} : Integers()) {
      if (integer < -INT32_MAX || integer > INT32_MAX) {
        fail("{} is {}, expected integers from {} to {}", name, integer, -INT32_MAX, INT32_MAX);
      }
    }
  }
}

}  // namespace

std::vector<TensorType> infer(const Operator& op, const OperatorCall& call) {
  try {
    check_inputs(op, call.inputs.size());
    for (const TensorType& input : call.inputs) check_size(input, "an input");
    check_integers(call.attributes);
    std::vector<TensorType> outputs = op.infer(call);
    for (const TensorType& output : outputs) check_size(output, "the result");
    return outputs;
  } catch (const Error& error) {
    fail("{}: {}", op.name, error.what());
  }
}

}  // namespace vantage::ops
