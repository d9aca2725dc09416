#include "frontend/onnx/rounded_once.h"

namespace vantage::onnx_models {

ImportOperator rounded_once(ImportOperator import) {
  return [import = std::move(import)](const Node& node) {
    Builder& b = node.builder();
    std::optional<DType> narrow;
    std::vector<std::optional<Value>> inputs;
    for (size_t i = 0; i < node.inputs(); ++i) {
      std::optional<Value>& input = inputs.emplace_back();
      if (!node.has(i)) continue;
      const DType given = b.dtype(node.input(i));
      if (given.is_narrow_float() && !narrow) narrow = given;
      input = b.wide(node.input(i));
    }
    if (!narrow) return import(node);
    std::vector<Value> results = import(node.with(std::move(inputs)));
    for (Value& result : results) {
      // Outputs that nobody wants may be no values.
      const bool is_wanted = node.wants(static_cast<size_t>(&result - results.data()));
      if (is_wanted && b.dtype(result) == Builder::sums_of(*narrow)) result = b.cast(result, *narrow);
    }
    return results;
  };
}

}  // namespace vantage::onnx_models
