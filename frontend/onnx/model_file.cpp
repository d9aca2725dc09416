#include "frontend/onnx/model_file.h"

#include <google/protobuf/io/coded_stream.h>

#include <climits>

#include "base/error.h"

namespace vantage::onnx_models {

namespace {

// Graphs inside of graphs; each is three messages deep.
constexpr int kDepth = 100;

}  // namespace

::onnx::ModelProto parse_model(std::string_view bytes, std::string_view source) {
  if (bytes.size() > INT_MAX) {
    fail("{}: has {} bytes, and messages have 2 GiB at most; keep its weights beside it, as external data", source,
         bytes.size());
  }
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),  // NOLINT
                                                static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kDepth);
  ::onnx::ModelProto model;
  if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    fail("{}: is no ONNX model, or a part of one: its bytes are no such message", source);
  }
  if (!model.has_graph()) fail("{}: has no graph; is it an ONNX model?", source);
  return model;
}

}  // namespace vantage::onnx_models
