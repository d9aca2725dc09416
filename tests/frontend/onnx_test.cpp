// Models in ONNX files: what is read, and what is refused of them. Operators: frontend/onnx/conformance.sh.
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tensor/compare.h"
#include "base/tensor/npy.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/graph/evaluate.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/network/compile_network.h"
#include "driver/runtime/executor.h"
#include "frontend/onnx/import.h"
#include "network/network_file.h"
#include "tests/catch.h"
#include "tests/frontend/onnx_file.h"
#include "tests/support/effort.h"
#include "tests/support/temporary.h"
#include "workload/digits.h"
#include "workload/graph_on_processor.h"

namespace vantage::test::frontend_onnx_test {

using namespace vantage;
using onnx_models::import_model;
using onnx_models::ImportOptions;
using File = OnnxFile;

namespace {

// y = relu(x + w).
File example(const std::vector<std::string>& shape = {"2", "3"}) {
  File file;
  file.input("x", shape).output("y", shape);
  file.weights("w", {3}, {1, -2, 3});
  file.node("Add", {"x", "w"}, {"sum"}).set_name("adder");
  file.node("Relu", {"sum"}, {"y"});
  return file;
}

std::string error_of(const std::string& bytes, const ImportOptions& options = {},
                     const std::filesystem::path& folder = "/nonexistent") {
  return ERROR_OF(import_model(bytes, "f.onnx", folder, options));
}

Tensor numbers(Tensor::Shape shape) {
  Tensor tensor(kFloat32, std::move(shape));
  for (int64_t e = 0; e < tensor.size(); ++e) tensor.set_number(e, static_cast<double>(e) - 2);
  return tensor;
}

}  // namespace

TEST_CASE("a file is read as a graph", "[unit]") {
  const graph::Graph graph = import_model(example().bytes(), "f.onnx", "/nonexistent");
  CHECK(to_text(graph) ==
        "graph net(%x: float32[2, 3]) {\n  %w = constant float32[3] {1, -2, 3}\n"
        "  %adder = add(%x, %w) : float32[2, 3]\n  %Relu = relu(%adder) : float32[2, 3]\n  return %Relu as y\n}\n");
  graph::Inputs inputs;
  inputs.emplace("x", numbers({2, 3}));
  CHECK(evaluate(graph, inputs)[0].at({0, 2}) == 3);
}

TEST_CASE("outputs are called as in the file, whatever their nodes are", "[unit]") {
  File file;
  file.input("x", {"2", "3"});
  for (const char* output : {"a", "b", "c:0", "c_0"}) file.output(output, {"2", "3"});
  file.node("Relu", {"x"}, {"a"}).set_name("b");
  file.node("Abs", {"x"}, {"b"}).set_name("a");
  file.node("Identity", {"a"}, {"c:0"});
  file.node("Identity", {"a"}, {"c_0"});
  const graph::Graph graph = import_model(file.bytes(), "f.onnx", "/nonexistent");
  const std::vector<std::string> names = {"a", "b", "c_0", "c_0_"};
  CHECK(graph.output_names() == names);
  CHECK(graph.node(graph.outputs()[0]).is_call("relu"));
  CHECK(graph::parse_graph(to_text(graph), "text").output_names() == names);
  const Network network = network::compile_network(graph::fuse_operators(graph)).network;
  CHECK(output_names(network) == names);
  CHECK(output_names(network_from_json(parse_json(network_to_json(network).dump(), "network.json"), "network.json", {},
                                       {})) == names);
}

TEST_CASE("sizes of symbols, shapes of inputs and constants are what is given", "[unit]") {
  ImportOptions options;
  options.sizes["batch"] = 5;
  const graph::Graph five = import_model(example({"batch", "3"}).bytes(), "f.onnx", "", options);
  CHECK(describe(five.type(five.outputs()[0])) == "float32[5, 3]");
  options = {};
  options.shapes["x"] = {7, 3};
  const graph::Graph seven = import_model(example({"", "3"}).bytes(), "f.onnx", "", options);
  CHECK(describe(seven.type(seven.outputs()[0])) == "float32[7, 3]");
  // The shape that a network computes itself is a number by the time that it runs.
  File file;
  file.input("x", {"n", "4"}).input("shape", {"2"}, ::onnx::TensorProto::INT64).output("y", {});
  file.graph().mutable_output(0)->clear_type();
  file.node("Reshape", {"x", "shape"}, {"y"});
  options = {};
  options.sizes["n"] = 6;
  CHECK(error_of(file.bytes(), options) ==
        "f.onnx: the Reshape that makes y: its shape, shape, comes only as the network runs; give the input that it "
        "depends "
        "on as a constant");
  Tensor shape(kInt64, {2});
  shape.set_integer(0, -1);
  shape.set_integer(1, 3);
  options.constants.emplace("shape", shape);
  const graph::Graph eight = import_model(file.bytes(), "f.onnx", "", options);
  CHECK(describe(eight.type(eight.outputs()[0])) == "float32[8, 3]");
}

TEST_CASE("functions of the file's own are read as if their nodes stood there", "[unit]") {
  File file;
  file.input("x", {"2"}).output("y", {"2"});
  file.model.add_opset_import()->set_domain("mine");
  ::onnx::FunctionProto& function = *file.model.add_functions();
  function.set_name("Leaky");
  function.set_domain("mine");
  function.add_input("a");
  function.add_output("b");
  function.add_attribute("slope");
  ::onnx::NodeProto& inner = *function.add_node();
  inner.set_op_type("LeakyRelu");
  inner.add_input("a");
  inner.add_output("b");
  auto* reference = inner.add_attribute();
  reference->set_name("alpha");
  reference->set_type(::onnx::AttributeProto::FLOAT);
  reference->set_ref_attr_name("slope");
  ::onnx::NodeProto& call = file.node("Leaky", {"x"}, {"y"});
  call.set_domain("mine");
  auto* slope = call.add_attribute();
  slope->set_name("slope");
  slope->set_type(::onnx::AttributeProto::FLOAT);
  slope->set_f(0.5F);
  const graph::Graph graph = import_model(file.bytes(), "f.onnx", "");
  graph::Inputs inputs;
  inputs.emplace("x", numbers({2}));
  CHECK(evaluate(graph, inputs)[0].at({0}) == -1);
  // What the function says where the call says nothing. FunctionProto.attribute_proto, which not every schema has.
  ::onnx::AttributeProto standard = call.attribute(0);
  standard.set_f(0.25F);
  const std::string bytes = standard.SerializeAsString();
  *function.mutable_unknown_fields() = std::string{'\x5a', static_cast<char>(bytes.size())} + bytes;
  const auto run = [&] { return evaluate(import_model(file.bytes(), "f.onnx", ""), inputs)[0].at({0}); };
  CHECK(run() == -1);
  call.clear_attribute();
  CHECK(run() == -0.5);
  // Two of a name
  *file.model.add_functions() = function;
  CHECK_THAT(error_of(file.bytes()), ContainsSubstring("two functions are called Leaky"));
  file.model.mutable_functions()->RemoveLast();
  // One that calls itself never ends.
  inner.set_op_type("Leaky");
  inner.set_domain("mine");
  *function.mutable_node(0) = inner;
  CHECK_THAT(error_of(file.bytes()), ContainsSubstring("nested more than 32 deep"));
}

TEST_CASE("data beside a file is read from its folder alone", "[unit]") {
  const test::TemporaryFolder folder;
  std::string bytes(16 + 12, '\0');
  for (int i = 0; i < 3; ++i) {
    const auto value = static_cast<float>(i + 1);
    std::memcpy(bytes.data() + 16 + 4 * i, &value, 4);
  }
  write_file(folder.path() / "weights.bin", bytes);
  const auto with = [](const std::string& location, const std::string& offset, const std::string& length) {
    File file = example();
    ::onnx::TensorProto& w = *file.graph().mutable_initializer(0);
    w.clear_float_data();
    w.set_data_location(::onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : {std::pair{"location", location}, {"offset", offset}, {"length", length}}) {
      auto* entry = w.add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    return file.bytes();
  };
  const graph::Graph graph = import_model(with("weights.bin", "16", "12"), "f.onnx", folder.path());
  CHECK(graph.nodes()[0].constant->at({2}) == 3);
  const auto error = [&](const std::string& location, const std::string& offset, const std::string& length) {
    return error_of(with(location, offset, length), {}, folder.path());
  };
  CHECK_THAT(error("weights.bin", "17", "12"), ContainsSubstring("is bytes 17 to 29 of"));
  CHECK_THAT(error("weights.bin", "16", "8"), ContainsSubstring("is 8 bytes, expected 12"));
  CHECK_THAT(error("weights.bin", "-1", "12"), ContainsSubstring("has the offset '-1', expected a number"));
  CHECK_THAT(error("nothing.bin", "0", "12"), ContainsSubstring("the tensor w its data lies in"));
  for (const char* outside : {"../weights.bin", "/etc/passwd", "a/../../weights.bin", ""}) {
    CHECK_THAT(error(outside, "0", "12"), ContainsSubstring("model"));
  }
}

TEST_CASE("weights of few bits are read as what they stand for", "[unit]") {
  const auto values_of = [](int type, const std::string& bytes, int64_t count) {
    File file;
    file.graph().add_output()->set_name("y");
    ::onnx::TensorProto& tensor = *file.graph().add_initializer();
    tensor.set_name("w");
    tensor.set_data_type(type);
    tensor.add_dims(count);
    tensor.set_raw_data(bytes);
    auto& to = *file.node("Cast", {"w"}, {"y"}).add_attribute();
    to.set_name("to");
    to.set_type(::onnx::AttributeProto::INT);
    to.set_i(::onnx::TensorProto::FLOAT);
    const graph::Graph graph = import_model(file.bytes(), "f.onnx", "");
    std::vector<double> values;
    for (int64_t e = 0; e < count; ++e) values.push_back(graph.node(graph.outputs()[0]).constant->number(e));
    return values;
  };
  using Values = std::vector<double>;
  CHECK(values_of(22, "\x71\x8f\x02", 5) == Values{1, 7, -1, -8, 2});                          // INT4
  CHECK(values_of(21, "\x71\x8f", 4) == Values{1, 7, 15, 8});                                  // UINT4
  CHECK(values_of(26, "\xe4", 4) == Values{0, 1, -2, -1});                                     // INT2
  CHECK(values_of(25, "\xe4", 3) == Values{0, 1, 2});                                          // UINT2
  CHECK(values_of(17, "\x38\xb8\x7e\x01", 4) == Values{1, -1, 448, std::ldexp(1, -9)});        // FLOAT8E4M3FN
  CHECK(values_of(18, "\x40\x7f", 2) == Values{1, 240});                                       // FLOAT8E4M3FNUZ
  CHECK(values_of(19, "\x3c\x7b\x7c\xfc", 4) == Values{1, 57344, INFINITY, -INFINITY});        // FLOAT8E5M2
  CHECK(values_of(20, "\x40\x7f", 2) == Values{1, 57344});                                     // FLOAT8E5M2FNUZ
  CHECK(values_of(23, "\x71\x9a", 4) == Values{0.5, 6, -1, -0.5});                             // FLOAT4E2M1
  CHECK(values_of(24, std::string("\x7f\x80\0", 3), 3) == Values{1, 2, std::ldexp(1, -127)});  // FLOAT8E8M0
  CHECK_THAT(ERROR_OF(values_of(22, "\x71\x8f", 5)), ContainsSubstring("has 2 bytes, but its shape is of 5 elements"));
  CHECK_THAT(ERROR_OF(values_of(17, "\x7f", 1)), ContainsSubstring("the tensor w has NaN at element 0"));
}

TEST_CASE("weights of few bits are taken by those alone that mean their values", "[unit]") {
  // Blocks of two along the first axis.
  File file(21);
  file.input("x", {"1", "4"}).output("y", {"1", "2"});
  ::onnx::TensorProto& w = *file.graph().add_initializer();
  w.set_name("w");
  w.set_data_type(22);
  w.add_dims(4);
  w.add_dims(2);
  for (const int pair : {0x21, 0xf3, 0x10, 0x02}) w.add_int32_data(pair);
  file.weights("s", {2, 2}, {1, 0.5F, 2, 4});
  ::onnx::NodeProto& node = file.node("DequantizeLinear", {"w", "s"}, {"v"});
  for (const auto& [name, value] : {std::pair("axis", 0), {"block_size", 2}}) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::INT);
    attribute.set_i(value);
  }
  file.node("MatMul", {"x", "v"}, {"y"});
  const graph::Graph graph = import_model(file.bytes(), "f.onnx", "");
  graph::Inputs inputs;
  inputs.emplace("x", numbers({1, 4}));  // -2 -1 0 1
  // Rows: 1 2*.5, 3 -1*.5, 0 1*4, 2*2 0.
  const std::vector<Tensor> made = evaluate(graph, inputs);
  CHECK(made[0].at({0, 0}) == -1);
  CHECK(made[0].at({0, 1}) == -1.5);
  file.graph().mutable_node(1)->set_input(1, "w");
  CHECK(
      error_of(file.bytes()) ==
      "f.onnx: the MatMul that makes y: its input w is of ONNX's type INT4, which only Cast and DequantizeLinear take");
  for (const int64_t block : {int64_t{3}, INT64_MAX, int64_t{-2}}) {
    file.graph().mutable_node(0)->mutable_attribute(1)->set_i(block);
    const bool fits = block == 3;
    CHECK_THAT(error_of(file.bytes()), ContainsSubstring(fits ? "its input w is of" : "of axis 0 of int8[4, 2]"));
  }
}

TEST_CASE("what is wrong with a file is said, with node, tensor and remedy", "[unit]") {
  const std::string whole = example().bytes();
  CHECK_THAT(error_of(""), ContainsSubstring("f.onnx: has no graph"));
  CHECK_THAT(error_of("<html>"), ContainsSubstring("is no ONNX model, or a part of one"));
  CHECK_THAT(error_of(whole.substr(0, whole.size() - 3)), ContainsSubstring("is no ONNX model, or a part of one"));
  const auto error = [](const std::function<void(File&)>& spoil, const ImportOptions& options = {}) {
    File file = example();
    spoil(file);
    return error_of(file.bytes(), options);
  };
  CHECK(error([](File& f) { f.graph().mutable_node(0)->set_op_type("Adds"); }) ==
        "f.onnx: node adder (Adds): there is no operator Adds; did you mean 'Add'?");
  CHECK(error([](File& f) { f.graph().mutable_node(0)->set_domain("com.acme"); }) ==
        "f.onnx: node adder (Add): it is of the operators of 'com.acme', of which the file gives no version");
  CHECK(error([](File& f) { f.graph().mutable_node(1)->set_input(0, "somme"); }) ==
        "f.onnx: the Relu that makes y: nothing before it makes its input somme");
  CHECK(error([](File& f) { f.graph().mutable_node(0)->add_output("more"); }) ==
        "f.onnx: node adder (Add): its output 1, more, is none that is made here");
  CHECK(error([](File& f) { f.graph().mutable_output(0)->set_name("z"); }) == "f.onnx: no node makes the output z");
  CHECK(error([](File& f) { f.graph().clear_output(); }) == "f.onnx: it has no outputs");
  CHECK_THAT(error([](File& f) { f.graph().mutable_initializer(0)->set_dims(0, 4); }),
             ContainsSubstring("the tensor w has 3 elements, but its shape is of 4 elements"));
  CHECK_THAT(error([](File& f) { f.graph().mutable_initializer(0)->set_dims(0, int64_t{1} << 60); }),
             ContainsSubstring("the tensor w"));
  CHECK_THAT(error([](File& f) { f.graph().mutable_initializer(0)->set_float_data(1, NAN); }),
             ContainsSubstring("the tensor w has NaN at element 1"));
  CHECK_THAT(error([](File& f) { f.graph().mutable_initializer(0)->set_data_type(14); }),
             ContainsSubstring("the tensor w is of ONNX's type COMPLEX64"));
  CHECK_THAT(error([](File& f) {
               auto* attribute = f.graph().mutable_node(0)->add_attribute();
               attribute->set_name("rounding");
               attribute->set_type(::onnx::AttributeProto::INT);
             }),
             ContainsSubstring("node adder (Add): there is no such operator with the attribute rounding"));
  CHECK_THAT(error([](File& f) {
               File::set_type(*f.graph().mutable_output(0), "y", {"2", "4"});
             }),
             ContainsSubstring("the output y is float32[2, 3], but the file says another shape"));
  CHECK(error([](File& f) {
          File::set_type(*f.graph().mutable_input(0), "x", {"batch", "3"});
        }) == "f.onnx: the input x has the size batch at axis 0; give that a value, as --size batch=1");
  CHECK(error([](File& f) {
          File::set_type(*f.graph().mutable_input(0), "x", {"", "3"});
        }) == "f.onnx: the input x has an unknown size at axis 0; give its shape, as --shape x=...");
  CHECK_THAT(error([](File& f) {
               File::set_type(*f.graph().mutable_input(0), "x", {"2", "5"});
             }),
             ContainsSubstring("node adder (Add): "));
  ImportOptions options;
  options.sizes["bach"] = 1;
  CHECK_THAT(error([](File&) {}, options), ContainsSubstring("there is no symbol bach"));
  options = {};
  options.shapes["X"] = {1, 3};
  CHECK_THAT(error([](File&) {}, options), ContainsSubstring("there is no input X"));
  options = {};
  options.sizes["batch"] = 5;
  options.shapes["x"] = {7, 3};
  CHECK(error_of(example({"batch", "3"}).bytes(), options) ==
        "f.onnx: batch is given as 5, but so are the shapes or values of all inputs with that size; leave out one of "
        "them");
  options.sizes.clear();
  options.constants.emplace("x", Tensor(kFloat32, {7, 3}));
  CHECK(error_of(example({"batch", "3"}).bytes(), options) ==
        "f.onnx: the input x has both a shape and a value; leave out its shape");
  options.shapes.clear();
  options.sizes["batch"] = 7;
  CHECK_THAT(error_of(example({"batch", "3"}).bytes(), options), ContainsSubstring("batch is given as 7"));
}

TEST_CASE("what a few bytes may ask for is limited", "[unit]") {
  using Spoil = std::function<void(File&)>;
  const auto integers = [](File& f, const std::string& name, const std::vector<int64_t>& values) {
    ::onnx::TensorProto& tensor = *f.graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(::onnx::TensorProto::INT64);
    tensor.add_dims(static_cast<int64_t>(values.size()));
    for (const int64_t value : values) tensor.add_int64_data(value);
  };
  const auto attribute = [](::onnx::NodeProto& node, const std::string& name, const std::vector<int64_t>& values) {
    auto& added = *node.add_attribute();
    added.set_name(name);
    added.set_type(values.size() == 1 ? ::onnx::AttributeProto::INT : ::onnx::AttributeProto::INTS);
    if (values.size() == 1) added.set_i(values[0]);
    for (size_t i = 0; values.size() > 1 && i < values.size(); ++i) added.add_ints(values[i]);
  };
  // Of an image x and a scalar s.
  const auto error = [](const Spoil& make) {
    File file;
    file.input("x", {"1", "4", "8", "8"});
    file.weights("s", {}, {2});
    file.graph().add_output()->set_name("y");
    make(file);
    return error_of(file.bytes());
  };
  const auto of = [&](const std::string& op, const std::vector<int64_t>& second) {
    return error([&](File& f) {
      integers(f, "n", second);
      f.node(op, {"x", "n"}, {"y"});
    });
  };
  CHECK_THAT(error([&](File& f) {
               integers(f, "n", {int64_t{1} << 40});
               f.node("ConstantOfShape", {"n"}, {"y"});
             }),
             ContainsSubstring("it makes 1099511627776 elements of constants, and the file may have 1677"));
  CHECK_THAT(of("Tile", {1, 1, 1, int64_t{1} << 30}), ContainsSubstring("elements of constants"));
  CHECK_THAT(of("Reshape", {int64_t{1} << 32, int64_t{1} << 32}), ContainsSubstring("more elements than any memory"));
  CHECK_THAT(of("Pad", {INT64_MIN, 0, 0, 0, 0, 0, 0, 0}), ContainsSubstring("it adds -9223372036854775808 elements"));
  CHECK_THAT(of("CenterCropPad", {INT64_MIN, 1, 1, 1}), ContainsSubstring("its shape has the size"));
  CHECK_THAT(of("Unsqueeze", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
             ContainsSubstring("has 17 axes, expected up to 16"));
  CHECK_THAT(of("Trilu", {}), ContainsSubstring("expected one integer"));
  CHECK_THAT(error([&](File& f) { attribute(f.node("DepthToSpace", {"x"}, {"y"}), "blocksize", {int64_t{1} << 32}); }),
             ContainsSubstring("has no channels for blocks"));
  CHECK_THAT(error([&](File& f) { f.node("MaxPool", {"x"}, {"y"}); }), ContainsSubstring("its kernel has no axes"));
  CHECK_THAT(error([&](File& f) {
               auto& node = f.node("MaxPool", {"x"}, {"y"});
               attribute(node, "kernel_shape", {2, 2});
               attribute(node, "strides", {INT64_MAX, 1});
             }),
             ContainsSubstring("a kernel, stride or dilation is 9223372036854775807"));
  CHECK_THAT(error([&](File& f) {
               attribute(f.node("ConvTranspose", {"x", "x"}, {"y"}), "strides", {INT64_MAX, INT64_MAX});
             }),
             ContainsSubstring("one of its strides, dilations, pads or sizes is 9223372036854775807"));
  // Scalars where something has axes.
  CHECK_THAT(error([&](File& f) {
               f.node("ConvInteger", {"x", "s", "", "x"}, {"y"});
             }),
             ContainsSubstring("its weights are float32[]"));
  CHECK_THAT(error([&](File& f) {
               f.node("QLinearConv", {"x", "s", "s", "s", "s", "s", "s", "s"}, {"y"});
             }),
             ContainsSubstring("its weights are float32[]"));
  CHECK_THAT(error([&](File& f) {
               f.node("Attention", {"x", "x", "x", "", "s", "s"}, {"y"});
             }),
             ContainsSubstring("its keys of before are float32[]"));
  CHECK_THAT(error([&](File& f) {
               f.input("none", {"1", "0", "8", "8"});
               f.node("Attention", {"none", "x", "x"}, {"y", "", "", "scores"});
             }),
             ContainsSubstring("its query is float32[1, 0, 8, 8]"));
  CHECK_THAT(error([&](File& f) { f.node("RotaryEmbedding", {"x", "s", "s"}, {"y"}); }), ContainsSubstring("f.onnx"));
  CHECK_THAT(error([&](File& f) {
               integers(f, "depth", {3});
               f.weights("values", {2, 3}, {0, 0, 0, 1, 1, 1});
               f.node("OneHot", {"x", "depth", "values"}, {"y"});
             }),
             ContainsSubstring("float32[1, 3] has not as many elements as float32[]"));
  CHECK_THAT(error([&](File& f) {
               integers(f, "none", {});
               f.node("Dropout", {"x", "s", "none"}, {"y"});
             }),
             ContainsSubstring("its training mode is int64[0], expected one number"));
  // A step beyond the end is a step to the end.
  File far;
  far.input("x", {"4"}).output("y", {"1"});
  for (const auto& [name, value] :
       {std::pair("b", int64_t{0}), {"e", INT64_MAX}, {"a", int64_t{0}}, {"t", INT64_MAX}}) {
    integers(far, name, {value});
  }
  far.node("Slice", {"x", "b", "e", "a", "t"}, {"y"});
  CHECK_NOTHROW(import_model(far.bytes(), "f.onnx", ""));
  // Thirty functions, each of which calls the one before it twice.
  CHECK_THAT(error([&](File& f) {
               f.model.add_opset_import()->set_domain("mine");
               for (int i = 0; i < 30; ++i) {
                 ::onnx::FunctionProto& function = *f.model.add_functions();
                 function.set_domain("mine");
                 function.set_name("f" + std::to_string(i));
                 function.add_input("a");
                 function.add_output("c");
                 for (const auto& [in, out] : {std::pair("a", "b"), {"b", "c"}}) {
                   ::onnx::NodeProto& node = *function.add_node();
                   node.set_op_type(i == 0 ? "Identity" : "f" + std::to_string(i - 1));
                   if (i > 0) node.set_domain("mine");
                   node.add_input(in);
                   node.add_output(out);
                 }
               }
               f.node("f29", {"x"}, {"y"}).set_domain("mine");
             }),
             ContainsSubstring("functions and loops make more nodes"));
}

// The graph of a node that runs it again and again.
void add_body(::onnx::NodeProto& node, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
              const std::function<void(::onnx::GraphProto&)>& fill) {
  auto& attribute = *node.add_attribute();
  attribute.set_name("body");
  attribute.set_type(::onnx::AttributeProto::GRAPH);
  ::onnx::GraphProto& body = *attribute.mutable_g();
  for (const std::string& name : inputs) body.add_input()->set_name(name);
  for (const std::string& name : outputs) body.add_output()->set_name(name);
  fill(body);
}

TEST_CASE("integers that are too large wrap around as they are computed with", "[unit]") {
  const auto result_of = [](const std::string& op, int64_t a, int64_t b) {
    File file;
    file.graph().add_output()->set_name("y");
    for (const char* name : {"v", "w"}) {
      ::onnx::TensorProto& tensor = *file.graph().add_initializer();
      tensor.set_name(name);
      tensor.set_data_type(::onnx::TensorProto::INT64);
      tensor.add_dims(2);
      tensor.add_int64_data(a);
      tensor.add_int64_data(b);
    }
    ::onnx::NodeProto& node = file.node(op, {"v"}, {"y"});
    if (!op.starts_with("Reduce")) node.add_input("w");
    if (op == "BitShift") {
      auto& direction = *node.add_attribute();
      direction.set_name("direction");
      direction.set_type(::onnx::AttributeProto::STRING);
      direction.set_s("RIGHT");
    }
    const graph::Graph graph = import_model(file.bytes(), "f.onnx", "");
    return graph.node(graph.outputs()[0]).constant->integer(0);
  };
  CHECK(result_of("ReduceSum", INT64_MAX, 1) == INT64_MIN);
  // By way of floats of 64 bits, as onnxruntime has it.
  CHECK(result_of("ReduceMean", INT64_MAX - 1, 2) == int64_t{1} << 62);
  CHECK(result_of("MatMul", INT64_MAX, 3) == 10);
  CHECK(result_of("BitShift", 4, INT64_MIN) == 0);
}

TEST_CASE("loops whose rounds are known are read as often", "[unit]") {
  const auto whole = [](File& file, const std::string& name, int64_t value) {
    ::onnx::TensorProto& tensor = *file.graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(::onnx::TensorProto::INT64);
    tensor.add_int64_data(value);
  };
  // Doubles x while the round's number is below 2.
  File file;
  file.input("x", {"2"}).output("y", {"2"});
  file.graph().add_output()->set_name("all");
  whole(file, "rounds", 100);
  whole(file, "most", 2);
  whole(file, "one", 1);
  file.node("Equal", {"one", "one"}, {"yes"});
  ::onnx::NodeProto& loop = file.node("Loop", {"rounds", "yes", "x"}, {"y", "all"});
  add_body(loop, {"i", "before", "a"}, {"goes_on", "b", "b"}, [](::onnx::GraphProto& body) {
    File::add(body, "Add", {"a", "a"}, {"b"});
    File::add(body, "Less", {"i", "most"}, {"goes_on"});
  });
  const graph::Graph graph = import_model(file.bytes(), "f.onnx", "");
  graph::Inputs inputs;
  inputs.emplace("x", numbers({2}));
  const std::vector<Tensor> made = evaluate(graph, inputs);
  CHECK(made[0].at({0}) == -16);
  CHECK(made[1].shape() == Tensor::Shape{3, 2});
  CHECK(made[1].at({1, 1}) == -4);
  // One that never ends, and one whose end only the network knows.
  File endless = file;
  endless.graph().mutable_initializer(0)->set_int64_data(0, INT64_MAX);
  endless.graph().mutable_node(1)->mutable_attribute(0)->mutable_g()->mutable_output(0)->set_name("before");
  CHECK_THAT(error_of(endless.bytes()), ContainsSubstring("the network would have more calls"));
  File open = file;
  ::onnx::GraphProto& body = *open.graph().mutable_node(1)->mutable_attribute(0)->mutable_g();
  body.mutable_node(1)->set_input(0, "b");
  body.mutable_node(1)->set_input(1, "a");
  CHECK_THAT(error_of(open.bytes()), ContainsSubstring("whether it goes on is known only as the network runs"));
  File never = file;
  never.graph().mutable_initializer(0)->set_int64_data(0, 0);
  CHECK_THAT(error_of(never.bytes()), ContainsSubstring("nobody knows the shape of its output b"));
  File said = never;
  File::set_type(*said.graph().mutable_node(1)->mutable_attribute(0)->mutable_g()->mutable_output(2), "b", {"2"});
  const graph::Graph none = import_model(said.bytes(), "f.onnx", "");
  CHECK(none.type(none.outputs()[1]).shape == Tensor::Shape{0, 2});
  File unwanted = never;
  unwanted.graph().mutable_node(1)->mutable_output()->RemoveLast();
  unwanted.graph().mutable_output()->RemoveLast();
  const graph::Graph first = import_model(unwanted.bytes(), "f.onnx", "");
  CHECK(evaluate(first, inputs)[0].at({0}) == -2);
}

TEST_CASE("a scan goes along an axis, from either end", "[unit]") {
  File file;
  file.input("x", {"2", "3"}).input("s", {"2"}).output("sum", {"2"}).output("all", {"2", "3"});
  ::onnx::NodeProto& scan = file.node("Scan", {"s", "x"}, {"sum", "all"});
  const auto list = [&](const std::string& name, int64_t value) {
    auto& attribute = *scan.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::INTS);
    attribute.add_ints(value);
  };
  auto& count = *scan.add_attribute();
  count.set_name("num_scan_inputs");
  count.set_type(::onnx::AttributeProto::INT);
  count.set_i(1);
  for (const auto& [name, value] : {std::pair("scan_input_axes", 1),
                                    {"scan_input_directions", 1},
                                    {"scan_output_axes", -1},
                                    {"scan_output_directions", 1}}) {
    list(name, value);
  }
  add_body(scan, {"before", "x"}, {"after", "after"}, [](::onnx::GraphProto& body) {
    File::add(body, "Add", {"before", "x"}, {"after"});
  });
  const graph::Graph graph = import_model(file.bytes(), "f.onnx", "");
  graph::Inputs inputs;
  inputs.emplace("x", numbers({2, 3}));  // -2 -1 0, 1 2 3
  inputs.emplace("s", numbers({2}));     // -2 -1
  const std::vector<Tensor> made = evaluate(graph, inputs);
  CHECK(made[0].at({0}) == -5);
  CHECK(made[1].at({0, 2}) == -2);
  CHECK(made[1].at({1, 0}) == 5);
  // Of nothing, its output is stacked along an axis that counts from the end.
  File none = file;
  File::set_type(*none.graph().mutable_input(0), "x", {"2", "0"});
  File::set_type(*none.graph().mutable_output(1), "all", {"2", "0"});
  for (auto& attribute : *none.graph().mutable_node(0)->mutable_attribute()) {
    if (attribute.has_g()) File::set_type(*attribute.mutable_g()->mutable_output(1), "after", {"2"});
  }
  const graph::Graph nothing = import_model(none.bytes(), "f.onnx", "");
  CHECK(nothing.type(nothing.outputs()[1]).shape == Tensor::Shape{2, 0});
  // Several along which nothing agrees.
  scan.add_input("s");
  scan.mutable_attribute(0)->set_i(2);
  CHECK_THAT(error_of(file.bytes()), ContainsSubstring("it has 1 of scan_input_axes, expected 2"));
}

TEST_CASE("what was computed as a file is read is not in the graph", "[unit]") {
  File file;
  file.input("x", {"2", "3"}).output("y", {"6"});
  file.node("Shape", {"x"}, {"shape"});
  auto& axes = *file.node("ReduceProd", {"shape"}, {"all"}).add_attribute();
  axes.set_name("keepdims");
  axes.set_type(::onnx::AttributeProto::INT);
  axes.set_i(1);
  file.node("Reshape", {"x", "all"}, {"y"});
  CHECK(
      to_text(import_model(file.bytes(), "f.onnx", "")) ==
      "graph net(%x: float32[2, 3]) {\n  %Reshape = reshape(%x, shape=[6]) : float32[6]\n  return %Reshape as y\n}\n");
}

TEST_CASE("a file has the results that another runtime has", "[unit]") {
  const std::filesystem::path data = test::source_dir() / "tests" / "data" / "onnx";
  ImportOptions options;
  options.sizes["batch"] = 1;
  graph::Inputs inputs;
  inputs.emplace("image", read_npy(data / "small_image.npy"));
  const std::vector<Tensor> got = workload::run_on_processor(import_model(data / "small.onnx", options), inputs);
  CHECK(difference(read_npy(data / "small_shares.npy"), got.at(0), {1e-5, 1e-6}).value_or("") == "");
}

TEST_CASE("a network of another maker tells the digits", "[unit]") {
  const std::filesystem::path shared =
      test::source_dir().parent_path() / "shared" / "data" / "onnx" / "mnist-cntk.onnx";
  if (!std::filesystem::exists(shared)) {
    WARN("SKIPPED: " << shared.string() << " is not there");
    return;
  }
  const graph::Graph graph = import_model(shared);
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled = network::compile_network(graph::fuse_operators(graph));
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   cpu::jit(compiled.functions), *processor, nullptr);
  const workload::Digits digits = workload::load_digits(test::source_dir() / "examples" / "mnist_mlp");
  const int64_t images = test::rounds(1) > 1 ? digits.count() : 500;
  const int64_t correct = workload::count_correct(digits, images, [&](const graph::Inputs& inputs) {
    executor.set_input(graph.nodes()[graph.inputs()[0]].name, inputs.begin()->second);
    executor.run();
    return executor.output(0);
  });
  INFO(correct << " of " << images);
  CHECK(correct >= images * 985 / 1000);
}

}  // namespace vantage::test::frontend_onnx_test
