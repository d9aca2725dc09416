#include "compiler/ops/resize/resize.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;

// Where output `at` lies in the image, along one side: (at * step + offset) / unit pixels from the first one's middle.
struct ResizedSide {
  int64_t size, count;
  int64_t step, offset, unit;

  ResizedSide(int64_t from, int64_t to, const std::string& coordinates) : size(from), count(to) {
    if (coordinates == "half_pixel") {  // (at + 1/2) * size / count - 1/2
      step = 2 * size;
      offset = size - count;
      unit = 2 * count;
    } else if (coordinates == "align_corners") {  // at * (size - 1) / (count - 1)
      step = size - 1;
      offset = 0;
      unit = std::max<int64_t>(1, count - 1);
    } else {  // asymmetric: at * size / count
      step = size;
      offset = 0;
      unit = count;
    }
  }
};

Expr clamped(const Expr& at, int64_t size) {
  return ir::min(ir::max(at, Expr(0)), Expr(size - 1));
}

te::Tensor define_resize(const ResizedSide& rows, const ResizedSide& columns, bool is_linear, const te::Tensor& x) {
  const DType dtype = x.dtype();
  const auto way = [](const ResizedSide& s, const Expr& at) { return at * s.step + s.offset; };
  return te::compute(
      {x.shape()[0], x.shape()[1], rows.count, columns.count},
      [&](Expr n, Expr c, Expr y, Expr z) {
        if (!is_linear) {
          // The nearest pixel, halves up.
          const auto nearest = [&](const ResizedSide& s, const Expr& at) {
            return clamped(ir::floor_div(way(s, at) * 2 + s.unit, 2 * s.unit), s.size);
          };
          return x(n, c, nearest(rows, y), nearest(columns, z));
        }
        const auto before = [&](const ResizedSide& s, const Expr& at) { return ir::floor_div(way(s, at), s.unit); };
        // A narrow float could hold neither the unit nor the rest.
        const DType exact = dtype.is_narrow_float() ? kFloat32 : dtype;
        const auto share = [&](const ResizedSide& s, const Expr& at) {
          return ir::cast(dtype, ir::cast(exact, ir::floor_mod(way(s, at), s.unit)) /
                                     ir::make_const(exact, static_cast<double>(s.unit)));
        };
        const Expr one = ir::make_const(dtype, 1);
        const auto pixel = [&](const Expr& row, const Expr& column) {
          return x(n, c, clamped(row, rows.size), clamped(column, columns.size));
        };
        const auto line = [&](const Expr& row) {
          const Expr left = before(columns, z), part = share(columns, z);
          return pixel(row, left) * (one - part) + pixel(row, left + 1) * part;
        };
        const Expr top = before(rows, y), part = share(rows, y);
        return line(top) * (one - part) + line(top + 1) * part;
      },
      "resize2d");
}

Tensor resize_reference(const ResizedSide& rows, const ResizedSide& columns, bool is_linear, const Tensor& x) {
  Tensor result(x.dtype(), {x.extent(0), x.extent(1), rows.count, columns.count});
  const auto place = [](const ResizedSide& s, int64_t at) {
    return static_cast<double>(at * s.step + s.offset) / static_cast<double>(s.unit);
  };
  for (int64_t e = 0; e < result.size(); ++e) {
    const Tensor::Shape at = result.index_of(e);
    const auto pixel = [&](double row, double column) {
      const auto inside = [](double p, int64_t size) {
        return std::clamp<int64_t>(static_cast<int64_t>(p), 0, size - 1);
      };
      const int64_t y = inside(row, rows.size), z = inside(column, columns.size);
      return ((at[0] * x.extent(1) + at[1]) * rows.size + y) * columns.size + z;
    };
    const double row = place(rows, at[2]), column = place(columns, at[3]);
    if (!is_linear) {
      result.set(e, x.get(pixel(std::floor(row + 0.5), std::floor(column + 0.5))));
      continue;
    }
    const double top = std::floor(row), left = std::floor(column);
    double all = 0;
    for (const double down : {0.0, 1.0}) {
      for (const double right : {0.0, 1.0}) {
        const double share =
            (down == 0 ? 1 - (row - top) : row - top) * (right == 0 ? 1 - (column - left) : column - left);
        all += share * x.number(pixel(top + down, left + right));
      }
    }
    result.set_number(e, all);
  }
  return result;
}

}  // namespace

Operator resize2d_operator() {
  Operator op;
  op.name = "resize2d";
  op.meaning = "images in another size";
  op.inputs = {{"x", "[n, c, h, w]: images"}};
  op.attributes = {
      {.name = "size", .meaning = "rows and columns", .standard = Integers{}, .is_required = true},
      {.name = "method",
       .meaning = "the four pixels around by their distance, of floats alone, or the nearest one, halves up",
       .standard = std::string("linear"),
       .choices = {"linear", "nearest"}},
      {.name = "coordinates",
       .meaning = "what lies on each other: all of both images, middles of corners, or the first pixels",
       .standard = std::string("half_pixel"),
       .choices = {"half_pixel", "align_corners", "asymmetric"}}};
  op.pattern = Pattern::kInjective;
  const auto side = [](const OperatorCall& call, size_t s) {
    return ResizedSide(call.inputs[0].shape[2 + s], call.attributes.integers("size")[s],
                       call.attributes.word("coordinates"));
  };
  const auto is_linear = [](const OperatorCall& call) { return call.attributes.word("method") == "linear"; };
  op.infer = [is_linear](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    const Integers& size = call.attributes.integers("size");
    require_rank(x, 4, "x", "[n, c, h, w]: images");
    require_integers(size, 2, 1, "size");
    if (is_linear(call) && !x.dtype.is_float())
      fail("x is {}, expected floats where the method is linear", describe(x));
    return std::vector{TensorType{x.dtype, {x.shape[0], x.shape[1], size[0], size[1]}}};
  };
  op.define = [side, is_linear](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{define_resize(side(call, 0), side(call, 1), is_linear(call), in[0])};
  };
  op.reference = [side, is_linear](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{resize_reference(side(call, 0), side(call, 1), is_linear(call), *in[0])};
  };
  return op;
}

}  // namespace vantage::ops
