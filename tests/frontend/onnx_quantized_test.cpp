// Files that were quantized before: what is read of them, and what is refused. Operators: frontend/onnx/conformance.sh.
#include <filesystem>

#include "base/error.h"
#include "base/tensor/random.h"
#include "compiler/graph/evaluate.h"
#include "compiler/graph/passes/pass_list.h"
#include "compiler/graph/quantize/quantize.h"
#include "compiler/graph/quantize/weights.h"
#include "compiler/graph/text.h"
#include "frontend/onnx/import.h"
#include "onnx/onnx.pb.h"
#include "tests/catch.h"
#include "tests/compiler/network/random_network.h"
#include "tests/frontend/onnx/quantized_case.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"

namespace vantage::test::onnx_quantized_test {

using namespace vantage;

namespace {

using ::onnx::TensorProto;

// x is rounded, and multiplied by weights that are integers.
struct Quantized {
  ::onnx::ModelProto model;

  Quantized() {
    model.set_ir_version(8);
    model.add_opset_import()->set_version(21);
    model.mutable_graph()->set_name("net");
    auto& x = *model.mutable_graph()->add_input();
    x.set_name("x");
    auto& type = *x.mutable_type()->mutable_tensor_type();
    type.set_elem_type(TensorProto::FLOAT);
    for (const int64_t size : {2, 3}) type.mutable_shape()->add_dim()->set_dim_value(size);
    model.mutable_graph()->add_output()->set_name("y");
    floats("x_scale", {0.5F});
    integers("x_zero", TensorProto::UINT8, {10}, {});
    floats("w_scale", {0.25F, 2});
    integers("w_zero", TensorProto::INT8, {0, 0}, {2});
    integers("w", TensorProto::INT8, {1, -2, 3, -4, 5, -6}, {3, 2});
    node("QuantizeLinear", {"x", "x_scale", "x_zero"}, "q", "round");
    node("DequantizeLinear", {"q", "x_scale", "x_zero"}, "d", "unround");
    node("DequantizeLinear", {"w", "w_scale", "w_zero"}, "v", "weigh");
    node("MatMul", {"d", "v"}, "y", "product");
  }

  void floats(const std::string& name, const std::vector<float>& values) {
    TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::FLOAT);
    if (values.size() > 1) tensor.add_dims(static_cast<int64_t>(values.size()));
    for (const float value : values) tensor.add_float_data(value);
  }
  void integers(const std::string& name, int type, const std::vector<int>& values, const std::vector<int64_t>& shape) {
    TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const int64_t size : shape) tensor.add_dims(size);
    for (const int value : values) tensor.add_int32_data(value);
  }
  void node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output,
            const std::string& name) {
    ::onnx::NodeProto& node = *model.mutable_graph()->add_node();
    node.set_op_type(op);
    node.set_name(name);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
  }
  TensorProto& initializer(const std::string& name) {
    for (TensorProto& tensor : *model.mutable_graph()->mutable_initializer()) {
      if (tensor.name() == name) return tensor;
    }
    fail("there is no {}", name);
  }
  void set_axis(int node, int64_t axis) {
    auto& attribute = *model.mutable_graph()->mutable_node(node)->add_attribute();
    attribute.set_name("axis");
    attribute.set_type(::onnx::AttributeProto::INT);
    attribute.set_i(axis);
  }
  graph::Graph read() const { return onnx_models::import_model(model.SerializeAsString(), "f.onnx", ""); }
  std::string error() const { return ERROR_OF(read()); }
};

// A file of one node, whose weights are constants.
struct OneNode {
  ::onnx::ModelProto model;

  explicit OneNode(Tensor::Shape x_shape) {
    model.set_ir_version(10);
    model.add_opset_import()->set_version(21);
    auto& microsoft = *model.add_opset_import();
    microsoft.set_domain("com.microsoft");
    microsoft.set_version(1);
    model.mutable_graph()->set_name("net");
    auto& x = *model.mutable_graph()->add_input();
    x.set_name("x");
    auto& type = *x.mutable_type()->mutable_tensor_type();
    type.set_elem_type(TensorProto::FLOAT);
    for (const int64_t size : x_shape) type.mutable_shape()->add_dim()->set_dim_value(size);
    model.mutable_graph()->add_output()->set_name("y");
  }
  void bytes(const std::string& name, int type, const std::vector<int64_t>& shape, const std::string& raw) {
    TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const int64_t size : shape) tensor.add_dims(size);
    tensor.set_raw_data(raw);
  }
  ::onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output) {
    ::onnx::NodeProto& node = *model.mutable_graph()->add_node();
    node.set_op_type(op);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
    return node;
  }
  static void set(::onnx::NodeProto& node, const std::string& name, int64_t value) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::INT);
    attribute.set_i(value);
  }
  graph::Graph read() const { return onnx_models::import_model(model.SerializeAsString(), "f.onnx", ""); }
};

std::string raw(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}
// The first of two in a byte is the lower one.
std::string nibbles(const std::vector<int>& values) {
  std::string bytes((values.size() + 1) / 2, '\0');
  for (size_t i = 0; i < values.size(); ++i) {
    bytes[i / 2] = static_cast<char>(bytes[i / 2] | (values[i] & 15) << (i % 2 * 4));
  }
  return bytes;
}

// The only product of a simplified graph, by weights in groups along the depth, and what it makes of random inputs.
void check_groups(const graph::Graph& read, int64_t groups, const std::vector<std::vector<double>>& weights,
                  std::mt19937_64& random) {
  const graph::Graph simple = passes::run_passes(read, graph::simplifying_passes());
  INFO(to_text(simple));
  const auto product = std::ranges::find_if(simple.nodes(), [](const auto& node) { return node.is_call("dense"); });
  REQUIRE(product != simple.nodes().end());
  const auto narrow = graph::find_narrow_weights(simple, product->inputs[1]);
  REQUIRE(narrow);
  CHECK(narrow->has_groups());
  CHECK(narrow->scales->shape() == Tensor::Shape{static_cast<int64_t>(weights.size()), groups});
  Tensor x(kFloat32, read.nodes()[read.inputs()[0]].types[0].shape);
  fill(x, random);
  graph::Inputs inputs;
  inputs.emplace("x", x);
  const auto outputs = static_cast<int64_t>(weights.size()), depth = static_cast<int64_t>(weights[0].size());
  // In integers of 8 bits, too, rounded anew for each output.
  graph::QuantizeOptions options;
  options.scaling = graph::Scaling::kMultiplyShift;
  options.per_channel = true;
  options.range = graph::Range::kMax;
  const graph::Graph integers = quantize(simple, test::statistics_of(simple, inputs), options).graph;
  const Tensor y = evaluate(simple, inputs)[0], rounded = evaluate(integers, inputs)[0];
  for (int64_t e = 0; e < y.size(); ++e) {
    double wanted = 0, most = 0;
    for (int64_t k = 0; k < depth; ++k) {
      const double product_of =
          x.number(e / outputs * depth + k) * weights[static_cast<size_t>(e % outputs)][static_cast<size_t>(k)];
      wanted += product_of;
      most += std::abs(product_of);
    }
    CHECK(std::abs(y.number(e) - wanted) < 1e-5 * most + 1e-6);
    CHECK(std::abs(rounded.number(e) - wanted) < 0.05 * most + 1e-6);
  }
}

}  // namespace

TEST_CASE("int4 weights in blocks stay narrow in the graph, with a scale for each group", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (int round = 0; round < test::rounds(20); ++round) {
    const int64_t block = 2 * pick(1, 8), blocks = pick(2, 5), outputs = pick(2, 9), depth = block * blocks;
    const bool has_zeros = pick(0, 1) == 0, is_unsigned = pick(0, 1) == 0;
    const int low = is_unsigned ? 0 : -8, high = is_unsigned ? 15 : 7;
    std::vector<int> integers, zeros;
    std::vector<float> scales;
    const auto draw = [&](std::vector<int>& to, int64_t count) {
      while (count-- > 0) to.push_back(static_cast<int>(pick(low, high)));
    };
    draw(integers, depth * outputs);
    draw(zeros, blocks * outputs);
    for (int64_t i = 0; i < blocks * outputs; ++i) scales.push_back(0.01F * static_cast<float>(pick(1, 50)));
    // [depth, outputs] for MatMul, with blocks along the first axis, or [outputs, depth] along the second.
    const bool is_transposed = pick(0, 1) == 0;
    std::vector<std::vector<double>> weights(static_cast<size_t>(outputs),
                                             std::vector<double>(static_cast<size_t>(depth)));
    for (int64_t o = 0; o < outputs; ++o) {
      for (int64_t k = 0; k < depth; ++k) {
        const auto at = static_cast<size_t>(is_transposed ? o * depth + k : k * outputs + o);
        const auto of = static_cast<size_t>(is_transposed ? o * blocks + k / block : k / block * outputs + o);
        weights[static_cast<size_t>(o)][static_cast<size_t>(k)] =
            (integers[at] - (has_zeros ? zeros[of] : 0)) * double{scales[of]};
      }
    }
    const int type = is_unsigned ? 21 : 22;  // UINT4, INT4
    const auto shape = [&](int64_t along) {
      return is_transposed ? std::vector<int64_t>{outputs, along} : std::vector<int64_t>{along, outputs};
    };
    OneNode file({3, depth});
    file.bytes("w", type, shape(depth), nibbles(integers));
    file.bytes("s", TensorProto::FLOAT, shape(blocks), raw(scales));
    std::vector<std::string> inputs = {"w", "s"};
    if (has_zeros) {
      file.bytes("z", type, shape(blocks), nibbles(zeros));
      inputs.emplace_back("z");
    }
    ::onnx::NodeProto& dequantize = file.node("DequantizeLinear", inputs, "v");
    OneNode::set(dequantize, "axis", is_transposed ? 1 : 0);
    OneNode::set(dequantize, "block_size", block);
    if (is_transposed) {
      OneNode::set(file.node("Gemm", {"x", "v"}, "y"), "transB", 1);
    } else {
      file.node("MatMul", {"x", "v"}, "y");
    }
    check_groups(file.read(), blocks, weights, random);
  }
}

TEST_CASE("MatMulNBits multiplies by what its bytes stand for", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (int round = 0; round < test::rounds(10); ++round) {
    const int64_t block = 16, blocks = pick(2, 5), outputs = pick(2, 6), depth = block * blocks;
    const bool has_zeros = pick(0, 1) == 0;
    OneNode file({2, depth});
    std::string packed, zeros(static_cast<size_t>(outputs * ((blocks + 1) / 2)), '\0');
    for (int64_t i = 0; i < outputs * depth / 2; ++i) packed += static_cast<char>(random());
    for (char& byte : zeros) byte = static_cast<char>(random());
    std::vector<float> scales;
    for (int64_t i = 0; i < outputs * blocks; ++i) scales.push_back(0.01F * static_cast<float>(pick(1, 50)));
    file.bytes("w", TensorProto::UINT8, {outputs, blocks, block / 2}, packed);
    file.bytes("s", TensorProto::FLOAT, {outputs * blocks}, raw(scales));
    if (has_zeros) file.bytes("z", TensorProto::UINT8, {static_cast<int64_t>(zeros.size())}, zeros);
    ::onnx::NodeProto& node = file.node(
        "MatMulNBits",
        has_zeros ? std::vector<std::string>{"x", "w", "s", "z"} : std::vector<std::string>{"x", "w", "s"}, "y");
    node.set_domain("com.microsoft");
    for (const auto& [name, value] :
         {std::pair<const char*, int64_t>{"K", depth}, {"N", outputs}, {"bits", 4}, {"block_size", block}}) {
      OneNode::set(node, name, value);
    }
    std::vector<std::vector<double>> weights;
    for (int64_t o = 0; o < outputs; ++o) {
      weights.emplace_back();
      for (int64_t k = 0; k < depth; ++k) {
        const auto half = [](const std::string& bytes, int64_t byte, bool is_upper) {
          const auto value = static_cast<unsigned char>(bytes[static_cast<size_t>(byte)]);
          return is_upper ? value / 16 : value % 16;
        };
        const int64_t of = k / block;
        const int zero = has_zeros ? half(zeros, o * ((blocks + 1) / 2) + of / 2, of % 2 == 1) : 8;
        weights.back().push_back((half(packed, (o * depth + k) / 2, k % 2 == 1) - zero) *
                                 double{scales[static_cast<size_t>(o * blocks + of)]});
      }
    }
    check_groups(file.read(), blocks, weights, random);
    node.mutable_attribute(3)->set_i(INT64_MAX);
    CHECK_THAT(ERROR_OF(file.read()), ContainsSubstring("expected sizes from 1 on, and 4 or 8 bits"));
  }
}

TEST_CASE("networks that onnxruntime quantized have its results, in integers", "[unit]") {
  size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "tests/data/quantized")) {
    const std::string name = entry.path().stem().string();
    INFO(name);
    CHECK(test::complaint(test::run_quantized_case(entry.path()), name) == "");
    ++cases;
  }
  CHECK(cases == 14);
}

TEST_CASE("weights of a file that are integers stay so in the graph", "[unit]") {
  Quantized file;
  file.set_axis(2, 1);
  const graph::Graph graph = file.read();
  INFO(to_text(graph));
  const auto product = std::ranges::find_if(graph.nodes(), [](const auto& node) { return node.is_call("matmul"); });
  REQUIRE(product != graph.nodes().end());
  const auto weights = graph::find_narrow_weights(graph, product->inputs[1]);
  REQUIRE(weights);
  CHECK(weights->integers->at({2, 1}) == -6);
  CHECK(weights->scales->shape() == Tensor::Shape{1, 2});
  graph::Inputs inputs;
  Tensor x(kFloat32, {2, 3});
  for (int64_t e = 0; e < 6; ++e) x.set_number(e, 0.6 * static_cast<double>(e));  // 0 .5 1; 2 2.5 3
  inputs.emplace("x", std::move(x));
  const Tensor y = evaluate(graph, inputs)[0];
  CHECK(y.at({0, 0}) == 0.25 * (0.5 * 3 + 1 * 5));
  CHECK(y.at({1, 1}) == 2 * (2 * -2 + 2.5 * -4 + 3 * -6));
}

TEST_CASE("scales and zero points that cannot be are refused, with the node", "[unit]") {
  const auto with = [](const std::string& name, const auto& change) {
    Quantized file;
    file.set_axis(2, 1);
    change(file.initializer(name));
    return file.error();
  };
  const auto number = [&](float value) {
    return with("x_scale", [&](TensorProto& tensor) { tensor.set_float_data(0, value); });
  };
  const std::string begin = "f.onnx: node round (QuantizeLinear): its scale is ";
  CHECK(number(0) == begin + "0 at element 0, expected a number above 0");
  CHECK(number(-1) == begin + "-1 at element 0, expected a number above 0");
  CHECK(number(INFINITY) == begin + "inf at element 0, expected a number above 0");
  CHECK(number(NAN) == "f.onnx: the tensor x_scale has NaN at element 0; was the training sound?");
  CHECK(with("w_scale", [](TensorProto& tensor) { tensor.set_float_data(1, -2); }) ==
        "f.onnx: node weigh (DequantizeLinear): its scale is -2 at element 1, expected a number above 0");
  CHECK(with("x_zero", [](TensorProto& tensor) { tensor.set_data_type(TensorProto::FLOAT16); }) ==
        "f.onnx: node round (QuantizeLinear): it rounds to float16, expected integers");
  CHECK(with("w_zero", [](TensorProto& tensor) { tensor.set_data_type(TensorProto::UINT8); }) ==
        "f.onnx: node weigh (DequantizeLinear): its zero point is uint8, but the integers that it belongs to are int8");
  Quantized axis;
  axis.set_axis(2, 0);
  CHECK_THAT(axis.error(),
             ContainsSubstring("node weigh (DequantizeLinear): float32[2] is no scale or zero point for axis 0"));
  Quantized none;
  none.set_axis(2, 5);
  CHECK_THAT(none.error(), ContainsSubstring("node weigh (DequantizeLinear)"));
}

}  // namespace vantage::test::onnx_quantized_test
