// Recurrent layers, step by step: each step's calls stand in the graph.
#include <map>
#include <optional>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/rounded_once.h"

namespace vantage::onnx_models {

namespace {

// So many steps have so many calls of their own.
constexpr int64_t kMostSteps = 4096;

// What a layer reads in one direction; what it lacks is empty.
struct Direction {
  bool backwards = false;
  Value inputs;     // what goes in times the weights, with all biases that may be added before: [steps, batch, gates *
                    // hidden]
  Value recurrent;  // [gates * hidden, hidden]
  std::optional<Value> bias = {};  // of the recurrent product alone, where that is changed before it is added
  std::optional<Value> peepholes = {};
  std::vector<std::string> activations = {};
};

struct Layer {
  int64_t steps, batch, hidden;
  std::vector<Direction> directions;
  std::vector<Value> states;  // what each starts from: [directions, batch, hidden]
};

Value activation(Builder& b, const std::string& name, Value x) {
  static const std::map<std::string, std::string> kOperators = {
      {"Sigmoid", "sigmoid"}, {"Tanh", "tanh"}, {"Relu", "relu"}};
  const auto found = kOperators.find(name);
  if (found == kOperators.end()) fail("its activation is {}, expected Sigmoid, Tanh or Relu", name);
  return b.call(found->second, {x});
}

// Number `i` along the first axis, without that axis.
Value row(Builder& b, Value x, int64_t i) {
  return b.squeeze(b.slice(x, 0, i, i + 1), 0);
}

// Gate number `i` of rows [batch, gates * hidden].
Value gate(Builder& b, Value rows, int64_t hidden, int64_t i) {
  return b.slice(rows, 1, i * hidden, (i + 1) * hidden);
}

// `adds_recurrent_bias`: with the others, before anything else happens to the recurrent product.
Layer read_layer(const Node& node, int64_t gates, size_t states, const std::vector<std::string>& standard,
                 bool adds_recurrent_bias) {
  Builder& b = node.builder();
  Value x = node.input(0);
  if (b.rank(x) != 3) fail("it takes {}, expected [steps, batch, features]", describe(b.type(x)));
  const bool batch_first = node.integer("layout", 0) != 0;
  if (batch_first) x = b.transpose(x, {1, 0, 2});
  const Value weights = node.input(1), recurrent = node.input(2);
  const std::string direction = node.text("direction", "forward");
  const int64_t count = direction == "bidirectional" ? 2 : 1;
  if (direction != "forward" && direction != "reverse" && count == 1) fail("its direction is '{}'", direction);
  Layer layer{b.shape(x)[0], b.shape(x)[1], b.rank(recurrent) == 3 ? b.shape(recurrent)[2] : 0, {}, {}};
  const int64_t all = gates * layer.hidden;
  const bool fits = b.rank(weights) == 3 && layer.hidden > 0 &&
                    b.shape(weights) == Tensor::Shape{count, all, b.shape(x)[2]} &&
                    b.shape(recurrent) == Tensor::Shape{count, all, layer.hidden} &&
                    node.integer("hidden_size", layer.hidden) == layer.hidden;
  if (!fits) {
    fail("its weights are {} and {}, which do not fit {} with {} directions", describe(b.type(weights)),
         describe(b.type(recurrent)), describe(b.type(x)), count);
  }
  if (layer.steps > kMostSteps) fail("it has {} steps, expected up to {}", layer.steps, kMostSteps);
  if (node.has(4)) {
    for (const int64_t length : node.integers(4, "sequence lengths")) {
      if (length != layer.steps)
        fail("a sequence has {} of {} steps; sequences of several lengths are none", length, layer.steps);
    }
  }
  std::vector<std::string> activations = node.texts("activations");
  if (activations.empty()) {
    for (int64_t d = 0; d < count; ++d) activations.insert(activations.end(), standard.begin(), standard.end());
  }
  if (activations.size() != static_cast<size_t>(count) * standard.size())
    fail("it has {} activations", activations.size());
  const Value rows = b.reshape(x, {layer.steps * layer.batch, b.shape(x)[2]});
  for (int64_t d = 0; d < count; ++d) {
    Direction one;
    one.backwards = direction == "reverse" || d == 1;
    Value product = b.call("dense", {rows, row(b, weights, d)});
    if (node.has(3)) {
      const Value both = row(b, node.input(3), d);
      product = b.add(product, b.slice(both, 0, 0, all));
      const Value of_recurrent = b.slice(both, 0, all, 2 * all);
      if (adds_recurrent_bias) {
        product = b.add(product, of_recurrent);
      } else {
        one.bias = of_recurrent;
      }
    }
    one.inputs = b.reshape(product, {layer.steps, layer.batch, all});
    one.recurrent = row(b, recurrent, d);
    if (node.has(7)) one.peepholes = row(b, node.input(7), d);
    const auto first = activations.begin() + d * static_cast<int64_t>(standard.size());
    one.activations.assign(first, first + static_cast<int64_t>(standard.size()));
    layer.directions.push_back(one);
  }
  for (size_t s = 0; s < states; ++s) {
    Value state =
        node.has(5 + s) ? node.input(5 + s) : b.constant(b.blank(b.dtype(x), {count, layer.batch, layer.hidden}));
    if (node.has(5 + s) && batch_first) state = b.transpose(state, {1, 0, 2});
    layer.states.push_back(state);
  }
  return layer;
}

// States after a step from those before it and from what goes in; the first is what comes out.
using Step = std::function<std::vector<Value>(const Direction&, Value inputs, const std::vector<Value>& states)>;

std::vector<Value> run(const Node& node, const Layer& layer, const Step& step) {
  Builder& b = node.builder();
  const bool batch_first = node.integer("layout", 0) != 0;
  std::vector<Value> outputs;                                 // of each direction: [steps, 1, batch, hidden]
  std::vector<std::vector<Value>> last(layer.states.size());  // of each state and direction: [1, batch, hidden]
  for (size_t d = 0; d < layer.directions.size(); ++d) {
    const Direction& direction = layer.directions[d];
    std::vector<Value> states;
    for (const Value state : layer.states) states.push_back(row(b, state, static_cast<int64_t>(d)));
    std::vector<Value> made(static_cast<size_t>(layer.steps));
    for (int64_t i = 0; i < layer.steps; ++i) {
      const int64_t at = direction.backwards ? layer.steps - 1 - i : i;
      states = step(direction, row(b, direction.inputs, at), states);
      made[static_cast<size_t>(at)] = b.unsqueeze(states[0], 0);
    }
    outputs.push_back(b.unsqueeze(b.concatenate(made, 0), 1));
    for (size_t s = 0; s < states.size(); ++s) last[s].push_back(b.unsqueeze(states[s], 0));
  }
  std::vector<Value> results = {b.concatenate(outputs, 1)};
  if (batch_first) results[0] = b.transpose(results[0], {2, 0, 1, 3});
  for (const std::vector<Value>& state : last) {
    const Value all = b.concatenate(state, 0);
    results.push_back(batch_first ? b.transpose(all, {1, 0, 2}) : all);
  }
  return results;
}

Value clipped(const Node& node, Value x) {
  const double limit = node.number("clip", 0);
  return limit > 0 ? node.builder().call("clip", {x}, {{"min", -limit}, {"max", limit}}) : x;
}

std::vector<Value> rnn(const Node& node) {
  Builder& b = node.builder();
  const Layer layer = read_layer(node, 1, 1, {"Tanh"}, true);
  return run(node, layer, [&](const Direction& d, Value inputs, const std::vector<Value>& states) {
    const Value sum = b.add(inputs, b.call("dense", {states[0], d.recurrent}));
    return std::vector{activation(b, d.activations[0], clipped(node, sum))};
  });
}

// Gates: update, reset, hidden.
std::vector<Value> gru(const Node& node) {
  Builder& b = node.builder();
  const bool resets_product = node.integer("linear_before_reset", 0) != 0;
  const Layer layer = read_layer(node, 3, 1, {"Sigmoid", "Tanh"}, false);
  const int64_t hidden = layer.hidden;
  return run(node, layer, [&](const Direction& d, Value inputs, const std::vector<Value>& states) {
    const Value before = states[0];
    const auto product = [&](Value state, int64_t i) {
      const Value weights = b.slice(d.recurrent, 0, i * hidden, (i + 1) * hidden);
      const Value y = b.call("dense", {state, weights});
      return d.bias ? b.add(y, b.slice(*d.bias, 0, i * hidden, (i + 1) * hidden)) : y;
    };
    const auto opened = [&](int64_t i) {
      return activation(b, d.activations[0], clipped(node, b.add(gate(b, inputs, hidden, i), product(before, i))));
    };
    const Value update = opened(0), reset = opened(1);
    const Value past = resets_product ? b.multiply(reset, product(before, 2)) : product(b.multiply(reset, before), 2);
    const Value now = activation(b, d.activations[1], clipped(node, b.add(gate(b, inputs, hidden, 2), past)));
    // As much of the old one as the gate lets through.
    return std::vector{b.add(now, b.multiply(update, b.subtract(before, now)))};
  });
}

// Gates: input, output, forget, cell.
std::vector<Value> lstm(const Node& node) {
  Builder& b = node.builder();
  const bool forgets_what_comes = node.integer("input_forget", 0) != 0;
  const Layer layer = read_layer(node, 4, 2, {"Sigmoid", "Tanh", "Tanh"}, true);
  const int64_t hidden = layer.hidden;
  return run(node, layer, [&](const Direction& d, Value inputs, const std::vector<Value>& states) {
    const Value sums = b.add(inputs, b.call("dense", {states[0], d.recurrent}));
    const Value before = states[1];
    const auto opened = [&](int64_t i, int64_t peephole, Value cell) {
      Value sum = gate(b, sums, hidden, i);
      if (d.peepholes)
        sum = b.add(sum, b.multiply(b.slice(*d.peepholes, 0, peephole * hidden, (peephole + 1) * hidden), cell));
      return activation(b, d.activations[0], clipped(node, sum));
    };
    const Value input = opened(0, 0, before);
    const Value forget = forgets_what_comes ? b.subtract(b.scalar(b.dtype(input), 1), input) : opened(2, 2, before);
    const Value fresh = activation(b, d.activations[1], clipped(node, gate(b, sums, hidden, 3)));
    const Value cell = b.add(b.multiply(forget, before), b.multiply(input, fresh));
    const Value output = opened(1, 1, cell);
    return std::vector{b.multiply(output, activation(b, d.activations[2], cell)), cell};
  });
}

}  // namespace

OperatorFamily recurrent_family() {
  return {{"RNN", rounded_once(rnn)}, {"GRU", rounded_once(gru)}, {"LSTM", rounded_once(lstm)}};
}

}  // namespace vantage::onnx_models
