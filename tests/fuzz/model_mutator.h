// Changes in ONNX models that are more than one field's, and what makes changed ones whole: names that something has,
// tensors with as many elements as their shapes say. Most of what is changed at random is refused at its first name
// otherwise.
//
// Thread safety: functions without state.
#pragma once

#include "onnx/onnx.pb.h"
#include "tests/fuzz/message_mutator.h"

namespace vantage::test {

// So many changes of any field.
void change_fields(::onnx::ModelProto& model, const ::onnx::ModelProto& other, size_t changes, MessageMutator& random);
// Another operator, attribute or version, an input that becomes a constant, nodes of the other model.
void change_model(::onnx::ModelProto& model, const ::onnx::ModelProto& other, MessageMutator& random);
void make_whole(::onnx::ModelProto& model, MessageMutator& random);

}  // namespace vantage::test
