// Any bytes as an ONNX file: an Error, or a graph whose text is read as the same, and which plain loops can run if it
// is small. They are changed as the messages that they are.
#include <optional>

#include "base/error.h"
#include "compiler/graph/evaluate.h"
#include "compiler/graph/text.h"
#include "frontend/onnx/import.h"
#include "tests/fuzz/model_mutator.h"

using namespace vantage;

namespace {

bool parse(const uint8_t* data, size_t size, ::onnx::ModelProto& model) {
  return model.ParseFromArray(data, static_cast<int>(size));
}

size_t write(const ::onnx::ModelProto& model, uint8_t* out, size_t most) {
  const size_t size = model.ByteSizeLong();
  if (size > most || !model.SerializeToArray(out, static_cast<int>(size))) return 0;
  return size;
}

// One to a few changes, after which it mostly is whole again.
void change(::onnx::ModelProto& model, const ::onnx::ModelProto& other, test::MessageMutator& random) {
  for (size_t changes = random.below(4); changes > 0; --changes) change_model(model, other, random);
  change_fields(model, other, random.below(4), random);
  if (!random.once_in(8)) make_whole(model, random);
}

// All symbols are 2.
onnx_models::ImportOptions sizes_of(const uint8_t* data, size_t size) {
  onnx_models::ImportOptions options;
  ::onnx::ModelProto model;
  if (!parse(data, size, model)) return options;
  for (const auto& input : model.graph().input()) {
    for (const auto& dimension : input.type().tensor_type().shape().dim()) {
      if (!dimension.dim_param().empty()) options.sizes[dimension.dim_param()] = 2;
    }
  }
  return options;
}

std::optional<graph::Graph> imported(std::string_view bytes, const onnx_models::ImportOptions& options) {
  try {
    return onnx_models::import_model(bytes, "fuzz", "/nonexistent", options);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Whether plain loops are done with it at once: some of them look at all operands for each of their results.
bool is_small(const graph::Graph& read) {
  constexpr int64_t kMost = 2048;
  int64_t elements = 0;
  for (const graph::Node& node : read.nodes()) {
    for (const TensorType& type : node.types) {
      if (type.size() > kMost || (elements += type.size()) > kMost) return false;
    }
  }
  return true;
}

// With inputs that are small numbers, as places and sizes are, and a few that are none.
void run(const graph::Graph& read) {
  graph::Inputs inputs;
  for (const uint32_t number : read.inputs()) {
    const graph::Node& node = read.nodes()[number];
    Tensor value(node.types[0].dtype, node.types[0].shape);
    for (int64_t e = 0; e < value.size(); ++e) {
      const int64_t small = (e * 7 + 3) % 11 - 4;
      value.set_number(e, e % 29 == 28 ? 1e300 : static_cast<double>(small));
    }
    inputs.emplace(node.name, std::move(value));
  }
  evaluate(read, inputs);
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  ::onnx::ModelProto model;
  if (!parse(data, size, model)) return size;
  test::MessageMutator random(seed);
  const ::onnx::ModelProto other = model;
  change(model, other, random);
  const size_t changed = write(model, data, most);
  return changed == 0 ? size : changed;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t most, unsigned seed) {
  ::onnx::ModelProto model, other;
  if (!parse(data, size, model) || !parse(data2, size2, other)) return 0;
  test::MessageMutator random(seed);
  change(model, other, random);
  return write(model, out, most);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::optional<graph::Graph> read = imported({reinterpret_cast<const char*>(data), size}, sizes_of(data, size));
  if (!read) return 0;
  VANTAGE_CHECK(!read->outputs().empty());
  // Texts have no tensors without elements, which only outputs can be.
  for (const graph::Value output : read->outputs()) {
    if (read->type(output).size() == 0) return 0;
  }
  const std::string text = graph::to_text(*read);
  const graph::Graph again = graph::parse_graph(text, "again", graph::constants(*read));
  VANTAGE_CHECK(graph::to_text(again) == text);
  if (is_small(*read)) run(*read);
  return 0;
}
