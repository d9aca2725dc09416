#include "compiler/graph/quantize/integer_nodes.h"

#include <bit>
#include <cmath>

#include "compiler/graph/quantize/statistics.h"

namespace vantage::graph {

Value number_in(Graph& to, DType dtype, double value, const std::string& name) {
  Tensor tensor(dtype, {});
  dtype.is_float() ? tensor.set_number(0, value) : tensor.set_integer(0, std::llround(value));
  return to.constant(std::move(tensor), name);
}

Value by_channel_in(Graph& to, Tensor numbers, Value of, const std::string& name) {
  Tensor::Shape shape;
  if (numbers.size() > 1) {
    const size_t rank = to.type(of).shape.size();
    shape.assign(rank - channel_axis(rank), 1);
    shape[0] = numbers.size();
  }
  return to.constant(std::move(numbers).reshaped(std::move(shape)), name);
}

Value by_channel_in(Graph& to, const std::vector<int64_t>& numbers, Value of, const std::string& name) {
  Tensor tensor(kInt32, {static_cast<int64_t>(numbers.size())});
  for (int64_t c = 0; c < tensor.size(); ++c) tensor.set_integer(c, numbers[static_cast<size_t>(c)]);
  return by_channel_in(to, std::move(tensor), of, name);
}

Value requantized_in(Graph& to, Value sums, const Requantization& r, std::optional<Value> addend, int64_t least,
                     int64_t greatest, const std::string& name) {
  const auto part = [&](const char* of) { return name + "." + of; };
  Value value = sums;
  if (r.before > 0) {
    value = to.call("right_shift", {value, number_in(to, kInt32, r.before, part("before"))}, {}, part("cut"));
  }
  if (!r.multipliers.empty()) {
    const char* const of = r.multipliers.size() == 1 ? "multiplier" : "multipliers";
    value = to.call("multiply", {value, by_channel_in(to, r.multipliers, value, part(of))}, {}, part("scaled"));
  }
  if (addend) {
    Value other = to.call("cast", {*addend}, {{"dtype", kInt32}}, part("addend"));
    const int64_t factor = r.addend_multiplier;
    if (factor > 1 && std::has_single_bit(static_cast<uint64_t>(factor))) {
      other =
          to.call("left_shift", {other, number_in(to, kInt32, std::log2(factor), part("up"))}, {}, part("addend.up"));
    } else if (factor > 1) {
      other =
          to.call("multiply", {other, number_in(to, kInt32, static_cast<double>(factor), part("addend.multiplier"))},
                  {}, part("addend.scaled"));
    }
    value = to.call("add", {value, other}, {}, part("added"));
  }
  if (r.shift > 0) {
    value = to.call("right_shift", {value, number_in(to, kInt32, r.shift, part("shift"))}, {}, part("shifted"));
  }
  value = to.call("clip", {value}, {{"min", static_cast<double>(least)}, {"max", static_cast<double>(greatest)}},
                  part("clipped"));
  return to.call("cast", {value}, {{"dtype", kInt8}}, name);
}

}  // namespace vantage::graph
