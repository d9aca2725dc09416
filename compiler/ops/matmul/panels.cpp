#include "compiler/ops/matmul/panels.h"

#include <cstring>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ops/sizes.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::Var;

constexpr const char* kPanels = "[..., n / width, k, width]";

void require_matrices(const TensorType& type, std::string_view name) {
  if (type.shape.size() < 2) fail("{} is {}, expected matrices: two axes or more", name, describe(type));
}

std::vector<Expr> front(const std::vector<Var>& axes, size_t count) {
  return {axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(count)};
}

Expr element(const te::Tensor& tensor, std::vector<Expr> stack, std::initializer_list<Expr> of_matrix) {
  stack.insert(stack.end(), of_matrix);
  return tensor.at(std::move(stack));
}

// The value where all conditions hold, zero elsewhere; a condition that always holds is not there.
Expr or_zero(const std::vector<Expr>& conditions, const Expr& value) {
  Expr all;
  for (const Expr& condition : conditions) all = all.defined() ? all && condition : condition;
  return all.defined() ? te::if_then_else(all, value, ir::make_zero(value.dtype())) : value;
}

struct Packing {
  Tensor::Shape stack;
  int64_t width, columns, depth;
  bool transposed;

  explicit Packing(const OperatorCall& call)
      : width(call.attributes.integer("width")), transposed(call.attributes.flag("transposed")) {
    const Tensor::Shape& b = call.inputs[0].shape;
    stack.assign(b.begin(), b.end() - 2);
    columns = b[b.size() - (transposed ? 2 : 1)];
    depth = b[b.size() - (transposed ? 1 : 2)];
  }
  Tensor::Shape shape() const {
    Tensor::Shape all = stack;
    all.insert(all.end(), {ceil_div(columns, width), round_up(depth, kPanelStep), width});
    return all;
  }

  // Large weights pass here when networks are compiled: elements as so many bytes.
  template <size_t kBytes>
  void copy(std::span<const std::byte> from, std::span<std::byte> to) const {
    const int64_t matrix = columns * depth, padded = round_up(depth, kPanelStep);
    const int64_t size = ceil_div(columns, width) * padded * width;
    const auto matrices = static_cast<int64_t>(from.size() / kBytes) / matrix;
    for (int64_t i = 0; i < matrices; ++i) {
      for (int64_t column = 0; column < columns; ++column) {
        int64_t source = i * matrix + (transposed ? column * depth : column);
        int64_t target = i * size + column / width * padded * width + column % width;
        for (int64_t k = 0; k < depth; ++k, source += transposed ? 1 : columns, target += width) {
          std::memcpy(&to[static_cast<size_t>(target) * kBytes], &from[static_cast<size_t>(source) * kBytes], kBytes);
        }
      }
    }
  }
};

Operator pack_panels() {
  Operator op;
  op.name = "pack_panels";
  op.meaning = "matrices as panels of some columns, with zeros in what is no column and no row";
  op.inputs = {{"b", "[..., k, n]: matrices"}};
  op.attributes = {
      {.name = "width", .meaning = "columns of a panel", .standard = int64_t{1}, .is_required = true},
      {.name = "transposed", .meaning = "b is [..., n, k]", .standard = false},
  };
  op.pattern = Pattern::kInjective;
  op.infer = [](const OperatorCall& call) {
    require_matrices(call.inputs[0], "b");
    if (call.attributes.integer("width") < 1) {
      fail("width is {}, expected at least 1", call.attributes.integer("width"));
    }
    return std::vector{TensorType{call.inputs[0].dtype, Packing(call).shape()}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    const Packing p(call);
    const size_t r = p.stack.size();
    return std::vector{te::compute(
        sizes(p.shape()),
        [&](const std::vector<Var>& i) {
          const Expr column = i[r] * p.width + i[r + 2], k = i[r + 1];
          std::vector<Expr> inside;
          if (p.columns % p.width != 0) inside.push_back(column < p.columns);
          if (p.depth % kPanelStep != 0) inside.push_back(k < p.depth);
          const auto stack = front(i, r);
          return or_zero(inside,
                         p.transposed ? element(in[0], stack, {column, k}) : element(in[0], stack, {k, column}));
        },
        "pack_panels")};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    const Packing p(call);
    Tensor y(in[0]->dtype(), p.shape());
    switch (y.dtype().bytes()) {
      case 1: p.copy<1>(in[0]->bytes(), y.bytes()); break;
      case 2: p.copy<2>(in[0]->bytes(), y.bytes()); break;
      case 4: p.copy<4>(in[0]->bytes(), y.bytes()); break;
      default: p.copy<8>(in[0]->bytes(), y.bytes()); break;
    }
    return std::vector{std::move(y)};
  };
  return op;
}

struct PanelProduct {
  Tensor::Shape stack;
  int64_t m, n, k, rows, width;

  explicit PanelProduct(const OperatorCall& call)
      : n(call.attributes.integer("columns")), rows(call.attributes.integer("rows")) {
    const Tensor::Shape &a = call.inputs[0].shape, &panels = call.inputs[1].shape;
    stack.assign(a.begin(), a.end() - 2);
    m = a[a.size() - 2];
    k = a.back();
    width = panels.back();
  }
  Tensor::Shape with_stack(std::initializer_list<int64_t> of_matrix) const {
    Tensor::Shape all = stack;
    all.insert(all.end(), of_matrix);
    return all;
  }
  Tensor::Shape panels() const { return with_stack({ceil_div(n, width), round_up(k, kPanelStep), width}); }
  Tensor::Shape shape() const { return with_stack({m, n}); }

  // Rows of a tile, a step of their depth behind each other: a tile reads one short run of memory, whatever the
  // distance of rows in a, and finds zeros for rows that there are not.
  te::Tensor define_pack(const te::Tensor& a) const {
    const size_t r = stack.size();
    return te::compute(
        sizes(with_stack({ceil_div(m, rows), ceil_div(k, kPanelStep), rows, kPanelStep})),
        [&](const std::vector<Var>& i) {
          const Expr row = i[r] * rows + i[r + 2], depth = i[r + 1] * kPanelStep + i[r + 3];
          std::vector<Expr> inside;
          if (m % rows != 0) inside.push_back(row < m);
          if (k % kPanelStep != 0) inside.push_back(depth < k);
          return or_zero(inside, element(a, front(i, r), {row, depth}));
        },
        "pack_rows");
  }

  te::Tensor define(const te::Tensor& a, const te::Tensor& b) const {
    const size_t r = stack.size();
    const te::Tensor packed = define_pack(a);
    const te::ReduceAxis depth = te::reduce_axis(round_up(k, kPanelStep), "k");
    const te::Tensor tile = te::compute(
        sizes(with_stack({ceil_div(m, rows), ceil_div(n, width), rows, width})),
        [&](const std::vector<Var>& i) {
          const auto of_stack = front(i, r);
          const Expr step = ir::floor_div(depth, kPanelStep), in_step = ir::floor_mod(depth, kPanelStep);
          return te::sum(element(packed, of_stack, {i[r], step, i[r + 2], in_step}) *
                             element(b, of_stack, {i[r + 1], depth, i[r + 3]}),
                         {depth});
        },
        "panel_tile");
    return te::compute(
        sizes(shape()),
        [&](const std::vector<Var>& i) {
          return element(tile, front(i, r),
                         {ir::floor_div(i[r], rows), ir::floor_div(i[r + 1], width), ir::floor_mod(i[r], rows),
                          ir::floor_mod(i[r + 1], width)});
        },
        "panel_matmul");
  }

  Tensor reference(const Tensor& a, const Tensor& b) const {
    Tensor y(a.dtype(), shape());
    const int64_t depth = round_up(k, kPanelStep), of_b = ceil_div(n, width) * depth * width;
    for (int64_t e = 0; e < y.size(); ++e) {
      const int64_t matrix = e / (m * n), row = e % (m * n) / n, column = e % n;
      double sum = 0;
      for (int64_t d = 0; d < k; ++d) {
        sum += a.number((matrix * m + row) * k + d) *
               b.number(matrix * of_b + (column / width * depth + d) * width + column % width);
      }
      y.set_number(e, sum);
    }
    return y;
  }
};

Operator panel_matmul() {
  Operator op;
  op.name = "panel_matmul";
  op.meaning = "products of matrices, stack by stack, the right ones in panels";
  op.inputs = {{"a", "[..., m, k]: matrices of floats"}, {"b", std::string(kPanels) + ": of pack_panels"}};
  op.attributes = {
      {.name = "columns", .meaning = "n", .standard = int64_t{1}, .is_required = true},
      {.name = "rows", .meaning = "of a, that are summed at a time", .standard = int64_t{1}, .is_required = true},
  };
  op.pattern = Pattern::kAnchor;
  op.schedule_rule = op.name;
  op.infer = [](const OperatorCall& call) {
    const TensorType &a = call.inputs[0], &b = call.inputs[1];
    require_matrices(a, "a");
    if (b.shape.size() != a.shape.size() + 1) fail("b is {}, expected {}", describe(b), kPanels);
    if (!a.dtype.is_float() || a.dtype != b.dtype) {
      fail("a is {} and b is {}, expected the same float", describe(a), describe(b));
    }
    const PanelProduct p(call);
    if (p.rows < 1 || p.n < 1) fail("rows is {} and columns is {}, expected at least 1", p.rows, p.n);
    const TensorType expected{b.dtype, p.panels()};
    if (expected != b) fail("b is {}, expected {} for a of {}", describe(b), describe(expected), describe(a));
    return std::vector{TensorType{a.dtype, p.shape()}};
  };
  op.define = [](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{PanelProduct(call).define(in[0], in[1])};
  };
  op.reference = [](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{PanelProduct(call).reference(*in[0], *in[1])};
  };
  return op;
}

}  // namespace

std::vector<Operator> panel_operators() {
  return {pack_panels(), panel_matmul()};
}

}  // namespace vantage::ops
