// A file of ONNX in the making, for tests.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include "onnx/onnx.pb.h"

namespace vantage::test {

struct OnnxFile {
  ::onnx::ModelProto model;

  explicit OnnxFile(int64_t version = 17) {
    model.set_ir_version(8);
    model.add_opset_import()->set_version(version);
    model.mutable_graph()->set_name("net");
  }
  ::onnx::GraphProto& graph() { return *model.mutable_graph(); }

  static void set_type(::onnx::ValueInfoProto& info, const std::string& name, const std::vector<std::string>& shape,
                       int type = ::onnx::TensorProto::FLOAT) {
    info.set_name(name);
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    tensor.mutable_shape()->clear_dim();
    for (const std::string& size : shape) {
      auto& dimension = *tensor.mutable_shape()->add_dim();
      if (size.empty()) continue;
      if (std::isdigit(static_cast<unsigned char>(size[0])) != 0) {
        dimension.set_dim_value(std::stoll(size));
      } else {
        dimension.set_dim_param(size);
      }
    }
  }
  OnnxFile& input(const std::string& name, const std::vector<std::string>& shape,
                  int type = ::onnx::TensorProto::FLOAT) {
    set_type(*graph().add_input(), name, shape, type);
    return *this;
  }
  OnnxFile& output(const std::string& name, const std::vector<std::string>& shape) {
    set_type(*graph().add_output(), name, shape);
    return *this;
  }
  static ::onnx::NodeProto& add(::onnx::GraphProto& to, const std::string& op, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs) {
    ::onnx::NodeProto& node = *to.add_node();
    node.set_op_type(op);
    for (const std::string& name : inputs) node.add_input(name);
    for (const std::string& name : outputs) node.add_output(name);
    return node;
  }
  ::onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
    return add(graph(), op, inputs, outputs);
  }
  ::onnx::TensorProto& weights(const std::string& name, std::vector<int64_t> shape, const std::vector<float>& values) {
    ::onnx::TensorProto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(::onnx::TensorProto::FLOAT);
    for (const int64_t size : shape) tensor.add_dims(size);
    for (const float value : values) tensor.add_float_data(value);
    return tensor;
  }
  ::onnx::TensorProto& integers(const std::string& name, std::vector<int64_t> shape,
                                const std::vector<int64_t>& values) {
    ::onnx::TensorProto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(::onnx::TensorProto::INT64);
    for (const int64_t size : shape) tensor.add_dims(size);
    for (const int64_t value : values) tensor.add_int64_data(value);
    return tensor;
  }
  std::string bytes() const { return model.SerializeAsString(); }
};

inline ::onnx::AttributeProto& attribute(::onnx::NodeProto& node, const std::string& name,
                                         ::onnx::AttributeProto::AttributeType type) {
  ::onnx::AttributeProto& made = *node.add_attribute();
  made.set_name(name);
  made.set_type(type);
  return made;
}
inline void set(::onnx::NodeProto& node, const std::string& name, float value) {
  attribute(node, name, ::onnx::AttributeProto::FLOAT).set_f(value);
}
inline void set(::onnx::NodeProto& node, const std::string& name, const std::string& text) {
  attribute(node, name, ::onnx::AttributeProto::STRING).set_s(text);
}
inline void set(::onnx::NodeProto& node, const std::string& name, int64_t value) {
  attribute(node, name, ::onnx::AttributeProto::INT).set_i(value);
}
inline void set(::onnx::NodeProto& node, const std::string& name, const std::vector<int64_t>& values) {
  ::onnx::AttributeProto& made = attribute(node, name, ::onnx::AttributeProto::INTS);
  for (const int64_t value : values) made.add_ints(value);
}
inline void set(::onnx::NodeProto& node, const std::string& name, const std::vector<std::string>& texts) {
  ::onnx::AttributeProto& made = attribute(node, name, ::onnx::AttributeProto::STRINGS);
  for (const std::string& text : texts) made.add_strings(text);
}

}  // namespace vantage::test
