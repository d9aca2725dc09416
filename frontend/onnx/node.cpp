#include "frontend/onnx/node.h"

#include "base/error.h"
#include "compiler/ops/sizes.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

using ::onnx::AttributeProto;

Value Node::input(size_t number) const {
  if (!has(number)) fail("its input {} is missing", number);
  return *inputs_[number];
}

std::vector<Value> Node::all_inputs() const {
  std::vector<Value> all;
  for (size_t i = 0; i < inputs_.size(); ++i) all.push_back(input(i));
  return all;
}

const Tensor& Node::constant(size_t number, std::string_view what) const {
  const Tensor* tensor = b_.known(input(number));
  if (tensor == nullptr) {
    fail("its {}, {}, comes only as the network runs; give the input that it depends on as a constant", what,
         message_.input(static_cast<int>(number)));
  }
  return *tensor;
}

Integers Node::integers(size_t number, std::string_view what) const {
  const Tensor& tensor = constant(number, what);
  if (!tensor.dtype().is_int() || tensor.rank() > 1)
    fail("its {} is {}, expected a list of integers", what, describe(tensor));
  Integers values;
  for (int64_t e = 0; e < tensor.size(); ++e) values.push_back(tensor.integer(e));
  return values;
}

double Node::number(size_t number, std::string_view what) const {
  const Tensor& tensor = constant(number, what);
  if (tensor.size() != 1) fail("its {} is {}, expected one number", what, describe(tensor));
  return tensor.number(0);
}

int64_t Node::integer(size_t number, std::string_view what) const {
  const Tensor& tensor = constant(number, what);
  if (tensor.size() != 1 || tensor.dtype().is_float()) {
    fail("its {} is {}, expected one integer", what, describe(tensor));
  }
  return tensor.integer(0);
}

void Node::require_all_read() const {
  // What changes no result: how values lie in memory, how exactly sums are kept, what is drawn at random in training.
  static const std::set<std::string, std::less<>> kOfNoMatter = {
      "broadcast", "consumed_inputs",   "storage_order", "saturate", "stash_type",
      "seed",      "softmax_precision", "momentum",      "is_test",  "spatial"};
  for (const AttributeProto& attribute : message_.attribute()) {
    if (read_->count(attribute.name()) == 0 && kOfNoMatter.count(attribute.name()) == 0) {
      fail("there is no such operator with the attribute {}", attribute.name());
    }
  }
}

const AttributeProto* Node::find(std::string_view name) const {
  read_->emplace(name);
  for (const AttributeProto& attribute : message_.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

const AttributeProto* Node::find(std::string_view name, AttributeProto::AttributeType type) const {
  const AttributeProto* attribute = find(name);
  // Files of old versions do not say which it is.
  if (attribute != nullptr && attribute->has_type() && attribute->type() != type) {
    fail("its attribute {} is {}, expected {}", name, AttributeProto::AttributeType_Name(attribute->type()),
         AttributeProto::AttributeType_Name(type));
  }
  return attribute;
}

const AttributeProto& Node::need(std::string_view name, AttributeProto::AttributeType type) const {
  const AttributeProto* attribute = find(name, type);
  if (attribute == nullptr) fail("its attribute {} is missing", name);
  return *attribute;
}

int64_t Node::integer(std::string_view name, int64_t standard) const {
  const AttributeProto* attribute = find(name, AttributeProto::INT);
  return attribute == nullptr ? standard : attribute->i();
}

int64_t Node::integer(std::string_view name) const {
  return need(name, AttributeProto::INT).i();
}

double Node::number(std::string_view name, double standard) const {
  const AttributeProto* attribute = find(name, AttributeProto::FLOAT);
  return attribute == nullptr ? standard : static_cast<double>(attribute->f());
}

std::string Node::text(std::string_view name, std::string_view standard) const {
  const AttributeProto* attribute = find(name, AttributeProto::STRING);
  return attribute == nullptr ? std::string(standard) : attribute->s();
}

Integers Node::integers(std::string_view name, Integers standard) const {
  const AttributeProto* attribute = find(name, AttributeProto::INTS);
  return attribute == nullptr ? std::move(standard) : Integers(attribute->ints().begin(), attribute->ints().end());
}

std::vector<double> Node::numbers(std::string_view name) const {
  const AttributeProto* attribute = find(name, AttributeProto::FLOATS);
  if (attribute == nullptr) return {};
  return {attribute->floats().begin(), attribute->floats().end()};
}

Tensor Node::tensor(std::string_view name) const {
  Tensor tensor = tensor_of(need(name, AttributeProto::TENSOR).t(), folder_);
  // Functions and loops have it again and again.
  b_.spend(tensor.size());
  return tensor;
}

const ::onnx::GraphProto& Node::graph(std::string_view name) const {
  return need(name, AttributeProto::GRAPH).g();
}

std::vector<std::string> Node::texts(std::string_view name) const {
  const AttributeProto* attribute = find(name, AttributeProto::STRINGS);
  if (attribute == nullptr) return {};
  return {attribute->strings().begin(), attribute->strings().end()};
}

std::optional<Integers> Node::integers_of(std::string_view name, size_t number) const {
  if (has_attribute(name)) return integers(name);
  return has(number) ? std::optional(integers(number, name)) : std::nullopt;
}

size_t Node::axis(int64_t given, int64_t rank) const {
  return ops::axis_of(given, static_cast<size_t>(rank));
}

}  // namespace vantage::onnx_models
