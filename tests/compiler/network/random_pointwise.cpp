#include "tests/compiler/network/random_pointwise.h"

#include <algorithm>
#include <array>

namespace vantage::test {

namespace {

using graph::Graph;
using graph::Value;

class PointwiseDrawing {
 public:
  explicit PointwiseDrawing(std::mt19937_64& random) : random_(random), graph_("net") {}

  Graph draw() {
    Tensor::Shape shape = {pick(1, 9), pick(1, 70)};
    if (pick(0, 1) == 0) shape = {pick(1, 2), pick(1, 40), pick(1, 6), pick(1, 6)};
    for (int64_t i = pick(1, 2); i > 0; --i) {
      const Value x = graph_.input(values_.empty() ? "a" : "b", {kInt8, shape});
      values_.push_back(graph_.call("cast", {x}, {{"dtype", kInt32}}));
    }
    for (int64_t steps = pick(1, 8); steps > 0; --steps) values_.push_back(step());
    // Of what was made before nothing is left out.
    for (size_t i = values_.size() - 1; i-- > 0;) {
      if (!is_used(values_[i]))
        values_.push_back(small(graph_.call("add", {small(values_[i]), small(values_.back())})));
    }
    Value last = graph_.call("right_shift", {values_.back(), constant(pick(0, 9))});
    const bool is_limited = pick(0, 15) != 0;
    last = is_limited ? clip(last, -pick(0, 128), pick(1, 127)) : last;
    graph_.set_outputs({graph_.call("cast", {last}, {{"dtype", kInt8}})});
    return std::move(graph_);
  }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  Value any() { return values_[static_cast<size_t>(pick(0, static_cast<int64_t>(values_.size()) - 1))]; }
  Value constant(int64_t number) {
    Tensor tensor(kInt32, {1});
    tensor.set_integer(0, number);
    return graph_.constant(std::move(tensor));
  }
  Value clip(Value x, int64_t least, int64_t most) {
    return graph_.call("clip", {x}, {{"min", static_cast<double>(least)}, {"max", static_cast<double>(most)}});
  }
  // Mostly.
  Value small(Value x) { return pick(0, 20) == 0 ? x : clip(x, -pick(1, 20000), pick(1, 20000)); }
  bool is_used(Value value) const {
    for (const graph::Node& node : graph_.nodes()) {
      if (std::ranges::find(node.inputs, value) != node.inputs.end()) return true;
    }
    return false;
  }

  Value step() {
    static constexpr std::array kTwo = {"add", "subtract", "multiply", "minimum", "maximum"};
    static constexpr std::array kOne = {"negative", "abs", "relu", "sign"};
    switch (pick(0, 5)) {
      case 0: return graph_.call(kOne[static_cast<size_t>(pick(0, 3))], {small(any())});
      case 1: return graph_.call("right_shift", {any(), constant(pick(0, 12))});
      case 2: return graph_.call("left_shift", {small(any()), constant(pick(0, 12))});
      case 3: return graph_.call(kTwo[static_cast<size_t>(pick(0, 4))], {small(any()), small(any())});
      case 4: return graph_.call(kTwo[static_cast<size_t>(pick(0, 4))], {constant(pick(-500, 500)), small(any())});
      default: return graph_.call(kTwo[static_cast<size_t>(pick(0, 4))], {small(any()), constant(pick(-9, 900))});
    }
  }

  std::mt19937_64& random_;
  Graph graph_;
  std::vector<Value> values_;  // int32
};

}  // namespace

Graph random_pointwise(std::mt19937_64& random) {
  return PointwiseDrawing(random).draw();
}

}  // namespace vantage::test
