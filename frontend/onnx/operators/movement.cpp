// Operators that take elements from their places, put them into others, and add some around.
#include <algorithm>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "frontend/onnx/operators.h"

namespace vantage::onnx_models {

namespace {

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

// Of indices that the file has: those of values are known when it runs, and stay inside then.
void require_indices_inside(const Node& node, int64_t axis) {
  const graph::Graph& graph = node.builder().graph();
  const Tensor* indices = graph.node(node.input(1)).constant.get();
  const Tensor::Shape& shape = graph.type(node.input(0)).shape;
  const auto rank = static_cast<int64_t>(shape.size());
  if (indices == nullptr || axis < -rank || axis >= rank) return;
  const int64_t size = shape[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
  for (int64_t e = 0; e < indices->size(); ++e) {
    const auto index = static_cast<int64_t>(indices->number(e));
    if (index < -size || index >= size) fail("an index is {}, of an axis of {}", index, size);
  }
}

std::vector<Value> gather(const Node& node) {
  Builder& b = node.builder();
  require_indices_inside(node, node.integer("axis", 0));
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
  // Old files have it whatever the mode is.
  const double of_attribute = node.number("value", 0);
  if (mode == "constant") {
    const double value = node.has(2) ? node.number(2, "value") : of_attribute;
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
  return {{"Concat", concatenate},
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
          {"Compress", compress},
          {"ReverseSequence", reverse_sequence},
          {"CenterCropPad", center_crop_pad}};
}

}  // namespace vantage::onnx_models
