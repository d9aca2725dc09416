// Types and values of ONNX as tensors.
#pragma once

#include <filesystem>
#include <string>

#include "base/tensor/tensor.h"
#include "onnx/onnx.pb.h"

namespace vantage::onnx_models {

// Throws Error for one that tensors do not have, naming it.
DType dtype_of(int64_t data_type);
// "FLOAT8E4M3FN", or its number.
std::string name_of_type(int64_t data_type);

// A value, from the message or from a file beside the model. Throws Error for elements that are fewer or more than its
// shape says, and for a file that is missing, too short, or not below `folder`. Of a type that tensors do not have
// (narrow.h) one that holds its values.
Tensor tensor_of(const ::onnx::TensorProto& message, const std::filesystem::path& folder);

}  // namespace vantage::onnx_models
