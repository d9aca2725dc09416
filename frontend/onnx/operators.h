// The operators that ONNX files may call, and what each becomes. A family has a file in operators/.
//
// Thread safety: values that nobody changes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/node.h"

namespace vantage::onnx_models {

// Adds to the node's builder what the node computes, and gives its outputs, in order; those behind may be left out that
// the node does not want. Throws Error for what cannot be, without the node's name.
using ImportOperator = std::function<std::vector<Value>(const Node&)>;
using OperatorFamily = std::vector<std::pair<std::string, ImportOperator>>;

OperatorFamily attention_family();
OperatorFamily constant_family();
OperatorFamily convolution_family();
OperatorFamily einsum_family();
OperatorFamily elementwise_family();
OperatorFamily loss_family();
OperatorFamily microsoft_family();
OperatorFamily movement_family();
OperatorFamily norm_family();
OperatorFamily pool_family();
OperatorFamily product_family();
OperatorFamily quantize_family();
OperatorFamily recurrent_family();
OperatorFamily reduce_family();
OperatorFamily resize_family();
OperatorFamily sample_family();
OperatorFamily shape_family();
OperatorFamily spectrum_family();

// Of ONNX's own domain, or with the domain before it: "com.microsoft.QGemm". Null for one that there is not.
const ImportOperator* find_import(std::string_view op);
std::vector<std::string> imported_operators();  // by name

}  // namespace vantage::onnx_models
