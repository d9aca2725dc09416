// Images at places that the network computes.
#include <cmath>
#include <functional>

#include "base/error.h"
#include "frontend/onnx/operators.h"

namespace vantage::onnx_models {

namespace {

// A pixel's number along an axis, as a float, and how much of it counts: [n, places, 1].
struct Tap {
  Value at, share;
};

struct Sampler {
  Builder& b;
  std::string mode, padding;
  bool aligns_corners;

  // Where the image ends along an axis of so many pixels.
  double low() const { return aligns_corners ? 0 : -0.5; }
  double high(int64_t size) const { return low() + reach(size); }
  double reach(int64_t size) const { return static_cast<double>(aligns_corners ? size - 1 : size); }

  Value number(double value, Value like) const { return b.scalar(b.dtype(like), value); }

  Value clipped(Value at, int64_t size) const {
    return b.call("clip", {at}, {{"min", 0.0}, {"max", static_cast<double>(size - 1)}});
  }

  // To and fro between the image's ends.
  Value reflected(Value at, int64_t size) const {
    const double period = 2 * reach(size);
    if (period == 0) return b.multiply(at, 0.0);
    const Value way = b.add(at, -low());
    const Value rounds = b.call("floor", {b.multiply(way, 1 / period)});
    const Value left = b.subtract(way, b.multiply(rounds, period));
    const Value back = b.subtract(number(period, at), left);
    return b.add(b.call("minimum", {left, back}), low());
  }

  // From -1 to 1 as pixels' numbers, and beyond the ends as the padding has it.
  Value place(Value given, int64_t size) const {
    const auto count = static_cast<double>(size);
    Value at = aligns_corners ? b.multiply(b.add(given, 1.0), (count - 1) / 2)
                              : b.multiply(b.add(b.multiply(b.add(given, 1.0), count), -1.0), 0.5);
    if (mode == "nearest") at = b.call("round", {at});
    if (padding == "reflection") return reflected(at, size);
    // Pixels around a place are put inside one by one (tap()); of cubic ones that is all that PyTorch and onnxruntime
    // do.
    if (padding == "zeros" || mode == "cubic") return at;
    const Value beyond = b.call(
        "logical_or", {b.call("less", {at, number(low(), at)}), b.call("greater", {at, number(high(size), at)})});
    return b.call("where", {beyond, clipped(at, size), at});
  }

  // A pixel that there is, and none of it where there is none.
  Tap tap(Value at, Value share, int64_t size) const {
    if (padding == "reflection") at = reflected(at, size);
    const Value inside = clipped(at, size);
    if (padding == "zeros") share = b.call("where", {b.call("equal", {at, inside}), share, number(0, share)});
    return {inside, share};
  }

  std::vector<Tap> taps(Value given, int64_t size) const {
    const Value at = place(given, size);
    const Value one = b.add(b.multiply(at, 0.0), 1.0);
    if (mode == "nearest") return {tap(b.call("round", {at}), one, size)};
    const Value first = b.call("floor", {at}), part = b.subtract(at, first), rest = b.subtract(one, part);
    if (mode == "linear") return {tap(first, rest, size), tap(b.add(first, 1.0), part, size)};
    // Keys' polynomials, of which the outer one is that of distances from 1 to 2.
    constexpr double kA = -0.75;
    const auto near = [&](Value x) {
      const Value line = b.add(b.multiply(x, kA + 2), -(kA + 3));
      return b.add(b.multiply(line, b.multiply(x, x)), 1.0);
    };
    const auto far = [&](Value x) {
      Value y = b.add(b.multiply(x, kA), -5 * kA);
      y = b.add(b.multiply(y, x), 8 * kA);
      return b.add(b.multiply(y, x), -4 * kA);
    };
    return {tap(b.add(first, -1.0), far(b.add(part, 1.0)), size), tap(first, near(part), size),
            tap(b.add(first, 1.0), near(rest), size), tap(b.add(first, 2.0), far(b.add(rest, 1.0)), size)};
  }
};

std::vector<Value> grid_sample(const Node& node) {
  Builder& b = node.builder();
  Value x = node.input(0), grid = node.input(1);
  const Tensor::Shape s = b.shape(x), places = b.shape(grid);
  const size_t axes = s.size() < 3 ? 0 : s.size() - 2;
  if (axes == 0 || places.size() != s.size() || places.back() != static_cast<int64_t>(axes) || places[0] != s[0]) {
    fail("its grid is {}, which does not fit {}", describe(b.type(grid)), describe(b.type(x)));
  }
  Sampler sampler{b, node.text("mode", "linear"), node.text("padding_mode", "zeros"),
                  node.integer("align_corners", 0) != 0};
  // By other names in older versions.
  if (sampler.mode.starts_with("bi")) sampler.mode = sampler.mode.substr(2);
  if (sampler.mode != "nearest" && sampler.mode != "linear" && sampler.mode != "cubic") {
    fail("its mode is '{}', expected nearest, linear or cubic", sampler.mode);
  }
  if (sampler.padding != "zeros" && sampler.padding != "border" && sampler.padding != "reflection") {
    fail("its padding_mode is '{}', expected zeros, border or reflection", sampler.padding);
  }
  const DType given = b.dtype(x), dtype = given == kFloat64 ? given : kFloat32;
  int64_t count = 1, pixels = 1;
  for (size_t d = 0; d < axes; ++d) {
    count *= places[1 + d];
    pixels *= s[2 + d];
  }
  grid = b.reshape(b.cast(grid, dtype), {s[0], count, static_cast<int64_t>(axes)});
  const Value rows = b.transpose(b.reshape(b.cast(x, dtype), {s[0], s[1], pixels}), {0, 2, 1});
  // Of each axis, of which the grid has the last one first.
  std::vector<std::vector<Tap>> taps;
  for (size_t axis = 0; axis < axes; ++axis) {
    const auto component = static_cast<int64_t>(axes - 1 - axis);
    taps.push_back(sampler.taps(b.slice(grid, 2, component, component + 1), s[2 + axis]));
  }
  Value sum;
  bool is_first = true;
  // Every pixel around: a tap of each axis.
  std::function<void(size_t, std::optional<Tap>)> visit = [&](size_t axis, const std::optional<Tap>& before) {
    if (axis == axes) {
      const Value at = b.cast(before->at, kInt64);
      const Value pixel = b.call("gather_nd", {rows, at}, {{"batch_axes", int64_t{1}}});
      const Value part = b.multiply(pixel, before->share);
      sum = is_first ? part : b.add(sum, part);
      is_first = false;
      return;
    }
    for (const Tap& tap : taps[axis]) {
      visit(axis + 1, before ? Tap{b.add(b.multiply(before->at, static_cast<double>(s[2 + axis])), tap.at),
                                   b.multiply(before->share, tap.share)}
                             : tap);
    }
  };
  visit(0, std::nullopt);
  Tensor::Shape made = {s[0], s[1]};
  made.insert(made.end(), places.begin() + 1, places.end() - 1);
  return {b.cast(b.reshape(b.transpose(sum, {0, 2, 1}), made), given)};
}

// The places that a matrix for each image makes of those of all pixels.
std::vector<Value> affine_grid(const Node& node) {
  Builder& b = node.builder();
  const Value theta = node.input(0);
  const Integers size = node.integers(1, "size");
  const bool aligns_corners = node.integer("align_corners", 0) != 0;
  const size_t axes = size.size() < 4 ? 0 : size.size() - 2;
  const auto count = static_cast<int64_t>(axes);
  if (axes < 2 || axes > 3 || b.shape(theta) != Tensor::Shape{size[0], count, count + 1}) {
    fail("its matrices are {}, which does not fit images of {} axes", describe(b.type(theta)), axes);
  }
  Tensor::Shape shape(size.begin() + 2, size.end());
  shape.push_back(count + 1);
  Tensor places = b.blank(b.dtype(theta), shape);
  for (int64_t e = 0; e < places.size(); ++e) {
    const Tensor::Shape at = places.index_of(e);
    // The last axis comes first, and behind all is 1.
    const int64_t component = at.back(), axis = count - 1 - component;
    if (axis < 0) {
      places.set_number(e, 1);
      continue;
    }
    const auto place = static_cast<double>(at[static_cast<size_t>(axis)]);
    const auto pixels = static_cast<double>(shape[static_cast<size_t>(axis)]);
    places.set_number(e,
                      aligns_corners ? (pixels > 1 ? 2 * place / (pixels - 1) - 1 : -1) : (2 * place + 1) / pixels - 1);
  }
  const int64_t all = places.size() / (count + 1);
  const Value rows = b.reshape(b.constant(std::move(places)), {all, count + 1});
  shape.back() = count;
  shape.insert(shape.begin(), size[0]);
  return {b.reshape(b.call("matmul", {rows, theta}, {{"transpose_b", true}}), shape)};
}

}  // namespace

OperatorFamily sample_family() {
  return {{"GridSample", grid_sample}, {"AffineGrid", affine_grid}};
}

}  // namespace vantage::onnx_models
