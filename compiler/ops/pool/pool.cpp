#include "compiler/ops/pool/pool.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ops/mean.h"
#include "compiler/ops/sizes.h"
#include "compiler/ops/wrapping.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;

constexpr const char* kImages = "[n, c, h, w]: images";

// Of a window's places along one side from output `at` on, those inside the image.
struct Places {
  int64_t count = 0;
  std::vector<int64_t> inside;
  Places(const Window::Side& side, int64_t at) {
    const int64_t first = at * side.stride - side.before;
    const int64_t skipped = first < 0 ? (-first + side.dilation - 1) / side.dilation : 0;
    for (int64_t k = skipped; k < side.kernel && first + k * side.dilation < side.size; ++k) {
      inside.push_back(first + k * side.dilation);
    }
    count = static_cast<int64_t>(inside.size());
  }
};

Window window_of(const OperatorCall& call) {
  const Integers& kernel = call.attributes.integers("kernel");
  require_rank(call.inputs[0], 4, "x", kImages);
  require_integers(kernel, 2, 1, "kernel");
  const Window window = window_of(call.attributes, call.inputs[0].shape, kernel[0], kernel[1]);
  for (const Window::Side& side : {window.rows, window.columns}) {
    // Steps that are no longer than the image cannot pass over it.
    if (side.kernel > 1 && side.dilation > side.size) {
      fail("dilation is {}, expected no more than the image's size of {}", side.dilation, side.size);
    }
    const int64_t last = (side.count() - 1) * side.stride - side.before;
    if (side.before >= side.reach() || last >= side.size) {
      fail("with padding of {} and {} a window of {} sees no pixel; expected less", side.before, side.after,
           side.reach());
    }
  }
  return window;
}

// The whole image as one window.
Window whole_of(const OperatorCall& call) {
  require_rank(call.inputs[0], 4, "x", kImages);
  const Tensor::Shape& x = call.inputs[0].shape;
  return {{x[2], x[2], 1, 0, 0, 1}, {x[3], x[3], 1, 0, 0, 1}};
}

struct Pool {
  std::string name, meaning;
  bool is_max;
  bool is_global;
};

bool counts_padding(const OperatorCall& call, const Pool& pool) {
  return !pool.is_max && !pool.is_global && call.attributes.flag("count_padding");
}

te::Tensor define_pool(const Pool& pool, const Window& w, const OperatorCall& call, const te::Tensor& x) {
  const Tensor::Shape& shape = call.inputs[0].shape;
  const ReduceAxis kh = te::reduce_axis(w.rows.kernel, "kh"), kw = te::reduce_axis(w.columns.kernel, "kw");
  const bool is_padded = w.rows.before + w.rows.after + w.columns.before + w.columns.after > 0;
  const DType dtype = x.dtype(), sums = pool.is_max ? dtype : type_of_sums(dtype);
  const std::vector<Expr> out = sizes({shape[0], shape[1], w.rows.count(), w.columns.count()});
  // Whether output `at` has place `k` inside the image, and which pixel that is.
  const auto place = [](const Window::Side& side, const Expr& at, const Expr& k) {
    return at * side.stride - side.before + k * side.dilation;
  };
  const auto inside = [&](const Window::Side& side, const Expr& at, const Expr& k) {
    return place(side, at, k) >= 0 && place(side, at, k) < side.size;
  };
  const te::Tensor folded = te::compute(
      out,
      [&](Expr n, Expr c, Expr y, Expr z) {
        const Expr element = ir::cast(sums, x(n, c, place(w.rows, y, kh), place(w.columns, z, kw)));
        const Expr condition = is_padded ? inside(w.rows, y, kh) && inside(w.columns, z, kw) : Expr();
        return pool.is_max ? te::max(element, std::vector{kh, kw}, condition)
                           : te::sum(element, std::vector{kh, kw}, condition);
      },
      pool.is_max ? pool.name : "window_sum");
  if (pool.is_max) return folded;
  if (!is_padded || counts_padding(call, pool)) {
    const Expr count = ir::make_const(sums, static_cast<double>(w.rows.kernel * w.columns.kernel));
    return te::map(
        folded, [&](const Expr& sum) { return quotient(sum, count, dtype); }, pool.name);
  }
  const ReduceAxis ch = te::reduce_axis(w.rows.kernel, "ch"), cw = te::reduce_axis(w.columns.kernel, "cw");
  const auto count = [&](const Window::Side& side, const ReduceAxis& k, const char* name) {
    return te::compute(
        {side.count()}, [&](Expr at) { return te::sum(ir::make_const(sums, 1), {k}, inside(side, at, k)); }, name);
  };
  const te::Tensor rows = count(w.rows, ch, "row_count"), columns = count(w.columns, cw, "column_count");
  return te::compute(
      out, [&](Expr n, Expr c, Expr y, Expr z) { return quotient(folded(n, c, y, z), rows(y) * columns(z), dtype); },
      pool.name);
}

Tensor pool_reference(const Pool& pool, const Window& w, const OperatorCall& call, const Tensor& x) {
  Tensor result(x.dtype(), {x.extent(0), x.extent(1), w.rows.count(), w.columns.count()});
  const int64_t planes = x.extent(0) * x.extent(1);
  const bool is_float = x.dtype().is_float();
  for (int64_t plane = 0; plane < planes; ++plane) {
    for (int64_t y = 0; y < w.rows.count(); ++y) {
      const Places rows(w.rows, y);
      for (int64_t z = 0; z < w.columns.count(); ++z) {
        const Places columns(w.columns, z);
        const int64_t to = (plane * w.rows.count() + y) * w.columns.count() + z;
        const int64_t count =
            counts_padding(call, pool) ? w.rows.kernel * w.columns.kernel : rows.count * columns.count;
        double sum = 0;
        int64_t whole = 0;
        bool begun = false;
        for (const int64_t row : rows.inside) {
          for (const int64_t column : columns.inside) {
            const int64_t from = (plane * w.rows.size + row) * w.columns.size + column;
            const double number = x.number(from);
            const int64_t integer = is_float ? 0 : x.integer(from);
            sum = !begun ? number : pool.is_max ? std::max(sum, number) : sum + number;
            whole = !begun ? integer : pool.is_max ? std::max(whole, integer) : wrapping_sum(whole, integer);
            begun = true;
          }
        }
        if (is_float) {
          result.set_number(to, pool.is_max ? sum : sum / static_cast<double>(count));
        } else {
          result.set_integer(to, pool.is_max ? whole : nearest_quotient(whole, count));
        }
      }
    }
  }
  return result;
}

Operator pool_operator(const Pool& pool) {
  Operator op;
  op.name = pool.name;
  op.meaning = pool.meaning;
  op.inputs = {{"x", kImages}};
  if (!pool.is_global) {
    op.attributes = {{.name = "kernel", .meaning = "rows and columns", .standard = Integers{}, .is_required = true}};
    for (AttributeField& field : window_fields()) op.attributes.push_back(std::move(field));
    if (!pool.is_max) op.attributes.push_back({"count_padding", "zeros of the padding count as pixels", false});
  }
  op.pattern = Pattern::kReduction;
  const auto window = [pool](const OperatorCall& call) { return pool.is_global ? whole_of(call) : window_of(call); };
  op.infer = [window](const OperatorCall& call) {
    const TensorType& x = call.inputs[0];
    const Window w = window(call);
    if (x.dtype.is_bool()) fail("x is {}, expected numbers", describe(x));
    return std::vector{TensorType{x.dtype, {x.shape[0], x.shape[1], w.rows.count(), w.columns.count()}}};
  };
  op.define = [pool, window](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{define_pool(pool, window(call), call, in[0])};
  };
  op.reference = [pool, window](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{pool_reference(pool, window(call), call, *in[0])};
  };
  return op;
}

}  // namespace

std::vector<Operator> pool_operators() {
  return {pool_operator({"max_pool2d", "the greatest pixel of each window", true, false}),
          pool_operator(
              {"avg_pool2d", "the mean of each window's pixels; of integers the nearest one, halves up", false, false}),
          pool_operator({"global_max_pool2d", "the greatest pixel of each channel", true, true}),
          pool_operator({"global_avg_pool2d",
                         "the mean of each channel's pixels; of integers the nearest one, halves up", false, true})};
}

}  // namespace vantage::ops
