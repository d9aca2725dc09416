// Nodes that have graphs. Which branch is taken, and how often a loop runs, is known as the file is read: then its
// nodes are read as often.
#include <algorithm>

#include "base/error.h"
#include "compiler/ops/sizes.h"
#include "frontend/onnx/graph_reader.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

using ::onnx::GraphProto;
using ::onnx::ValueInfoProto;

namespace {

// Of what a body that never ran would have made: by what the file says of it. Nobody looks at what is not wanted.
Value stacked_of_none(Builder& b, const ValueInfoProto& output, bool is_wanted, int64_t axis) {
  if (!is_wanted) return b.nothing(kFloat32, {0});
  const auto& type = output.type().tensor_type();
  Tensor::Shape shape;
  bool is_said = type.has_shape();
  for (const auto& size : type.shape().dim()) {
    is_said = is_said && size.has_dim_value() && size.dim_value() >= 0;
    shape.push_back(size.dim_value());
  }
  if (!is_said) fail("it runs not once, and nobody knows the shape of its output {}", output.name());
  shape.insert(shape.begin() + static_cast<ptrdiff_t>(ops::axis_of(axis, shape.size() + 1)), 0);
  return b.nothing(dtype_of(type.elem_type()), std::move(shape));
}

// What a loop makes in each round, along an axis of their own.
Value stacked(const Node& node, size_t result, const ValueInfoProto& output, const std::vector<Value>& rounds,
              int64_t axis) {
  Builder& b = node.builder();
  if (rounds.empty()) return stacked_of_none(b, output, node.wants(result), axis);
  const size_t at = ops::axis_of(axis, b.shape(rounds[0]).size() + 1);
  std::vector<Value> parts;
  for (const Value round : rounds) parts.push_back(b.unsqueeze(round, at));
  return b.concatenate(parts, at);
}

// Values that rounds make, of each of the body's outputs behind the first `skipped`.
struct Rounds {
  std::vector<std::vector<Value>> made;

  Rounds(const GraphProto& body, size_t skipped) {
    const auto outputs = static_cast<size_t>(body.output_size());
    if (outputs < skipped) fail("its body makes {} outputs, expected {} or more", outputs, skipped);
    made.resize(outputs - skipped);
  }
  void add(const std::vector<Value>& outputs) {
    const size_t skipped = outputs.size() - made.size();
    for (size_t i = 0; i < made.size(); ++i) made[i].push_back(outputs[skipped + i]);
  }
};

}  // namespace

std::vector<Value> GraphReader::read_if(const Node& node, const Scope& scope) {
  return inside(node.graph(node.number(0, "condition") != 0 ? "then_branch" : "else_branch"), scope, {});
}

std::vector<Value> GraphReader::read_loop(const Node& node, const Scope& scope) {
  const GraphProto& body = node.graph("body");
  if (!node.has(0) && !node.has(1)) fail("it has neither a number of rounds nor a condition");
  const int64_t count = node.has(0) ? node.integer(0, "number of rounds") : INT64_MAX;
  bool goes_on = !node.has(1) || node.number(1, "condition") != 0;
  std::vector<Value> carried;
  for (size_t i = 2; i < node.inputs(); ++i) carried.push_back(node.input(i));
  Rounds rounds(body, 1 + carried.size());
  for (int64_t i = 0; i < count && goes_on; ++i) {
    count_node();
    std::vector<Value> inputs = {builder_.integer(i), builder_.scalar(kBool, 1)};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    const std::vector<Value> outputs = inside(body, scope, inputs);
    if (node.has(1)) {
      const Tensor* condition = builder_.known(outputs[0]);
      if (condition == nullptr || condition->size() != 1) fail("whether it goes on is known only as the network runs");
      goes_on = condition->number(0) != 0;
    }
    std::copy_n(outputs.begin() + 1, carried.size(), carried.begin());
    rounds.add(outputs);
  }
  std::vector<Value> results = carried;
  for (size_t i = 0; i < rounds.made.size(); ++i) {
    const ValueInfoProto& output = body.output(static_cast<int>(1 + carried.size() + i));
    results.push_back(stacked(node, results.size(), output, rounds.made[i], 0));
  }
  return results;
}

std::vector<Value> GraphReader::read_scan(const Node& node, const Scope& scope) {
  if (node.version() < 9) fail("it is of version {}, expected 9 or more", node.version());
  const GraphProto& body = node.graph("body");
  const std::vector<Value> all = node.all_inputs();
  const int64_t scanned = node.integer("num_scan_inputs");
  if (scanned < 1 || static_cast<size_t>(scanned) > all.size()) fail("it scans {} of {} inputs", scanned, all.size());
  const size_t states = all.size() - static_cast<size_t>(scanned);
  std::vector<Value> carried(all.begin(), all.begin() + static_cast<ptrdiff_t>(states));
  Rounds rounds(body, states);
  // One for each, or none for all.
  const auto list = [&](std::string_view name, size_t count) {
    const Integers values = node.integers(name, Integers(count, 0));
    if (values.size() != count) fail("it has {} of {}, expected {}", values.size(), name, count);
    return values;
  };
  const Integers axes = list("scan_input_axes", all.size() - states),
                 backwards = list("scan_input_directions", all.size() - states),
                 made_axes = list("scan_output_axes", rounds.made.size()),
                 made_backwards = list("scan_output_directions", rounds.made.size());
  int64_t count = 0;
  for (size_t s = 0; s < axes.size(); ++s) {
    const Value x = all[states + s];
    const int64_t size = builder_.shape(x)[node.axis(axes[s], builder_.rank(x))];
    if (s > 0 && size != count) fail("it scans {} and {} elements at once", count, size);
    count = size;
  }
  for (int64_t i = 0; i < count; ++i) {
    count_node();
    std::vector<Value> inputs = carried;
    for (size_t s = 0; s < axes.size(); ++s) {
      const Value x = all[states + s];
      const size_t axis = node.axis(axes[s], builder_.rank(x));
      const int64_t at = backwards[s] != 0 ? count - 1 - i : i;
      inputs.push_back(builder_.squeeze(builder_.slice(x, axis, at, at + 1), axis));
    }
    const std::vector<Value> outputs = inside(body, scope, inputs);
    std::copy_n(outputs.begin(), states, carried.begin());
    rounds.add(outputs);
  }
  std::vector<Value> results = carried;
  for (size_t i = 0; i < rounds.made.size(); ++i) {
    std::vector<Value>& made = rounds.made[i];
    if (made_backwards[i] != 0) std::reverse(made.begin(), made.end());
    results.push_back(stacked(node, results.size(), body.output(static_cast<int>(states + i)), made, made_axes[i]));
  }
  return results;
}

}  // namespace vantage::onnx_models
