#include "tests/fuzz/model_mutator.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>

#include <fstream>
#include <memory>
#include <set>

#include "base/error.h"
#include "frontend/onnx/operators.h"

namespace vantage::test {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::ValueInfoProto;

namespace {

using Names = std::set<std::string>;

constexpr int64_t kMostElements = 4096;

// ONNX's messages know none of their fields; the same made of their description do.
class Schema {
 public:
  Schema() {
    // Names that are no text are what is tried, and nothing to tell anyone.
    google::protobuf::SetLogHandler(nullptr);
    std::ifstream file(VANTAGE_ONNX_DESCRIPTOR, std::ios::binary);
    google::protobuf::FileDescriptorSet files;
    VANTAGE_CHECK(files.ParseFromIstream(&file) && files.file_size() == 1);
    const auto* built = pool_.BuildFile(files.file(0));
    VANTAGE_CHECK(built != nullptr);
    prototype_ = factory_.GetPrototype(built->FindMessageTypeByName("ModelProto"));
  }
  std::unique_ptr<Message> as_message(const ModelProto& model) const {
    std::unique_ptr<Message> message(prototype_->New());
    VANTAGE_CHECK(message->ParsePartialFromString(model.SerializeAsString()));
    return message;
  }

 private:
  google::protobuf::DescriptorPool pool_;
  google::protobuf::DynamicMessageFactory factory_;
  const Message* prototype_ = nullptr;
};

template <typename List>
auto* any_of(List* list, MessageMutator& random) {
  return list->empty() ? nullptr : list->Mutable(static_cast<int>(random.below(static_cast<size_t>(list->size()))));
}

// Bytes of an element in raw data; 0 of one that has none of its own.
size_t bytes_of(int data_type) {
  switch (data_type) {
    case TensorProto::UINT8:
    case TensorProto::INT8:
    case TensorProto::BOOL: return 1;
    case TensorProto::UINT16:
    case TensorProto::INT16:
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16: return 2;
    case TensorProto::FLOAT:
    case TensorProto::INT32:
    case TensorProto::UINT32: return 4;
    case TensorProto::DOUBLE:
    case TensorProto::INT64:
    case TensorProto::UINT64: return 8;
    default: return 1;
  }
}

// So many elements, if there may be as many.
template <typename List>
void resize(List& list, int64_t count) {
  while (list.size() > count) list.RemoveLast();
  while (list.size() < count) list.Add(list.empty() ? 1 : list.Get(list.size() - 1));
}

void make_whole(TensorProto& tensor) {
  int64_t count = 1;
  for (const int64_t size : tensor.dims()) {
    if (size < 0 || size > kMostElements || (count *= size) > kMostElements) return;
  }
  if (tensor.has_raw_data()) {
    tensor.mutable_raw_data()->resize(static_cast<size_t>(count) * bytes_of(tensor.data_type()), '\1');
    return;
  }
  switch (tensor.data_type()) {
    case TensorProto::FLOAT: return resize(*tensor.mutable_float_data(), count);
    case TensorProto::DOUBLE: return resize(*tensor.mutable_double_data(), count);
    case TensorProto::INT64: return resize(*tensor.mutable_int64_data(), count);
    case TensorProto::UINT32:
    case TensorProto::UINT64: return resize(*tensor.mutable_uint64_data(), count);
    default: return resize(*tensor.mutable_int32_data(), count);
  }
}

// A constant in place of an input: small numbers, as most sizes and places are.
void make_constant(GraphProto& graph, MessageMutator& random) {
  const ValueInfoProto* input = any_of(graph.mutable_input(), random);
  if (input == nullptr) return;
  TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(input->name());
  tensor.set_data_type(input->type().tensor_type().elem_type());
  int64_t count = 1;
  for (const auto& dimension : input->type().tensor_type().shape().dim()) {
    const int64_t size = dimension.has_dim_value() ? dimension.dim_value() : 2;
    if (size < 0 || size > kMostElements || (count *= size) > kMostElements) return;
    tensor.add_dims(size);
  }
  const bool are_same = random.once_in(2);
  const int64_t same = random.integer();
  for (int64_t e = 0; e < count; ++e) {
    const int64_t value = are_same ? same : static_cast<int64_t>(random.below(4));
    switch (tensor.data_type()) {
      case TensorProto::FLOAT:
        tensor.add_float_data(static_cast<float>(are_same ? random.below(3) : random.below(9)));
        break;
      case TensorProto::DOUBLE: tensor.add_double_data(static_cast<double>(random.below(9))); break;
      case TensorProto::INT64: tensor.add_int64_data(value); break;
      case TensorProto::UINT32:
      case TensorProto::UINT64: tensor.add_uint64_data(static_cast<uint64_t>(value)); break;
      default: tensor.add_int32_data(static_cast<int32_t>(value));
    }
  }
}

// A few of the other's nodes, with all inputs and weights that they may read.
void insert_nodes(GraphProto& graph, const GraphProto& other, MessageMutator& random) {
  if (other.node().empty()) return;
  const auto count = static_cast<size_t>(other.node_size());
  const size_t first = random.below(count), end = std::min(count, first + 1 + random.below(3));
  size_t at = random.below(static_cast<size_t>(graph.node_size()) + 1);
  for (size_t i = first; i < end; ++i, ++at) {
    *graph.add_node() = other.node(static_cast<int>(i));
    for (auto last = static_cast<size_t>(graph.node_size()) - 1; last > at; --last) {
      graph.mutable_node()->SwapElements(static_cast<int>(last), static_cast<int>(last) - 1);
    }
  }
  for (const ValueInfoProto& input : other.input()) *graph.add_input() = input;
  for (const TensorProto& tensor : other.initializer()) *graph.add_initializer() = tensor;
}

// An attribute that another operator has, or one of another kind.
void change_attribute(NodeProto& node, const GraphProto& other, MessageMutator& random) {
  AttributeProto attribute;
  if (const NodeProto* from = other.node().empty() ? nullptr : &random.one_of(other.node());
      from != nullptr && !from->attribute().empty()) {
    attribute = random.one_of(from->attribute());
  }
  AttributeProto* to = random.once_in(2) ? node.add_attribute() : any_of(node.mutable_attribute(), random);
  if (to == nullptr) to = node.add_attribute();
  const std::string name = to->name();
  *to = attribute;
  if (!name.empty() && random.once_in(2)) to->set_name(name);
  if (!random.once_in(2)) return;
  switch (random.below(5)) {
    case 0:
      to->set_type(AttributeProto::INT);
      to->set_i(random.integer());
      break;
    case 1:
      to->set_type(AttributeProto::FLOAT);
      to->set_f(static_cast<float>(random.below(4)));
      break;
    case 2:
      to->set_type(AttributeProto::INTS);
      for (size_t i = random.below(5); i > 0; --i) to->add_ints(random.integer());
      break;
    case 3:
      to->set_type(AttributeProto::FLOATS);
      for (size_t i = random.below(5); i > 0; --i) to->add_floats(static_cast<float>(random.below(4)));
      break;
    default: to->set_type(AttributeProto::STRING); to->set_s(to->name());
  }
}

// Names that nothing has become some that something has, and those that are taken new ones.
void make_whole(GraphProto& graph, Names names, MessageMutator& random) {
  const auto any_name = [&](const std::string& otherwise) { return names.empty() ? otherwise : random.one_of(names); };
  const auto without_twins = [&](auto& list) {
    for (int i = 0; i < list.size(); ++i) {
      if (!names.insert(list.Get(i).name()).second) list.DeleteSubrange(i--, 1);
    }
  };
  const Names around = names;
  without_twins(*graph.mutable_initializer());
  Names weights = names;
  names = around;
  without_twins(*graph.mutable_input());
  names.insert(weights.begin(), weights.end());
  for (TensorProto& tensor : *graph.mutable_initializer()) make_whole(tensor);
  for (NodeProto& node : *graph.mutable_node()) {
    for (std::string& name : *node.mutable_input()) {
      if (!name.empty() && names.count(name) == 0) name = any_name(name);
    }
    for (AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) make_whole(*attribute.mutable_t());
      if (attribute.has_g()) make_whole(*attribute.mutable_g(), names, random);
    }
    for (std::string& name : *node.mutable_output()) {
      while (!name.empty() && !names.insert(name).second) name += "_";
    }
  }
  if (graph.output().empty()) graph.add_output();
  for (ValueInfoProto& output : *graph.mutable_output()) {
    if (names.count(output.name()) == 0) output.set_name(any_name(output.name()));
    // Whatever comes out.
    if (!random.once_in(4)) output.clear_type();
  }
}

}  // namespace

void change_fields(ModelProto& model, const ModelProto& other, size_t changes, MessageMutator& random) {
  static const Schema kSchema;
  const std::unique_ptr<Message> message = kSchema.as_message(model), from = kSchema.as_message(other);
  for (; changes > 0; --changes) random.change(*message, *from);
  model.ParsePartialFromString(message->SerializePartialAsString());
}

void change_model(ModelProto& model, const ModelProto& other, MessageMutator& random) {
  static const std::vector<std::string> kOperators = onnx_models::imported_operators();
  GraphProto& graph = *model.mutable_graph();
  NodeProto* node = any_of(graph.mutable_node(), random);
  switch (random.below(6)) {
    case 0:
      if (node != nullptr) node->set_op_type(random.one_of(kOperators));
      break;
    case 1:
      if (node != nullptr) change_attribute(*node, other.graph(), random);
      break;
    case 2:
      if (auto* set = any_of(model.mutable_opset_import(), random); set != nullptr) {
        set->set_version(1 + static_cast<int64_t>(random.below(26)));
      }
      break;
    case 3: insert_nodes(graph, other.graph(), random); break;
    default: make_constant(graph, random);
  }
}

void make_whole(ModelProto& model, MessageMutator& random) {
  make_whole(*model.mutable_graph(), {}, random);
}

}  // namespace vantage::test
