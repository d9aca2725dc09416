// Attributes of functions that a file defines: what a call gives them, and what they are where it gives none.
//
// Thread safety: functions without state.
#pragma once

#include "onnx/onnx.pb.h"

namespace vantage::onnx_models {

// Whether a node of a function's body takes an attribute of the function.
bool refers_to_function(const ::onnx::NodeProto& node);

// A call with the function's defaults for the attributes that it does not give.
::onnx::NodeProto with_defaults(const ::onnx::NodeProto& call, const ::onnx::FunctionProto& function);

// A node of a function's body with what the call (with_defaults()) says where it refers to the function's attributes;
// without those that have no value. Throws Error when there is no call: the node is in no function.
::onnx::NodeProto with_attributes(const ::onnx::NodeProto& inner, const ::onnx::NodeProto* call);

}  // namespace vantage::onnx_models
