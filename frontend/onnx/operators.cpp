#include "frontend/onnx/operators.h"

namespace vantage::onnx_models {

namespace {

const std::map<std::string, ImportOperator, std::less<>>& table() {
  static const std::map<std::string, ImportOperator, std::less<>> kTable = [] {
    std::map<std::string, ImportOperator, std::less<>> all;
    for (const auto& family : {attention_family(), constant_family(), convolution_family(), einsum_family(),
                               elementwise_family(), loss_family(), microsoft_family(), movement_family(),
                               norm_family(), pool_family(), product_family(), quantize_family(), recurrent_family(),
                               reduce_family(), resize_family(), sample_family(), shape_family(), spectrum_family()}) {
      for (const auto& [name, import] : family) all.emplace(name, import);
    }
    return all;
  }();
  return kTable;
}

}  // namespace

const ImportOperator* find_import(std::string_view op) {
  const auto found = table().find(op);
  return found == table().end() ? nullptr : &found->second;
}

std::vector<std::string> imported_operators() {
  std::vector<std::string> names;
  for (const auto& [name, import] : table()) names.push_back(name);
  return names;
}

}  // namespace vantage::onnx_models
