// Operators that move elements, and those that make tensors of shapes and numbers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "frontend/onnx/operators.h"
#include "frontend/onnx/tensors.h"

namespace vantage::onnx_models {

namespace {

std::vector<Value> reshape(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape& from = b.shape(x);
  const std::optional<Integers> given = node.integers_of("shape", 1);
  if (!given) fail("its shape is missing");
  const bool keeps_zero = node.integer("allowzero", 0) != 0;
  Tensor::Shape shape;
  std::optional<size_t> open;
  int64_t known = 1;
  for (size_t d = 0; d < given->size(); ++d) {
    int64_t size = (*given)[d];
    if (size == 0 && !keeps_zero) {
      if (d >= from.size()) fail("its shape keeps axis {}, which {} does not have", d, describe(b.type(x)));
      size = from[d];
    }
    if (size < -1 || (size == -1 && open)) fail("its shape has the size {} at axis {}", size, d);
    if (size == -1) open = d;
    if (size != -1 && __builtin_mul_overflow(known, size, &known)) fail("its shape has more elements than any memory");
    shape.push_back(size == -1 ? 1 : size);
  }
  const int64_t count = b.type(x).size();
  if (open && known > 0 && count % known == 0) shape[*open] = count / known;
  const int64_t made = open ? known * shape[*open] : known;
  if (made != count) fail("{} has {} elements, the shape that it asks for {}", describe(b.type(x)), count, made);
  return {b.reshape(x, shape)};
}

std::vector<Value> flatten(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const int64_t given = node.integer("axis", 1), rank = b.rank(x);
  if (given < -rank || given > rank) fail("its axis is {}, expected one of {}", given, describe(b.type(x)));
  const auto axis = static_cast<ptrdiff_t>(given < 0 ? given + rank : given);
  const Tensor::Shape& shape = b.shape(x);
  const auto size = [](auto begin, auto end) { return std::accumulate(begin, end, int64_t{1}, std::multiplies<>()); };
  return {b.reshape(x, {size(shape.begin(), shape.begin() + axis), size(shape.begin() + axis, shape.end())})};
}

std::vector<Value> squeeze(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const std::optional<Integers> given = node.integers_of("axes", 1);
  std::vector<bool> drops(b.shape(x).size());
  for (size_t d = 0; !given && d < drops.size(); ++d) drops[d] = b.shape(x)[d] == 1;
  for (const int64_t axis : given.value_or(Integers())) {
    const size_t d = node.axis(axis, b.rank(x));
    if (b.shape(x)[d] != 1) fail("it drops axis {} of {}, whose size is not 1", d, describe(b.type(x)));
    drops[d] = true;
  }
  Tensor::Shape shape;
  for (size_t d = 0; d < drops.size(); ++d) {
    if (!drops[d]) shape.push_back(b.shape(x)[d]);
  }
  return {b.reshape(x, shape)};
}

std::vector<Value> unsqueeze(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const std::optional<Integers> given = node.integers_of("axes", 1);
  if (!given) fail("its axes are missing");
  const size_t rank = b.shape(x).size() + given->size();
  std::vector<bool> is_new(rank);
  for (const int64_t axis : *given) {
    const size_t d = node.axis(axis, static_cast<int64_t>(rank));
    if (is_new[d]) fail("its axis {} is given twice", d);
    is_new[d] = true;
  }
  Tensor::Shape shape;
  size_t from = 0;
  for (const bool added : is_new) shape.push_back(added ? 1 : b.shape(x)[from++]);
  return {b.reshape(x, shape)};
}

std::vector<Value> transpose(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  Integers order = node.integers("perm");
  if (!node.has_attribute("perm")) {
    order.resize(b.shape(x).size());
    std::iota(order.rbegin(), order.rend(), 0);
  }
  if (order.empty()) return {x};
  return {b.call("transpose", {x}, {{"order", order}})};
}

std::vector<Value> concatenate(const Node& node) {
  Builder& b = node.builder();
  const size_t axis = node.axis(node.integer("axis", node.version() < 4 ? 1 : 0), b.rank(node.input(0)));
  return {b.concatenate(node.all_inputs(), axis)};
}

std::vector<Value> split(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const size_t axis = node.axis(node.integer("axis", 0), b.rank(x));
  const int64_t size = b.shape(x)[axis];
  std::optional<Integers> sizes = node.integers_of("split", 1);
  if (!sizes) {
    const int64_t count = node.integer("num_outputs", static_cast<int64_t>(node.outputs()));
    if (count < 1 || count != static_cast<int64_t>(node.outputs()))
      fail("it makes {} parts of {}", node.outputs(), count);
    // The last one has what is left.
    const int64_t each = (size + count - 1) / count;
    sizes.emplace();
    for (int64_t part = 0; part < count; ++part) sizes->push_back(std::clamp<int64_t>(size - part * each, 0, each));
  }
  int64_t begin = 0;
  std::vector<Value> parts;
  for (const int64_t part : *sizes) {
    if (part < 0 || part > size - begin) fail("its parts are longer than the {} of axis {}", size, axis);
    parts.push_back(b.slice(x, axis, begin, begin + part));
    begin += part;
  }
  if (begin != size) fail("its parts are {} long, but axis {} is {}", begin, axis, size);
  return parts;
}

std::vector<Value> slice(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0);
  const std::optional<Integers> starts = node.integers_of("starts", 1), ends = node.integers_of("ends", 2);
  if (!starts || !ends) fail("its starts or its ends are missing");
  Integers axes(starts->size()), steps(starts->size(), 1);
  std::iota(axes.begin(), axes.end(), 0);
  axes = node.integers_of("axes", 3).value_or(axes);
  steps = node.has(4) ? node.integers(4, "steps") : steps;
  if (ends->size() != starts->size() || axes.size() != starts->size() || steps.size() != starts->size()) {
    fail("it has {} starts, {} ends, {} axes and {} steps", starts->size(), ends->size(), axes.size(), steps.size());
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = node.axis(axes[i], b.rank(x));
    const int64_t size = b.shape(x)[axis], step = steps[i];
    if (step == 0) fail("its step along axis {} is 0", axis);
    const auto from_end = [&](int64_t place) { return place < 0 ? place + size : place; };
    // Before they are counted from the end, that this is no longer than an integer.
    const auto clamped = [&](int64_t place, int64_t low, int64_t high) {
      return std::clamp(from_end(std::max(place, -size - 1)), low, high);
    };
    if (step > 0) {
      const int64_t begin = clamped((*starts)[i], 0, size), end = clamped((*ends)[i], 0, size);
      // A step beyond the end is as long as any other.
      x = b.slice(x, axis, begin, std::max(begin, end), std::min(step, std::max<int64_t>(size, 1)));
      continue;
    }
    const int64_t begin = clamped((*starts)[i], -1, size - 1), end = clamped((*ends)[i], -1, size - 1);
    const int64_t back = -std::max(step, -std::max<int64_t>(size, 1));
    const int64_t count = begin > end ? (begin - end + back - 1) / back : 0;
    x = b.pick(x, axis, count, [&](int64_t p) { return begin - p * back; });
  }
  return {x};
}

std::vector<Value> gather(const Node& node) {
  Builder& b = node.builder();
  return {b.call("gather", {node.input(0), node.input(1)}, {{"axis", node.integer("axis", 0)}})};
}

std::vector<Value> gather_elements(const Node& node) {
  return {node.builder().call("gather_elements", {node.input(0), node.input(1)}, {{"axis", node.integer("axis", 0)}})};
}

std::vector<Value> gather_nd(const Node& node) {
  return {node.builder().call("gather_nd", {node.input(0), node.input(1)},
                              {{"batch_axes", node.integer("batch_dims", 0)}})};
}

std::string reduction_of(const Node& node) {
  const std::string how = node.text("reduction", "none");
  return how == "mul" ? "multiply" : how;
}

std::vector<Value> scatter_elements(const Node& node) {
  return {node.builder().call("scatter_elements", {node.input(0), node.input(1), node.input(2)},
                              {{"axis", node.integer("axis", 0)}, {"how", reduction_of(node)}})};
}

std::vector<Value> scatter_nd(const Node& node) {
  return {
      node.builder().call("scatter_nd", {node.input(0), node.input(1), node.input(2)}, {{"how", reduction_of(node)}})};
}

std::vector<Value> expand(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  Tensor::Shape to = node.integers(1, "shape"), shape = b.shape(x);
  while (to.size() < shape.size()) to.insert(to.begin(), 1);
  while (shape.size() < to.size()) shape.insert(shape.begin(), 1);
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d] == 1) to[d] = shape[d];
    if (to[d] < 0 || (shape[d] != 1 && shape[d] != to[d]))
      fail("{} does not repeat along its shape", describe(b.type(x)));
  }
  return {b.broadcast_to(x, to)};
}

std::vector<Value> tile(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0);
  const Integers repeats = node.integers(1, "repeats");
  if (repeats.size() != b.shape(x).size()) fail("it has {} repeats for {}", repeats.size(), describe(b.type(x)));
  for (size_t axis = 0; axis < repeats.size(); ++axis) {
    const int64_t size = b.shape(x)[axis];
    if (repeats[axis] < 0) fail("it repeats axis {} {} times", axis, repeats[axis]);
    if (repeats[axis] == 1) continue;
    int64_t count = 0;
    if (__builtin_mul_overflow(repeats[axis], size, &count)) fail("it repeats axis {} {} times", axis, repeats[axis]);
    x = b.pick(x, axis, count, [&](int64_t i) { return i % size; });
  }
  return {x};
}

// Where an element beyond the ends comes from.
int64_t mirrored(int64_t place, int64_t size, const std::string& mode) {
  if (mode == "edge") return std::clamp<int64_t>(place, 0, size - 1);
  if (mode == "wrap") return ((place % size) + size) % size;
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1), at = ((place % period) + period) % period;
  return at < size ? at : period - at;
}

std::vector<Value> pad(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0);
  const size_t rank = b.shape(x).size();
  const std::string mode = node.text("mode", "constant");
  const std::optional<Integers> pads = node.integers_of(node.has_attribute("paddings") ? "paddings" : "pads", 1);
  if (!pads) fail("its pads are missing");
  Integers axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (node.has(3)) axes = node.integers(3, "axes");
  if (pads->size() != 2 * axes.size()) fail("it has {} pads for {} axes", pads->size(), axes.size());
  Integers before(rank, 0), after(rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = node.axis(axes[i], static_cast<int64_t>(rank));
    before[axis] = (*pads)[i];
    after[axis] = (*pads)[i + axes.size()];
    for (const int64_t added : {before[axis], after[axis]}) {
      if (added < -INT32_MAX || added > INT32_MAX) fail("it adds {} elements to axis {}", added, axis);
    }
  }
  // What is taken away.
  for (size_t d = 0; d < rank; ++d) {
    const int64_t size = b.shape(x)[d], begin = std::max<int64_t>(-before[d], 0),
                  end = size - std::max<int64_t>(-after[d], 0);
    if (begin > end) fail("its pads take away more than axis {} of {} has", d, describe(b.type(x)));
    x = b.slice(x, d, begin, end);
    before[d] = std::max<int64_t>(before[d], 0);
    after[d] = std::max<int64_t>(after[d], 0);
  }
  if (mode == "constant") {
    const bool has_value = node.has(2);
    const double value = has_value ? node.number(2, "value") : node.number("value", 0);
    if (std::all_of(before.begin(), before.end(), [](int64_t n) { return n == 0; }) &&
        std::all_of(after.begin(), after.end(), [](int64_t n) { return n == 0; })) {
      return {x};
    }
    return {b.call("pad", {x}, {{"before", before}, {"after", after}, {"value", value}})};
  }
  if (mode != "reflect" && mode != "edge" && mode != "wrap") fail("its mode is '{}'", mode);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t size = b.shape(x)[d];
    if (before[d] == 0 && after[d] == 0) continue;
    if (size == 0) fail("it fills axis {} from elements that there are none of", d);
    x = b.pick(x, d, before[d] + size + after[d], [&](int64_t i) { return mirrored(i - before[d], size, mode); });
  }
  return {x};
}

std::vector<Value> shape(const Node& node) {
  Builder& b = node.builder();
  const Tensor::Shape& all = b.shape(node.input(0));
  const auto rank = static_cast<int64_t>(all.size());
  const auto place = [&](int64_t given) { return std::clamp<int64_t>(given < 0 ? given + rank : given, 0, rank); };
  const int64_t begin = place(node.integer("start", 0)), end = std::max(begin, place(node.integer("end", rank)));
  return {b.integers(Integers(all.begin() + begin, all.begin() + end))};
}

std::vector<Value> size(const Node& node) {
  Builder& b = node.builder();
  return {b.integer(b.type(node.input(0)).size())};
}

std::vector<Value> constant(const Node& node) {
  Builder& b = node.builder();
  if (node.has_attribute("value")) return {b.constant(node.tensor("value"))};
  if (node.has_attribute("value_int")) return {b.integer(node.integer("value_int"))};
  if (node.has_attribute("value_ints")) return {b.integers(node.integers("value_ints"))};
  if (node.has_attribute("value_float")) return {b.scalar(kFloat32, node.number("value_float", 0))};
  if (node.has_attribute("value_floats")) {
    const std::vector<double> values = node.numbers("value_floats");
    Tensor tensor = b.blank(kFloat32, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i) tensor.set_number(static_cast<int64_t>(i), values[i]);
    return {b.constant(std::move(tensor))};
  }
  fail("its value is neither a tensor nor numbers");
}

std::vector<Value> constant_of_shape(const Node& node) {
  Builder& b = node.builder();
  Tensor value(kFloat32, {1});
  if (node.has_attribute("value")) value = node.tensor("value");
  if (value.size() != 1) fail("its value is {}, expected one element", describe(value));
  Tensor tensor = b.blank(value.dtype(), node.integers(0, "shape"));
  for (int64_t e = 0; e < tensor.size(); ++e) tensor.set(e, value.get(0));
  return {b.constant(std::move(tensor))};
}

std::vector<Value> range(const Node& node) {
  Builder& b = node.builder();
  const DType dtype = b.dtype(node.input(0));
  const double start = node.number(0, "start"), limit = node.number(1, "limit"), delta = node.number(2, "delta");
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || !std::isfinite(count) || count > 1e12) fail("it goes from {} to {} by {}", start, limit, delta);
  Tensor values = b.blank(dtype, {std::max<int64_t>(0, static_cast<int64_t>(count))});
  for (int64_t i = 0; i < values.size(); ++i) values.set_number(i, start + static_cast<double>(i) * delta);
  return {b.constant(std::move(values))};
}

std::vector<Value> eye_like(const Node& node) {
  Builder& b = node.builder();
  const Tensor::Shape& s = b.shape(node.input(0));
  if (s.size() != 2) fail("it takes matrices, not {}", describe(b.type(node.input(0))));
  Tensor eye = b.blank(node.has_attribute("dtype") ? dtype_of(node.integer("dtype")) : b.dtype(node.input(0)), s);
  // Beyond all columns at most.
  const int64_t offset = std::clamp(node.integer("k", 0), -s[0], s[1]);
  for (int64_t row = 0; row < s[0]; ++row) {
    if (row + offset >= 0 && row + offset < s[1]) eye.set_integer(row * s[1] + row + offset, 1);
  }
  return {b.constant(std::move(eye))};
}

std::vector<Value> one_hot(const Node& node) {
  Builder& b = node.builder();
  const Value indices = b.cast(node.input(0), kInt64), values = node.input(2);
  const Tensor& asked = node.constant(1, "depth");
  if (asked.size() != 1 || !(asked.number(0) >= 1 && asked.number(0) <= INT32_MAX)) {
    fail("its depth is {}, expected one number from 1 on", describe(asked));
  }
  const int64_t depth = asked.integer(0), rank = b.rank(indices);
  const size_t axis = node.axis(node.integer("axis", -1), rank + 1);
  Tensor places = b.blank(kInt64, {depth});
  for (int64_t i = 0; i < depth; ++i) places.set_integer(i, i);
  Tensor::Shape along(static_cast<size_t>(rank) + 1, 1);
  along[axis] = depth;
  // From either end.
  const Value count = b.scalar(kInt64, static_cast<double>(depth));
  const Value from_end =
      b.call("where", {b.call("less", {indices, b.scalar(kInt64, 0)}), b.add(indices, count), indices});
  const Value hits = b.call("equal", {b.unsqueeze(from_end, axis), b.reshape(b.constant(std::move(places)), along)});
  const auto value = [&](int64_t number) { return b.reshape(b.slice(values, 0, number, number + 1), {}); };
  return {b.call("where", {hits, value(1), value(0)})};
}

std::vector<Value> depth_to_space(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape s = b.shape(x);
  const int64_t block = node.integer("blocksize");
  if (s.size() != 4 || block < 1 || block > INT32_MAX || s[1] % (block * block) != 0) {
    fail("{} has no channels for blocks of {} x {}", describe(b.type(x)), block, block);
  }
  const int64_t depth = s[1] / (block * block);
  Value y;
  if (node.text("mode", "DCR") == "DCR") {
    y = b.transpose(b.reshape(x, {s[0], block, block, depth, s[2], s[3]}), {0, 3, 4, 1, 5, 2});
  } else {
    y = b.transpose(b.reshape(x, {s[0], depth, block, block, s[2], s[3]}), {0, 1, 4, 2, 5, 3});
  }
  return {b.reshape(y, {s[0], depth, s[2] * block, s[3] * block})};
}

std::vector<Value> space_to_depth(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape s = b.shape(x);
  const int64_t block = node.integer("blocksize");
  if (s.size() != 4 || block < 1 || s[2] % block != 0 || s[3] % block != 0) {
    fail("{} is no image of blocks of {} x {}", describe(b.type(x)), block, block);
  }
  const std::string mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") fail("its mode is '{}', expected DCR or CRD", mode);
  const Value y = b.transpose(b.reshape(x, {s[0], s[1], s[2] / block, block, s[3] / block, block}),
                              mode == "DCR" ? Integers{0, 3, 5, 1, 2, 4} : Integers{0, 1, 3, 5, 2, 4});
  return {b.reshape(y, {s[0], s[1] * block * block, s[2] / block, s[3] / block})};
}

std::vector<Value> trilu(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Tensor::Shape& s = b.shape(x);
  if (s.size() < 2) fail("it takes matrices, not {}", describe(b.type(x)));
  const bool upper = node.integer("upper", 1) != 0;
  const int64_t k = node.has(1) ? node.integer(1, "k") : 0, rows = s[s.size() - 2], columns = s.back();
  Tensor keeps = b.blank(kBool, {rows, columns});
  for (int64_t e = 0; e < keeps.size(); ++e) {
    const int64_t beyond = e % std::max<int64_t>(columns, 1) - e / std::max<int64_t>(columns, 1);
    keeps.set_integer(e, (upper ? beyond >= k : beyond <= k) ? 1 : 0);
  }
  return {b.call("where", {b.constant(std::move(keeps)), x, b.scalar(b.dtype(x), 0)})};
}

std::vector<Value> top_k(const Node& node) {
  Builder& b = node.builder();
  const int64_t k = node.version() < 10 ? node.integer("k") : node.integer(1, "k");
  node.integer("sorted", 1);  // which they are, asked for or not
  const std::vector<Value> both =
      b.call_all("top_k", {node.input(0)},
                 {{"k", k}, {"axis", node.integer("axis", -1)}, {"largest", node.integer("largest", 1) != 0}});
  return {both[0], b.cast(both[1], kInt64)};
}

ImportOperator cumulative(std::string op) {
  return [op](const Node& node) {
    const int64_t axis = node.integer(1, "axis");
    return std::vector{node.builder().call(op, {node.input(0)},
                                           {{"axis", axis},
                                            {"exclusive", node.integer("exclusive", 0) != 0},
                                            {"reverse", node.integer("reverse", 0) != 0}})};
  };
}

std::vector<Value> compress(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0);
  const Tensor& condition = node.constant(1, "condition");
  if (!node.has_attribute("axis")) x = b.reshape(x, {b.type(x).size()});
  const size_t axis = node.axis(node.integer("axis", 0), b.rank(x));
  Integers places;
  for (int64_t e = 0; e < std::min(condition.size(), b.shape(x)[axis]); ++e) {
    if (condition.integer(e) != 0) places.push_back(e);
  }
  return {
      b.pick(x, axis, static_cast<int64_t>(places.size()), [&](int64_t i) { return places[static_cast<size_t>(i)]; })};
}

std::vector<Value> non_zero(const Node& node) {
  Builder& b = node.builder();
  const Tensor& x = node.constant(0, "input");
  int64_t count = 0, column = 0;
  for (int64_t e = 0; e < x.size(); ++e) count += x.number(e) != 0 ? 1 : 0;
  Tensor indices = b.blank(kInt64, {static_cast<int64_t>(x.rank()), count});
  for (int64_t e = 0; e < x.size(); ++e) {
    if (x.number(e) == 0) continue;
    const Tensor::Shape at = x.index_of(e);
    for (size_t d = 0; d < at.size(); ++d) indices.set_integer(static_cast<int64_t>(d) * count + column, at[d]);
    ++column;
  }
  return {b.constant(std::move(indices))};
}

std::vector<Value> reverse_sequence(const Node& node) {
  Builder& b = node.builder();
  const Value x = node.input(0);
  const Integers lengths = node.integers(1, "lengths");
  const size_t batch = node.axis(node.integer("batch_axis", 1), b.rank(x)),
               time = node.axis(node.integer("time_axis", 0), b.rank(x));
  const Tensor::Shape& s = b.shape(x);
  if (batch == time || s[batch] != static_cast<int64_t>(lengths.size())) {
    fail("it has {} lengths for axis {} of {}", lengths.size(), batch, describe(b.type(x)));
  }
  Tensor places = b.blank(kInt64, s);
  for (int64_t e = 0; e < places.size(); ++e) {
    const Tensor::Shape at = places.index_of(e);
    const int64_t length = lengths[static_cast<size_t>(at[batch])];
    if (length < 0 || length > s[time]) fail("a length is {}, expected up to {}", length, s[time]);
    places.set_integer(e, at[time] < length ? length - 1 - at[time] : at[time]);
  }
  return {b.call("gather_elements", {x, b.constant(std::move(places))}, {{"axis", static_cast<int64_t>(time)}})};
}

std::vector<Value> center_crop_pad(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0);
  const Integers target = node.integers(1, "shape");
  Integers axes(target.size());
  std::iota(axes.begin(), axes.end(), 0);
  axes = node.integers("axes", axes);
  if (axes.size() != target.size()) fail("it has {} sizes for {} axes", target.size(), axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = node.axis(axes[i], b.rank(x));
    const int64_t size = b.shape(x)[axis], wanted = target[i];
    if (wanted < 0) fail("its shape has the size {}", wanted);
    if (wanted < size) {
      const int64_t begin = (size - wanted) / 2;
      x = b.slice(x, axis, begin, begin + wanted);
    } else if (wanted > size) {
      Integers before(b.shape(x).size(), 0), after(b.shape(x).size(), 0);
      before[axis] = (wanted - size) / 2;
      after[axis] = wanted - size - before[axis];
      x = b.call("pad", {x}, {{"before", before}, {"after", after}});
    }
  }
  return {x};
}

}  // namespace

OperatorFamily movement_family() {
  return {{"Reshape", reshape},
          {"Flatten", flatten},
          {"Squeeze", squeeze},
          {"Unsqueeze", unsqueeze},
          {"Transpose", transpose},
          {"Concat", concatenate},
          {"Split", split},
          {"Slice", slice},
          {"Gather", gather},
          {"GatherElements", gather_elements},
          {"GatherND", gather_nd},
          {"Scatter", scatter_elements},
          {"ScatterElements", scatter_elements},
          {"ScatterND", scatter_nd},
          {"Expand", expand},
          {"Tile", tile},
          {"Pad", pad},
          {"Shape", shape},
          {"Size", size},
          {"Constant", constant},
          {"ConstantOfShape", constant_of_shape},
          {"Range", range},
          {"EyeLike", eye_like},
          {"OneHot", one_hot},
          {"DepthToSpace", depth_to_space},
          {"SpaceToDepth", space_to_depth},
          {"Trilu", trilu},
          {"TopK", top_k},
          {"CumSum", cumulative("cumsum")},
          {"CumProd", cumulative("cumprod")},
          {"Compress", compress},
          {"NonZero", non_zero},
          {"ReverseSequence", reverse_sequence},
          {"CenterCropPad", center_crop_pad}};
}

}  // namespace vantage::onnx_models
