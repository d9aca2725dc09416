// A model's messages from its bytes.
#pragma once

#include <string_view>

#include "onnx/onnx.pb.h"

namespace vantage::onnx_models {

// Throws Error, beginning with `source`, for bytes that are no model.
::onnx::ModelProto parse_model(std::string_view bytes, std::string_view source);

}  // namespace vantage::onnx_models
