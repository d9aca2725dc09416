#include "frontend/onnx/function_attributes.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>

#include "base/error.h"

namespace vantage::onnx_models {

using google::protobuf::internal::WireFormatLite;
using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::NodeProto;

namespace {

// FunctionProto.attribute_proto, of ONNX 1.13 and later: schemas before that do not know the field, and keep its bytes.
constexpr int kDefaultsField = 11;

std::vector<AttributeProto> defaults_of(const FunctionProto& function) {
  const std::string& bytes = function.unknown_fields();
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                                            static_cast<int>(bytes.size()));
  std::vector<AttributeProto> defaults;
  while (const uint32_t tag = in.ReadTag()) {
    if (tag != WireFormatLite::MakeTag(kDefaultsField, WireFormatLite::WIRETYPE_LENGTH_DELIMITED)) {
      if (!WireFormatLite::SkipField(&in, tag)) break;
      continue;
    }
    std::string text;
    if (!WireFormatLite::ReadBytes(&in, &text) || !defaults.emplace_back().ParseFromString(text)) {
      fail("the defaults of the function {} are damaged", function.name());
    }
  }
  return defaults;
}

}  // namespace

bool refers_to_function(const NodeProto& node) {
  return std::ranges::any_of(node.attribute(),
                             [](const AttributeProto& attribute) { return !attribute.ref_attr_name().empty(); });
}

NodeProto with_defaults(const NodeProto& call, const FunctionProto& function) {
  NodeProto node = call;
  for (const AttributeProto& value : defaults_of(function)) {
    const bool is_given = std::ranges::any_of(
        call.attribute(), [&](const AttributeProto& attribute) { return attribute.name() == value.name(); });
    if (!is_given) *node.add_attribute() = value;
  }
  return node;
}

NodeProto with_attributes(const NodeProto& inner, const NodeProto* call) {
  if (call == nullptr) fail("it refers to attributes of a function, and is in none");
  NodeProto node = inner;
  node.clear_attribute();
  for (const AttributeProto& attribute : inner.attribute()) {
    if (attribute.ref_attr_name().empty()) {
      *node.add_attribute() = attribute;
      continue;
    }
    for (const AttributeProto& given : call->attribute()) {
      if (given.name() != attribute.ref_attr_name()) continue;
      AttributeProto* mine = node.add_attribute();
      *mine = given;
      mine->set_name(attribute.name());
    }
  }
  return node;
}

}  // namespace vantage::onnx_models
