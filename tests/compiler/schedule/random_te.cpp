#include "tests/compiler/schedule/random_te.h"

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"

namespace vantage::test {

// Apart from what else stands in this namespace: here a tensor is an expression's, not the host's.
namespace random_te {

using namespace te;
using te::Tensor;

class Maker {
 public:
  explicit Maker(std::mt19937_64& random) : random_(random) {}

  ir::PrimFunc make() {
    const int64_t inputs = pick(1, 2);
    for (int64_t i = 0; i < inputs; ++i) add_placeholder(random_shape());
    const int64_t steps = pick(1, 4);
    for (int64_t i = 0; i < steps; ++i) add_compute();
    std::vector<std::variant<Tensor, Var>> args(placeholders_.begin(), placeholders_.end());
    args.emplace_back(tensors_.back());
    return create_prim_func(args, "f");
  }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }

  std::vector<Expr> random_shape() {
    std::vector<Expr> shape;
    const int64_t rank = pick(1, 3);
    for (int64_t d = 0; d < rank; ++d) shape.emplace_back(pick(1, 8));
    return shape;
  }

  Tensor add_placeholder(const std::vector<Expr>& shape) {
    placeholders_.push_back(placeholder(shape, kInt32, fmt::format("P{}", placeholders_.size())));
    tensors_.push_back(placeholders_.back());
    return tensors_.back();
  }

  // Mostly the one made last, so that chains form.
  Tensor any() {
    if (pick(0, 2) > 0) return tensors_.back();
    return tensors_[static_cast<size_t>(pick(0, static_cast<int64_t>(tensors_.size()) - 1))];
  }

  Tensor like(const Tensor& t) {
    for (const Tensor& other : tensors_) {
      bool same = other.rank() == t.rank() && pick(0, 1) == 0;
      for (size_t d = 0; same && d < t.rank(); ++d) {
        same = *ir::as_int(other.shape()[d]) == *ir::as_int(t.shape()[d]);
      }
      if (same) return other;
    }
    return add_placeholder(t.shape());
  }

  void add_compute() {
    const std::string name = fmt::format("T{}", tensors_.size());
    const Tensor x = any();
    const auto size = [&](size_t d) { return *ir::as_int(x.shape()[d]); };
    using Axes = std::vector<Var>;
    const auto exprs = [](const Axes& axes) { return std::vector<Expr>(axes.begin(), axes.end()); };
    switch (pick(0, 9)) {
      case 0: {  // two tensors, element by element
        const Tensor y = like(x);
        const int64_t op = pick(0, 3);
        tensors_.push_back(compute(
            x.shape(),
            [&](const Axes& axes) -> Body {
              const Expr a = x.at(exprs(axes)), b = y.at(exprs(axes));
              if (op == 0) return a + b;
              if (op == 1) return a * b;
              if (op == 2) return max(a, b);
              return if_then_else(a < b, a - b, b);
            },
            name));
        return;
      }
      case 1:  // one tensor
        tensors_.push_back(compute(
            x.shape(),
            [&](const Axes& axes) -> Body { return clip((x.at(exprs(axes)) >> 1) + 3, -1000, 1000) + axes[0]; }, name));
        return;
      case 2: {  // zeros around the last dimension
        std::vector<Expr> shape = x.shape();
        const int64_t n = size(x.rank() - 1);
        shape.back() = n + 2;
        tensors_.push_back(compute(
            shape,
            [&](const Axes& axes) -> Body {
              std::vector<Expr> index = exprs(axes);
              const Expr last = index.back();
              index.back() = last - 1;
              return if_then_else(last >= 1 && last < n + 1, x.at(index), 0);
            },
            name));
        return;
      }
      case 3: {  // a window along the last dimension
        const int64_t n = size(x.rank() - 1), window = pick(1, n), stride = pick(1, 2);
        const ReduceAxis r = reduce_axis(window, "r");
        const bool starts = pick(0, 2) == 0;  // from an element
        std::vector<Expr> shape = x.shape();
        shape.back() = (n - window) / stride + 1;
        tensors_.push_back(compute(
            shape,
            [&](const Axes& axes) -> Body {
              std::vector<Expr> index = exprs(axes);
              index.back() = index.back() * stride + r;
              const Expr first = x.at(exprs(axes));
              return starts ? starting_from(first, sum(x.at(index), {r})) : sum(x.at(index), {r});
            },
            name));
        return;
      }
      case 4: {  // one dimension folded
        const ReduceAxis r = reduce_axis(x.shape().back(), "r");
        std::vector<Expr> shape(x.shape().begin(), x.shape().end() - 1);
        if (shape.empty()) shape.emplace_back(1);
        const bool whole = x.rank() == 1;
        const bool is_max = pick(0, 1) == 0, starts = pick(0, 2) == 0;
        tensors_.push_back(compute(
            shape,
            [&](const Axes& axes) -> Body {
              std::vector<Expr> index = whole ? std::vector<Expr>() : exprs(axes);
              index.push_back(r);
              const Reduction all = is_max ? max(x.at(index), {r}) : sum(x.at(index), {r});
              return starts ? starting_from(ir::make_const(x.dtype(), 3), all) : all;
            },
            name));
        return;
      }
      case 5: {  // dimensions turned around
        std::vector<Expr> shape(x.shape().rbegin(), x.shape().rend());
        tensors_.push_back(compute(
            shape, [&](const Axes& axes) -> Body { return x.at(std::vector<Expr>(axes.rbegin(), axes.rend())); },
            name));
        return;
      }
      case 6:
        if (x.rank() != 2) return add_compute();
        return add_scan(x, name);
      case 7: {  // neighbours in any dimension
        const auto d = static_cast<size_t>(pick(0, static_cast<int64_t>(x.rank()) - 1));
        const int64_t away = pick(1, 3);
        if (size(d) <= away) return add_compute();
        std::vector<Expr> shape = x.shape();
        shape[d] = size(d) - away;
        tensors_.push_back(compute(
            shape,
            [&](const Axes& axes) -> Body {
              std::vector<Expr> index = exprs(axes);
              index[d] = index[d] + away;
              return x.at(exprs(axes)) * 2 - x.at(index);
            },
            name));
        return;
      }
      case 8: {  // behind the first dimension, slices of it that another tensor names
        const int64_t n = size(0), picked = pick(1, 4);
        const Tensor places = add_placeholder({picked});
        std::vector<Expr> shape = x.shape();
        shape[0] = n + picked;
        tensors_.push_back(compute(
            shape,
            [&](const Axes& axes) -> Body {
              const std::vector<Expr> index = exprs(axes);
              std::vector<Expr> slice = index;
              slice[0] = floor_mod(places(index[0] - n), n);
              return if_then_else(index[0] < n, x.at(index), x.at(slice));
            },
            name));
        return;
      }
      default: {  // a matrix product with a new tensor
        if (x.rank() != 2) return add_compute();
        const int64_t columns = pick(1, 6);
        const Tensor y = add_placeholder({x.shape()[1], columns});
        const ReduceAxis k = reduce_axis(x.shape()[1], "k");
        const bool starts = pick(0, 2) == 0;  // from a bias
        const Tensor bias = starts ? add_placeholder({columns}) : y;
        tensors_.push_back(compute(
            {x.shape()[0], columns},
            [&](Expr i, Expr j) {
              Reduction all = sum(x(i, k) * y(k, j), {k});
              return starts ? starting_from(bias(j), std::move(all)) : all;
            },
            name));
        return;
      }
    }
  }

  // A recurrence along the first dimension.
  void add_scan(const Tensor& x, const std::string& name) {
    const Expr rows = x.shape()[0], columns = x.shape()[1];
    const std::vector<Expr> shape = {rows, columns};
    const int64_t lag = pick(1, std::min<int64_t>(2, *ir::as_int(rows)));  // steps that one looks back
    const auto state = [&](const char* suffix) { return placeholder(shape, kInt32, name + suffix); };
    const auto init = [&](const char* suffix) {
      return compute(
          {lag, columns}, [&](Expr t, Expr j) { return x(t, j); }, name + suffix);
    };
    const auto step = [&](const char* suffix, const std::function<Body(Expr, Expr)>& body) {
      return compute(
          shape, [&](Expr t, Expr j) -> Body { return body(t, j); }, name + suffix);
    };
    const Tensor old = state("_state");
    const ReduceAxis k = reduce_axis(columns, "k");
    Tensor update;
    switch (pick(0, 5)) {
      case 0:  // element by element
        update = step("_update", [&](const Expr& t, const Expr& j) { return old(t - lag, j) - x(t, j); });
        break;
      case 1: {  // through a matrix
        const Tensor y = add_placeholder({columns, columns});
        update =
            step("_update", [&](const Expr& t, const Expr& j) { return sum(old(t - 1, k) * y(k, j) + x(t, k), {k}); });
        break;
      }
      case 2:  // from neighbours
        update = step("_update", [&](const Expr& t, const Expr& j) {
          return old(t - lag, if_then_else(j > 0, j - 1, 0)) + old(t - 1, j);
        });
        break;
      case 3: {  // by way of another tensor of the step
        const Tensor half = step("_half", [&](const Expr& t, const Expr& j) { return old(t - 1, j) * 2 + x(t, j); });
        update = step("_update", [&](const Expr& t, const Expr& j) { return half(t, j) - half(t, columns - 1 - j); });
        break;
      }
      case 4: {  // by way of a sum of the step
        const Tensor total = compute(
            {rows}, [&](Expr t) { return sum(old(t - 1, k), {k}); }, name + "_total");
        update =
            step("_update", [&](const Expr& t, const Expr& j) { return max(total(t), old(t - lag, j)) + x(t, j); });
        break;
      }
      default: {  // two together
        const Tensor other = state("_other");
        update = step("_update", [&](const Expr& t, const Expr& j) { return other(t - 1, j) - x(t, j); });
        const Tensor second =
            step("_second", [&](const Expr& t, const Expr& j) { return old(t - lag, j) + other(t - 1, j); });
        for (const Tensor& made : scan({init("_init"), init("_first")}, {update, second}, {old, other}, name)) {
          tensors_.push_back(made);
        }
        return;
      }
    }
    tensors_.push_back(scan(init("_init"), update, old, name));
  }

  std::mt19937_64& random_;
  std::vector<Tensor> placeholders_, tensors_;
};

}  // namespace random_te

ir::PrimFunc random_te_function(std::mt19937_64& random) {
  return random_te::Maker(random).make();
}

std::vector<Tensor> random_arrays(const ir::PrimFunc& function, std::mt19937_64& random) {
  std::vector<Tensor> arrays;
  for (const ir::Buffer& buffer : function.buffers()) {
    std::vector<int64_t> shape;
    for (const ir::Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
    arrays.emplace_back(buffer->dtype, shape);
    fill(arrays.back(), random, std::max<int64_t>(buffer->dtype.min_int(), -20),
         std::min<int64_t>(buffer->dtype.max_int(), 20));
  }
  return arrays;
}

std::vector<Tensor> run(const ir::PrimFunc& function, std::vector<Tensor> arrays,
                        const ir::InterpreterOptions& options) {
  std::vector<ir::Argument> arguments;
  for (Tensor& array : arrays) arguments.emplace_back(&array);
  ir::interpret(function, arguments, options);
  return arrays;
}

std::string first_difference(const ir::PrimFunc& function, const std::vector<Tensor>& expected,
                             const std::vector<Tensor>& got) {
  const auto buffers = function.buffers();
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (const auto text = vantage::difference(expected[i], got[i])) return buffers[i]->name + ": " + *text;
  }
  return {};
}

}  // namespace vantage::test
