#include "tests/compiler/ops/random_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/tensor/random.h"
#include "compiler/ir/interpreter/interpreter.h"

namespace vantage::test {

namespace {

using ops::Attribute;
using ops::Integers;
using Given = std::vector<std::pair<std::string, Attribute>>;
using Shape = Tensor::Shape;

class Drawing {
 public:
  Drawing(const ops::Operator& op, std::mt19937_64& random) : op_(op), random_(random) {}

  RandomCall draw() {
    const std::map<std::string, void (Drawing::*)()> kSpecial = {
        {"clip", &Drawing::clip},
        {"cast", &Drawing::cast},
        {"left_shift", &Drawing::shift},
        {"right_shift", &Drawing::shift},
        {"where", &Drawing::where},
        {"reshape", &Drawing::reshape},
        {"transpose", &Drawing::transpose},
        {"pad", &Drawing::pad},
        {"concatenate", &Drawing::concatenate},
        {"split", &Drawing::split},
        {"slice", &Drawing::slice},
        {"argmax", &Drawing::argmax},
        {"argmin", &Drawing::argmax},
        {"gather", &Drawing::gather},
        {"gather_elements", &Drawing::gather_elements},
        {"gather_nd", &Drawing::gather_nd},
        {"scatter_elements", &Drawing::scatter_elements},
        {"scatter_nd", &Drawing::scatter_nd},
        {"cumsum", &Drawing::cumulative},
        {"cumprod", &Drawing::cumulative},
        {"top_k", &Drawing::top_k},
        {"layer_norm", &Drawing::layer_norm},
        {"rms_norm", &Drawing::layer_norm},
        {"attention", &Drawing::attention},
        {"rotary", &Drawing::rotary},
        {"dense", &Drawing::dense},
        {"matmul", &Drawing::matmul},
        {"conv2d", &Drawing::conv2d},
        {"conv2d_transpose", &Drawing::conv2d_transpose},
        {"im2col", &Drawing::pool},
        {"max_pool2d", &Drawing::pool},
        {"avg_pool2d", &Drawing::pool},
        {"global_max_pool2d", &Drawing::global_pool},
        {"global_avg_pool2d", &Drawing::global_pool},
        {"batch_norm", &Drawing::batch_norm},
        {"softmax", &Drawing::softmax},
        {"log_softmax", &Drawing::softmax},
        {"resize2d", &Drawing::resize},
        {"pack_tiles", &Drawing::pack_tiles},
        {"unpack_tiles", &Drawing::unpack_tiles},
        {"pack_panels", &Drawing::pack_panels},
        {"panel_matmul", &Drawing::panel_matmul},
        {"panel_conv2d", &Drawing::panel_conv2d},
        {"pixel_conv2d", &Drawing::pixel_conv2d},
    };
    const auto special = kSpecial.find(op_.name);
    if (special != kSpecial.end()) {
      (this->*special->second)();
    } else if (op_.pattern == ops::Pattern::kElementwise) {
      elementwise();
    } else if (op_.pattern == ops::Pattern::kBroadcast) {
      broadcast();
    } else if (op_.pattern == ops::Pattern::kReduction) {
      reduce();
    } else {
      throw InternalError("no random calls of " + op_.name);
    }
    RandomCall result{&op_, {}, std::move(operands_)};
    for (const Tensor& operand : result.operands) result.call.inputs.push_back(type_of(operand));
    result.call.attributes = ops::Attributes(op_.attributes, std::move(given_));
    return result;
  }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  bool flip() { return pick(0, 1) == 1; }
  Shape shape(size_t least = 1, size_t most = 4) {
    Shape result(static_cast<size_t>(pick(static_cast<int64_t>(least), static_cast<int64_t>(most))));
    for (int64_t& extent : result) extent = pick(1, 5);
    return result;
  }
  DType number() { return flip() ? kFloat32 : flip() ? kInt8 : flip() ? kInt32 : kUInt8; }
  // A type that the operator takes, which its own check decides.
  DType fitting(const std::function<ops::OperatorCall(DType)>& call) {
    for (;;) {
      constexpr std::array kTypes = {kFloat32, kFloat32, kInt8, kInt32, kFloat64, kUInt8, kInt64, kBool};
      const DType dtype = kTypes[static_cast<size_t>(pick(0, kTypes.size() - 1))];
      try {
        ops::infer(op_, call(dtype));
        return dtype;
      } catch (const Error&) {
      }
    }
  }
  Tensor& add(DType dtype, Shape shape) {
    Tensor& operand = operands_.emplace_back(dtype, std::move(shape));
    if (dtype.is_float()) {
      fill(operand, random_);
    } else if (dtype.is_bool()) {
      fill(operand, random_, 0, 1);
    } else {
      fill(operand, random_, -100, 100);
    }
    return operand;
  }
  // Of floats that functions such as log take.
  void make_positive(Tensor& operand) {
    for (int64_t e = 0; operand.dtype().is_float() && e < operand.size(); ++e) {
      operand.set_number(e, std::abs(operand.number(e)) + 0.125);
    }
  }
  void give(std::string name, Attribute value) { given_.emplace_back(std::move(name), std::move(value)); }
  int64_t either_way(int64_t axis, size_t rank) { return flip() ? axis : axis - static_cast<int64_t>(rank); }

  void elementwise() {
    const Shape s = shape();
    const DType dtype = fitting([&](DType d) { return ops::OperatorCall{{{d, s}}, {}}; });
    Tensor& x = add(dtype, s);
    if (op_.name == "log" || op_.name == "log1p" || op_.name == "sqrt" || op_.name == "rsqrt") make_positive(x);
  }
  void clip() {
    const DType dtype = number();
    add(dtype, shape());
    const int64_t low = dtype.is_unsigned() ? pick(0, 20) : pick(-60, 20);
    give("min", static_cast<double>(low));
    give("max", dtype.is_float() ? static_cast<double>(low) + 0.5 : static_cast<double>(low + pick(0, 60)));
  }
  void cast() {
    Tensor& x = add(number(), shape());
    for (int64_t e = 0; x.dtype().is_float() && e < x.size(); ++e) x.set_number(e, x.number(e) * 300);
    give("dtype", number());
  }
  // Two shapes that repeat along each other.
  std::pair<Shape, Shape> facing() {
    Shape a = shape(), b = a;
    for (size_t d = 0; d < a.size(); ++d) {
      if (pick(0, 3) == 0) (flip() ? a : b)[d] = 1;
    }
    if (flip()) b.erase(b.begin(), b.begin() + pick(0, static_cast<int64_t>(b.size()) - 1));
    if (flip()) std::swap(a, b);
    return {a, b};
  }
  void broadcast() {
    const auto [a, b] = facing();
    const DType dtype = fitting([&, first = a, second = b](DType d) {
      return ops::OperatorCall{{{d, first}, {d, second}}, {}};
    });
    Tensor& x = add(dtype, a);
    if (op_.name == "power") make_positive(x);
    Tensor& y = add(dtype, b);
    const std::set<std::string> divisions = {"divide", "floor_divide", "truncated_divide", "modulo", "remainder"};
    if (divisions.count(op_.name) == 0) return;
    make_positive(y);
    for (int64_t e = 0; e < y.size(); ++e) {
      if (y.number(e) == 0) y.set_integer(e, 3);
    }
  }
  void shift() {
    const auto [a, b] = facing();
    add(kInt32, a);
    fill(add(kInt32, b), random_, 0, 15);
  }
  void where() {
    const auto [a, b] = facing();
    const DType dtype = number();
    add(kBool, flip() ? a : b);
    add(dtype, a);
    add(dtype, b);
  }
  void reshape() {
    const Shape s = shape();
    add(number(), s);
    Integers to;
    int64_t left = std::accumulate(s.begin(), s.end(), int64_t{1}, std::multiplies<>());
    while (left > 1 || to.empty()) {
      int64_t factor = pick(1, left);
      while (left % factor != 0) --factor;
      to.push_back(factor);
      left /= factor;
      if (to.size() == 5) to.push_back(left), left = 1;
    }
    if (flip()) to[static_cast<size_t>(pick(0, static_cast<int64_t>(to.size()) - 1))] = -1;
    give("shape", to);
  }
  void transpose() {
    const Shape s = shape();
    add(number(), s);
    if (flip()) return;
    Integers order(s.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    give("order", order);
  }
  void pad() {
    const Shape s = shape();
    const DType dtype = add(number(), s).dtype();
    Integers before, after;
    for (size_t d = 0; d < s.size(); ++d) {
      before.push_back(pick(0, 2));
      after.push_back(pick(0, 2));
    }
    give("before", before);
    give("after", after);
    if (flip()) give("value", static_cast<double>(pick(dtype.is_unsigned() ? 0 : -9, 9)));
  }
  void concatenate() {
    Shape s = shape();
    const DType dtype = number();
    const auto axis = static_cast<size_t>(pick(0, static_cast<int64_t>(s.size()) - 1));
    for (int64_t parts = pick(1, 4); parts > 0; --parts) {
      s[axis] = pick(1, 4);
      add(dtype, s);
    }
    give("axis", either_way(static_cast<int64_t>(axis), s.size()));
  }
  void split() {
    Shape s = shape();
    const auto axis = static_cast<size_t>(pick(0, static_cast<int64_t>(s.size()) - 1));
    Integers pieces(static_cast<size_t>(pick(1, 4)));
    for (int64_t& piece : pieces) piece = pick(1, 3);
    s[axis] = std::accumulate(pieces.begin(), pieces.end(), int64_t{0});
    add(number(), s);
    give("sizes", pieces);
    give("axis", either_way(static_cast<int64_t>(axis), s.size()));
  }
  void slice() {
    const Shape s = shape();
    add(number(), s);
    Integers begin, end, step;
    for (const int64_t extent : s) {
      begin.push_back(pick(0, extent - 1));
      end.push_back(pick(begin.back() + 1, extent));
      step.push_back(pick(1, 3));
    }
    give("begin", begin);
    give("end", end);
    if (flip()) give("step", step);
  }
  void reduce() {
    const Shape s = shape();
    const bool is_product = op_.name == "prod";
    const DType dtype = number();
    Tensor& x = add(dtype, s);
    if (!dtype.is_float()) fill(x, random_, is_product ? -2 : -20, is_product ? 2 : 20);
    Integers axes;
    for (size_t d = 0; d < s.size(); ++d) {
      if (flip()) axes.push_back(either_way(static_cast<int64_t>(d), s.size()));
    }
    give("axes", axes);
    give("keep_axes", flip());
  }
  void argmax() {
    const Shape s = shape();
    Tensor& x = add(number(), s);
    fill(x, random_, -3, 3);  // with equals
    give("axis", either_way(pick(0, static_cast<int64_t>(s.size()) - 1), s.size()));
    give("keep_axes", flip());
  }
  // From either end, and now and then beyond it.
  void add_indices(Shape s, int64_t extent) {
    Tensor& indices = add(flip() ? kInt32 : kInt64, std::move(s));
    fill(indices, random_, -extent - (pick(0, 5) == 0 ? 1 : 0), extent - 1);
  }
  void gather() {
    const Shape s = shape();
    add(number(), s);
    const auto axis = static_cast<size_t>(pick(0, static_cast<int64_t>(s.size()) - 1));
    add_indices(pick(0, 3) == 0 ? Shape() : shape(1, 2), s[axis]);
    give("axis", either_way(static_cast<int64_t>(axis), s.size()));
  }
  // No longer than x but along the axis, which is given.
  size_t indices_of_elements(const Shape& s) {
    const auto axis = static_cast<size_t>(pick(0, static_cast<int64_t>(s.size()) - 1));
    Shape of_indices = s;
    for (size_t d = 0; d < s.size(); ++d) of_indices[d] = d == axis ? pick(1, 6) : pick(1, s[d]);
    add_indices(of_indices, s[axis]);
    give("axis", either_way(static_cast<int64_t>(axis), s.size()));
    return axis;
  }
  void gather_elements() {
    const Shape s = shape();
    add(number(), s);
    indices_of_elements(s);
  }
  void gather_nd() {
    const Shape s = shape();
    add(number(), s);
    const auto rank = static_cast<int64_t>(s.size());
    const int64_t batch = pick(0, rank - 1), indexed = pick(1, rank - batch);
    Shape of_indices(s.begin(), s.begin() + batch);
    for (int64_t d = pick(0, 2); d > 0; --d) of_indices.push_back(pick(1, 3));
    of_indices.push_back(indexed);
    add_indices(of_indices, *std::min_element(s.begin() + batch, s.begin() + batch + indexed));
    give("batch_axes", batch);
  }
  // The way in which updates are joined.
  void give_how() {
    constexpr std::array kWays = {"none", "add", "multiply", "max", "min"};
    give("how", std::string(kWays[static_cast<size_t>(pick(0, 4))]));
  }
  void scatter_elements() {
    const Shape s = shape();
    const DType dtype = add(number(), s).dtype();
    indices_of_elements(s);
    add(dtype, operands_.back().shape());
    give_how();
  }
  void scatter_nd() {
    const Shape s = shape();
    const DType dtype = add(number(), s).dtype();
    const int64_t indexed = pick(1, static_cast<int64_t>(s.size()));
    Shape of_indices, of_updates;
    for (int64_t d = pick(0, 2); d > 0; --d) of_indices.push_back(pick(1, 4));
    of_updates = of_indices;
    of_indices.push_back(indexed);
    of_updates.insert(of_updates.end(), s.begin() + indexed, s.end());
    add_indices(of_indices, *std::min_element(s.begin(), s.begin() + indexed));
    add(dtype, of_updates);
    give_how();
  }
  void cumulative() {
    const Shape s = shape();
    Tensor& x = add(number(), s);
    if (!x.dtype().is_float()) fill(x, random_, x.dtype().is_unsigned() ? 0 : -3, 3);
    give("axis", either_way(pick(0, static_cast<int64_t>(s.size()) - 1), s.size()));
    give("exclusive", flip());
    give("reverse", flip());
  }
  void top_k() {
    const Shape s = shape();
    Tensor& x = add(number(), s);
    fill(x, random_, x.dtype().is_unsigned() ? 0 : -3, 3);  // with equals
    const int64_t axis = pick(0, static_cast<int64_t>(s.size()) - 1);
    give("axis", either_way(axis, s.size()));
    give("k", pick(1, s[static_cast<size_t>(axis)]));
    give("largest", flip());
  }
  void layer_norm() {
    const Shape s = shape();
    const DType dtype = flip() ? kFloat32 : kFloat64;
    add(dtype, s);
    const int64_t axis = pick(0, static_cast<int64_t>(s.size()) - 1);
    const Shape of_row(s.begin() + axis, s.end());
    add(dtype, of_row);
    if (op_.name == "layer_norm" && flip()) add(dtype, flip() ? of_row : Shape{1});
    give("axis", either_way(axis, s.size()));
    give("epsilon", 0.125);
  }
  void attention() {
    const int64_t batch = pick(1, 2), key_heads = pick(1, 2), heads = key_heads * pick(1, 3), queries = pick(1, 4),
                  keys = queries + pick(0, 3), depth = pick(1, 4);
    add(kFloat32, {batch, heads, queries, depth});
    add(kFloat32, {batch, key_heads, keys, depth});
    add(kFloat32, {batch, key_heads, keys, pick(1, 5)});
    if (flip()) add(kFloat32, flip() ? Shape{queries, keys} : Shape{batch, 1, 1, keys});
    give("causal", flip());
    if (flip()) give("scale", 0.5);
    if (flip()) give("cap", 2.0);
  }
  void rotary() {
    Shape s = shape(2, 4);
    const int64_t pairs = pick(1, 3);
    s.back() = 2 * pairs + pick(0, 1) * pick(1, 3);
    add(kFloat32, s);
    Shape of_angles = s;
    of_angles.back() = pairs;
    if (flip()) of_angles[0] = 1;
    add(kFloat32, of_angles);
    add(kFloat32, of_angles);
    give("interleaved", flip());
  }
  // Operands of products and the type of their sums.
  DType products() {
    const DType dtype = flip() ? kFloat32 : kInt8;
    if (flip()) give("dtype", dtype.is_float() ? (flip() ? kFloat32 : kFloat64) : kInt32);
    return dtype;
  }
  DType sums(DType dtype) {
    for (const auto& [name, value] : given_) {
      if (name == "dtype") return std::get<DType>(value);
    }
    return dtype.is_float() ? dtype : kInt32;
  }
  void dense() {
    const DType dtype = products();
    Shape s = shape(2, 4);
    const int64_t outputs = pick(1, 6);
    add(dtype, s);
    add(dtype, {outputs, s.back()});
    if (flip()) add(sums(dtype), {outputs});
  }
  void matmul() {
    const DType dtype = products();
    auto [a, b] = facing();
    const int64_t m = pick(1, 5), k = pick(1, 6), n = pick(1, 5);
    const bool ta = flip(), tb = flip();
    a.resize(std::min<size_t>(a.size(), 2));
    b.assign(b.end() - std::min<ptrdiff_t>(static_cast<ptrdiff_t>(b.size()), 2), b.end());
    if (a.size() == b.size() || flip()) {
      b = a;
      if (!b.empty() && flip()) b[0] = 1;
    } else {
      a = b;
    }
    a.insert(a.end(), {ta ? k : m, ta ? m : k});
    b.insert(b.end(), {tb ? n : k, tb ? k : n});
    add(dtype, a);
    add(dtype, b);
    give("transpose_a", ta);
    give("transpose_b", tb);
  }
  // A side of an image and of a kernel that fits, with its padding before and behind.
  struct Side {
    int64_t size, kernel, stride, before, after, dilation;
  };
  Side side() {
    for (;;) {
      const Side s = {pick(1, 7), pick(1, 3), pick(1, 3), pick(0, 2), pick(0, 2), pick(1, 2)};
      if ((s.kernel - 1) * s.dilation < s.size + s.before + s.after) return s;
    }
  }
  void give_window(const Side& rows, const Side& columns) {
    give("strides", Integers{rows.stride, columns.stride});
    give("padding", Integers{rows.before, columns.before, rows.after, columns.after});
    give("dilation", Integers{rows.dilation, columns.dilation});
  }
  void conv2d() {
    const DType dtype = products();
    const Side rows = side(), columns = side();
    const int64_t groups = pick(1, 3), in = pick(1, 3), out = pick(1, 3);
    give_window(rows, columns);
    give("groups", groups);
    add(dtype, {pick(1, 2), groups * in, rows.size, columns.size});
    add(dtype, {groups * out, in, rows.kernel, columns.kernel});
    if (flip()) add(sums(dtype), {groups * out});
  }
  void conv2d_transpose() {
    const DType dtype = products();
    const auto fitting_side = [&] {
      for (;;) {
        Side s = side();
        if ((s.size - 1) * s.stride + (s.kernel - 1) * s.dilation + 1 > s.before + s.after) return s;
      }
    };
    const Side rows = fitting_side(), columns = fitting_side();
    const int64_t groups = pick(1, 3), in = pick(1, 3), out = pick(1, 3);
    give_window(rows, columns);
    give("groups", groups);
    give("output_padding", Integers{pick(0, rows.stride - 1), pick(0, columns.stride - 1)});
    add(dtype, {pick(1, 2), groups * in, rows.size, columns.size});
    add(dtype, {groups * in, out, rows.kernel, columns.kernel});
    if (flip()) add(sums(dtype), {groups * out});
  }
  void pool() {
    for (;;) {
      given_.clear();
      const Side rows = side(), columns = side();
      give("kernel", Integers{rows.kernel, columns.kernel});
      give_window(rows, columns);
      if (op_.name == "avg_pool2d") give("count_padding", flip());
      const TensorType x = {number(), {pick(1, 2), pick(1, 3), rows.size, columns.size}};
      try {
        ops::infer(op_, {{x}, ops::Attributes(op_.attributes, given_)});
      } catch (const Error&) {
        continue;  // a window sees no pixel
      }
      add(x.dtype, x.shape);
      return;
    }
  }
  void global_pool() { add(number(), {pick(1, 2), pick(1, 3), pick(1, 6), pick(1, 6)}); }
  void batch_norm() {
    const Shape s = shape();
    const auto axis = pick(0, static_cast<int64_t>(s.size()) - 1);
    const int64_t channels = s[static_cast<size_t>(axis)];
    add(kFloat32, s);
    for (int i = 0; i < 4; ++i) add(kFloat32, {channels});
    make_positive(operands_.back());
    give("axis", either_way(axis, s.size()));
  }
  void softmax() {
    const Shape s = shape();
    add(kFloat32, s);
    give("axis", either_way(pick(0, static_cast<int64_t>(s.size()) - 1), s.size()));
  }
  void resize() {
    const bool nearest = flip();
    give("method", std::string(nearest ? "nearest" : "linear"));
    constexpr const char* kCoordinates[] = {"half_pixel", "align_corners", "asymmetric"};
    give("coordinates", std::string(kCoordinates[pick(0, 2)]));
    give("size", Integers{pick(1, 9), pick(1, 9)});
    add(nearest ? number() : kFloat32, {pick(1, 2), pick(1, 2), pick(1, 6), pick(1, 6)});
  }

  Shape images() {
    Shape s = {pick(1, 3), pick(1, 7)};
    if (flip()) s.insert(s.end(), {pick(1, 3), pick(1, 3)});
    return s;
  }
  void pack_tiles() {
    give("batch", pick(1, 3));
    give("block", pick(1, 5));
    add(number(), images());
  }
  void unpack_tiles() {
    const Shape s = images();
    give("shape", Integers(s));
    const int64_t batch = pick(1, 3), block = pick(1, 5);
    add(number(), {(s[0] + batch - 1) / batch, (s[1] + block - 1) / block, s.size() == 4 ? s[2] : 1,
                   s.size() == 4 ? s[3] : 1, batch, block});
  }
  void pack_panels() {
    give("width", pick(1, 5));
    give("transposed", flip());
    add(number(), shape(2, 4));
  }
  void panel_matmul() {
    Shape a = shape(2, 4), b(a.begin(), a.end() - 2);
    a.back() = pick(1, 20);
    const int64_t columns = pick(1, 9), width = pick(1, 5);
    give("columns", columns);
    give("rows", pick(1, 4));
    b.insert(b.end(), {(columns + width - 1) / width, (a.back() + 15) / 16 * 16, width});
    const DType dtype = flip() ? kFloat32 : kFloat64;
    add(dtype, a);
    add(dtype, b);
  }
  void panel_conv2d() {
    const Side rows = side(), columns = side();
    give_window(rows, columns);
    give("kernel", Integers{rows.kernel, columns.kernel});
    const int64_t channels = pick(1, 3), outputs = pick(1, 9), width = pick(1, 5);
    give("outputs", outputs);
    give("pixels", pick(1, 4));
    const DType dtype = flip() ? kFloat32 : kFloat64;
    add(dtype, {pick(1, 2), channels, rows.size, columns.size});
    add(dtype, {(outputs + width - 1) / width, (channels * rows.kernel * columns.kernel + 15) / 16 * 16, width});
  }
  void pixel_conv2d() {
    const Side rows = side(), columns = side();
    give_window(rows, columns);
    give("pixels", pick(1, 16));
    const int64_t channels = pick(1, 3), outputs = pick(1, 9);
    const DType dtype = flip() ? kFloat32 : kInt8;
    add(dtype, {pick(1, 2), channels, rows.size, columns.size});
    add(dtype, {rows.kernel, columns.kernel, channels, outputs});
    if (flip()) add(dtype == kInt8 ? kInt32 : dtype, {outputs});
  }

  const ops::Operator& op_;
  std::mt19937_64& random_;
  std::vector<Tensor> operands_;
  Given given_;
};

}  // namespace

RandomCall random_call(const ops::Operator& op, std::mt19937_64& random) {
  return Drawing(op, random).draw();
}

ir::PrimFunc formula_of(const RandomCall& call) {
  std::vector<te::Tensor> inputs;
  std::vector<std::variant<te::Tensor, te::Var>> parameters;
  for (const TensorType& input : call.call.inputs) {
    inputs.push_back(
        te::placeholder({input.shape.begin(), input.shape.end()}, input.dtype, fmt::format("in{}", inputs.size())));
    parameters.emplace_back(inputs.back());
  }
  for (const te::Tensor& output : call.op->define(call.call, inputs)) parameters.emplace_back(output);
  return te::create_prim_func(parameters, call.op->name);
}

std::vector<Tensor> by_formula(const RandomCall& call) {
  const ir::PrimFunc function = formula_of(call);
  std::vector<Tensor> operands = call.operands, results;
  std::vector<ir::Argument> arguments;
  for (Tensor& operand : operands) arguments.emplace_back(&operand);
  const std::vector<ir::Buffer> buffers = function.buffers();
  for (size_t i = operands.size(); i < buffers.size(); ++i) {
    Tensor::Shape shape;
    for (const te::Expr& extent : buffers[i]->shape) shape.push_back(*ir::as_int(extent));
    results.emplace_back(buffers[i]->dtype, std::move(shape));
  }
  for (Tensor& result : results) arguments.emplace_back(&result);
  ir::interpret(function, arguments);
  return results;
}

std::string describe(const RandomCall& call) {
  std::vector<std::string> parts;
  for (const TensorType& input : call.call.inputs) parts.push_back(vantage::describe(input));
  for (const auto& [name, value] : call.call.attributes.all()) {
    parts.push_back(fmt::format("{}={}", name, ops::to_text(value)));
  }
  return fmt::format("{}({})", call.op->name, fmt::join(parts, ", "));
}

}  // namespace vantage::test
