#include "compiler/ops/matmul/matmul.h"

#include "base/error.h"
#include "compiler/ops/broadcast.h"
#include "compiler/ops/products.h"
#include "compiler/ops/sizes.h"
#include "compiler/ops/wrapping.h"

namespace vantage::ops {

namespace {

using te::Expr;
using te::ReduceAxis;
using te::Var;

// A stack of matrices as they stand in a product.
struct Matrices {
  Tensor::Shape stack;
  int64_t rows, columns;
  bool transposed;

  Matrices(const TensorType& type, bool is_transposed, std::string_view name) : transposed(is_transposed) {
    if (type.shape.size() < 2) fail("{} is {}, expected matrices: two axes or more", name, describe(type));
    stack.assign(type.shape.begin(), type.shape.end() - 2);
    rows = type.shape[type.shape.size() - (transposed ? 1 : 2)];
    columns = type.shape[type.shape.size() - (transposed ? 2 : 1)];
  }
  // The index of an element, before transposition, in the stack of all.
  std::vector<Expr> index(const std::vector<Expr>& of_stack, const Expr& row, const Expr& column) const {
    std::vector<Expr> at;
    for (size_t d = 0; d < stack.size(); ++d) {
      at.push_back(stack[d] == 1 ? Expr(0) : of_stack[of_stack.size() - stack.size() + d]);
    }
    at.push_back(transposed ? column : row);
    at.push_back(transposed ? row : column);
    return at;
  }
  int64_t element(const Tensor::Shape& of_stack, int64_t row, int64_t column) const {
    const int64_t matrix = broadcast_element(stack, of_stack);
    return matrix * rows * columns + (transposed ? column * rows + row : row * columns + column);
  }
};

// a by b, to which a bias may be added.
struct Product {
  Matrices a, b;
  DType sums;
  Tensor::Shape stack, shape;

  Product(const OperatorCall& call, bool transpose_a, bool transpose_b, std::string_view name_a,
          std::string_view name_b)
      : a(call.inputs[0], transpose_a, name_a),
        b(call.inputs[1], transpose_b, name_b),
        sums(sums_type(call.attributes, call.inputs[0], call.inputs[1])),
        stack(broadcast(a.stack, b.stack)),
        shape(stack) {
    if (a.columns != b.rows) {
      fail("{} is {} and {} is {}: {} columns face {} rows, expected as many", name_a, describe(call.inputs[0]), name_b,
           describe(call.inputs[1]), a.columns, b.rows);
    }
    shape.insert(shape.end(), {a.rows, b.columns});
  }

  te::Tensor define(const std::vector<te::Tensor>& in, const std::string& name) const {
    const ReduceAxis k = te::reduce_axis(a.columns, "k");
    const te::Tensor product = te::compute(
        sizes(shape),
        [&](const std::vector<Var>& i) {
          const std::vector<Expr> at(i.begin(), i.end() - 2);
          const Expr row = i[i.size() - 2], column = i[i.size() - 1];
          return te::sum(
              ir::cast(sums, in[0].at(a.index(at, row, k))) * ir::cast(sums, in[1].at(b.index(at, k, column))), {k});
        },
        name);
    return in.size() < 3 ? product : (product + in[2]).named("bias_add");
  }

  Tensor reference(const std::vector<const Tensor*>& in) const {
    Tensor y(sums, shape);
    const int64_t matrix = a.rows * b.columns;
    for (int64_t e = 0; e < y.size(); ++e) {
      Tensor::Shape at = y.index_of(e);
      at.resize(stack.size());
      const int64_t row = e % matrix / b.columns, column = e % b.columns;
      double number = in.size() < 3 ? 0 : in[2]->number(column);
      int64_t integer = in.size() < 3 || sums.is_float() ? 0 : in[2]->integer(column);
      for (int64_t k = 0; k < a.columns; ++k) {
        const int64_t at_a = a.element(at, row, k), at_b = b.element(at, k, column);
        if (sums.is_float()) {
          number += in[0]->number(at_a) * in[1]->number(at_b);
        } else {
          integer = wrapping_sum(integer, wrapping_product(in[0]->integer(at_a), in[1]->integer(at_b)));
        }
      }
      if (sums.is_float()) {
        y.set_number(e, number);
      } else {
        y.set_integer(e, wrap(sums, integer));
      }
    }
    return y;
  }
};

Operator product_operator(std::string name, std::string meaning,
                          const std::function<Product(const OperatorCall&)>& product) {
  Operator op;
  op.name = std::move(name);
  op.meaning = std::move(meaning);
  op.pattern = Pattern::kAnchor;
  op.infer = [product](const OperatorCall& call) {
    const Product p = product(call);
    if (call.inputs.size() > 2) require_bias(call.inputs[2], p.b.columns, p.sums);
    return std::vector{TensorType{p.sums, p.shape}};
  };
  op.define = [product, name = op.name](const OperatorCall& call, const std::vector<te::Tensor>& in) {
    return std::vector{product(call).define(in, name)};
  };
  op.reference = [product](const OperatorCall& call, const std::vector<const Tensor*>& in) {
    return std::vector{product(call).reference(in)};
  };
  return op;
}

}  // namespace

std::vector<Operator> matmul_operators() {
  Operator dense =
      product_operator("dense", "x times the transposed weights, and a bias", [](const OperatorCall& call) {
        require_rank(call.inputs[1], 2, "weight", "[outputs, inputs]");
        return Product(call, false, true, "x", "weight");
      });
  dense.inputs = {{"x", "[..., m, inputs]"},
                  {"weight", "[outputs, inputs]"},
                  {"bias", "[outputs]: what is added", OperatorInput::Count::kOptional}};
  dense.attributes = {sums_field()};
  Operator matmul = product_operator("matmul", "products of matrices, stack by stack", [](const OperatorCall& call) {
    return Product(call, call.attributes.flag("transpose_a"), call.attributes.flag("transpose_b"), "a", "b");
  });
  matmul.inputs = {{"a", "[..., m, k]: matrices"}, {"b", "[..., k, n]: matrices, whose stack repeats along a's"}};
  matmul.attributes = {
      {"transpose_a", "a is [..., k, m]", false}, {"transpose_b", "b is [..., n, k]", false}, sums_field()};
  return {std::move(dense), std::move(matmul)};
}

}  // namespace vantage::ops
