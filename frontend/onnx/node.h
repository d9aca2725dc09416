// A node of an ONNX file as its operator reads it: operands, attributes, and the version of the operators that it is
// of.
//
// Thread safety: none.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/builder.h"
#include "onnx/onnx.pb.h"

namespace vantage::onnx_models {

class Node {
 public:
  // `inputs`: nothing for those that are left out.
  Node(const ::onnx::NodeProto& message, std::vector<std::optional<Value>> inputs, int64_t version,
       std::filesystem::path folder, Builder& builder)
      : message_(message), inputs_(std::move(inputs)), version_(version), folder_(std::move(folder)), b_(builder) {}

  // The same with other operands. What is read of its attributes is read of this one's.
  Node with(std::vector<std::optional<Value>> inputs) const {
    Node other = *this;
    other.inputs_ = std::move(inputs);
    return other;
  }

  const std::string& op() const { return message_.op_type(); }
  // Of the operators' set.
  int64_t version() const { return version_; }
  Builder& builder() const { return b_; }

  size_t inputs() const { return inputs_.size(); }
  size_t outputs() const { return static_cast<size_t>(message_.output_size()); }
  // Whether somebody may want that output.
  bool wants(size_t output) const { return output < outputs() && !message_.output(static_cast<int>(output)).empty(); }
  bool has(size_t input) const { return input < inputs_.size() && inputs_[input].has_value(); }
  // Throws Error, saying so, for one that is left out.
  Value input(size_t number) const;
  std::vector<Value> all_inputs() const;
  // What an operand is that must be known as the file is read. Throws Error that says how it can be.
  const Tensor& constant(size_t input, std::string_view what) const;
  Integers integers(size_t input, std::string_view what) const;
  double number(size_t input, std::string_view what) const;
  int64_t integer(size_t input, std::string_view what) const;

  bool has_attribute(std::string_view name) const { return find(name) != nullptr; }
  int64_t integer(std::string_view name, int64_t standard) const;
  double number(std::string_view name, double standard) const;
  std::string text(std::string_view name, std::string_view standard) const;
  Integers integers(std::string_view name, Integers standard = {}) const;
  std::vector<double> numbers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  // Throw Error for one that is not there.
  int64_t integer(std::string_view name) const;
  Tensor tensor(std::string_view name) const;
  const ::onnx::GraphProto& graph(std::string_view name) const;

  // An attribute up to some version, an operand from then on: nothing if it is neither. REQUIRES: the file's version of
  // the operator.
  std::optional<Integers> integers_of(std::string_view name, size_t input) const;

  // Throws Error for an attribute that nobody has looked at: what it asks for would be missing.
  void require_all_read() const;

  // From 0 on; -1 is the last one.
  size_t axis(int64_t given, int64_t rank) const;

 private:
  const ::onnx::AttributeProto* find(std::string_view name) const;
  // Throws Error for one of another kind.
  const ::onnx::AttributeProto* find(std::string_view name, ::onnx::AttributeProto::AttributeType type) const;
  const ::onnx::AttributeProto& need(std::string_view name, ::onnx::AttributeProto::AttributeType type) const;

  const ::onnx::NodeProto& message_;
  std::vector<std::optional<Value>> inputs_;
  int64_t version_;
  std::filesystem::path folder_;
  Builder& b_;
  std::shared_ptr<std::set<std::string, std::less<>>> read_ =
      std::make_shared<std::set<std::string, std::less<>>>();  // names of attributes
};

}  // namespace vantage::onnx_models
