#include "tests/compiler/schedule/random_intrinsic.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/te/te.h"

namespace vantage::test {

using namespace te;
using schedule::instruction;
using schedule::Operands;
using te::Tensor;  // not the host's

namespace {

using Reducer = Formula::Reducer;

int64_t pick(std::mt19937_64& random, int64_t from, int64_t to) {
  return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
}

template <typename T>
const T& one_of(const std::vector<T>& choices, std::mt19937_64& random) {
  return choices[static_cast<size_t>(pick(random, 0, static_cast<int64_t>(choices.size()) - 1))];
}

// Elements of a view in order, whatever its rank.
std::vector<std::vector<int64_t>> indices_of(const ir::ExternView& view) {
  std::vector<std::vector<int64_t>> result = {{}};
  for (const int64_t extent : view.extents()) {
    std::vector<std::vector<int64_t>> longer;
    for (const auto& index : result) {
      for (int64_t i = 0; i < extent; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    }
    result = std::move(longer);
  }
  return result;
}

vantage::Tensor made_for(const ir::Buffer& buffer) {
  std::vector<int64_t> shape;
  for (const Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
  return {buffer->dtype, shape};
}

// C from A and B, views 1 and 2 of the call.
vantage::Tensor computed(const ir::PrimFunc& function, const ir::ExternCall& call) {
  std::vector<vantage::Tensor> arrays;
  for (const ir::Buffer& buffer : function.buffers()) arrays.push_back(made_for(buffer));
  for (size_t input = 0; input < 2; ++input) {
    int64_t element = 0;
    for (const auto& index : indices_of(call.view(input + 1))) {
      arrays[input].set(element++, call.view(input + 1).get(index));
    }
  }
  ir::interpret(function, {&arrays[0], &arrays[1], &arrays[2]});
  return arrays[2];
}

template <typename T>
T combined(Reducer reducer, T a, T b) {
  switch (reducer) {
    case Reducer::kSum:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
      return a + b;
    case Reducer::kMin: return std::min(a, b);
    case Reducer::kMax: return std::max(a, b);
    case Reducer::kNone: break;
  }
  return b;
}

Expr identity(const Formula& f) {
  switch (f.reducer) {
    case Reducer::kMin: return ir::max_value(f.dtype);
    case Reducer::kMax: return ir::min_value(f.dtype);
    case Reducer::kSum:
    case Reducer::kNone: break;
  }
  return ir::make_zero(f.dtype);
}

}  // namespace

Formula random_formula(std::mt19937_64& random) {
  Formula f;
  f.reducer = static_cast<Reducer>(pick(random, 0, 3));
  const int64_t outputs = pick(random, 1, 2), folds = f.reducer == Reducer::kNone ? 0 : pick(random, 1, 2);
  for (int64_t i = 0; i < outputs; ++i) f.spatial.push_back(pick(random, 1, 3));
  for (int64_t i = 0; i < folds; ++i) f.reduce.push_back(pick(random, 1, 3));
  f.dtype = one_of<DType>({kInt32, kInt64, kFloat32}, random);
  f.op = static_cast<int>(pick(random, 0, 3));
  const size_t axes = f.spatial.size() + f.reduce.size();
  for (Formula::Input& input : f.inputs) {
    input.dtype = one_of<DType>({kInt8, kInt16, f.dtype}, random);
    std::vector<size_t> order;
    for (size_t i = 0; i < axes; ++i) order.push_back(i);
    std::shuffle(order.begin(), order.end(), random);
    order.resize(static_cast<size_t>(pick(random, 1, static_cast<int64_t>(axes))));
    for (const size_t axis : order) {
      const bool window = !input.indices.empty() && pick(random, 0, 3) == 0;
      window ? input.indices.back().push_back(axis) : input.indices.push_back({axis});
    }
  }
  return f;
}

Formula larger(const Formula& formula, std::mt19937_64& random) {
  Formula f = formula;
  for (int64_t& extent : f.spatial) extent *= pick(random, 1, 3);
  for (int64_t& extent : f.reduce) extent *= pick(random, 1, 3);
  if (pick(random, 0, 2) == 0) f.batch = pick(random, 1, 3);
  if (f.reducer != Reducer::kNone && pick(random, 0, 2) == 0) f.depth = pick(random, 1, 3);
  for (Formula::Input& input : f.inputs) {
    input.batched = f.batch > 0 && pick(random, 0, 1) == 0;
    input.deep = f.depth > 0 && pick(random, 0, 1) == 0;
  }
  return f;
}

Formula altered(const Formula& formula, std::mt19937_64& random) {
  Formula f = formula;
  Formula::Input& input = f.inputs[static_cast<size_t>(pick(random, 0, 1))];
  switch (pick(random, 0, 3)) {
    case 0: f.op = (f.op + 1) % 4; break;
    case 1: input.dtype = input.dtype == kInt8 ? kInt16 : kInt8; break;
    case 2:
      if (f.reducer != Reducer::kNone) f.reducer = static_cast<Reducer>(pick(random, 1, 3));
      break;
    default: std::reverse(input.indices.begin(), input.indices.end());
  }
  return f;
}

ir::PrimFunc to_function(const Formula& f) {
  std::vector<int64_t> extents = f.spatial;
  extents.insert(extents.end(), f.reduce.begin(), f.reduce.end());
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < 2; ++i) {
    std::vector<Expr> shape;
    if (f.inputs[i].batched) shape.emplace_back(f.batch);
    if (f.inputs[i].deep) shape.emplace_back(f.depth);
    for (const auto& axes : f.inputs[i].indices) {
      int64_t size = 1;
      for (const size_t axis : axes) size += extents[axis] - 1;
      shape.emplace_back(size);
    }
    inputs.push_back(placeholder(shape, f.inputs[i].dtype, i == 0 ? "A" : "B"));
  }
  std::vector<Expr> shape;
  if (f.batch > 0) shape.emplace_back(f.batch);
  for (const int64_t extent : f.spatial) shape.emplace_back(extent);
  std::vector<ReduceAxis> reduce;
  if (f.depth > 0) reduce.push_back(reduce_axis(f.depth, "d"));
  for (size_t i = 0; i < f.reduce.size(); ++i) reduce.push_back(reduce_axis(f.reduce[i], fmt::format("r{}", i)));
  const auto body = [&](const std::vector<Var>& outputs) -> Body {
    std::vector<Expr> axes(outputs.begin() + (f.batch > 0 ? 1 : 0), outputs.end());
    for (size_t i = f.depth > 0 ? 1 : 0; i < reduce.size(); ++i) axes.emplace_back(reduce[i].var);
    const auto value = [&](size_t i) {
      std::vector<Expr> index;
      if (f.inputs[i].batched) index.emplace_back(outputs[0]);
      if (f.inputs[i].deep) index.emplace_back(reduce[0].var);
      for (const auto& summed : f.inputs[i].indices) {
        Expr sum = axes[summed[0]];
        for (size_t s = 1; s < summed.size(); ++s) sum = sum + axes[summed[s]];
        index.push_back(sum);
      }
      return cast(f.dtype, inputs[i].at(index));
    };
    const Expr a = value(0), b = value(1);
    const Expr result = f.op == 0 ? a + b : f.op == 1 ? a * b : f.op == 2 ? max(a, b) : if_then_else(a < b, a, b + a);
    switch (f.reducer) {
      case Reducer::kSum: return sum(result, reduce);
      case Reducer::kMin: return min(result, reduce);
      case Reducer::kMax: return max(result, reduce);
      case Reducer::kNone: break;
    }
    return result;
  };
  return create_prim_func({inputs[0], inputs[1], compute(shape, body, "C")}, "formula");
}

schedule::Externs device(const Formula& f) {
  const ir::PrimFunc function = to_function(f);
  schedule::Externs externs;
  const auto put = [](const ir::ExternView& view,
                      const std::function<Scalar(int64_t, std::span<const int64_t>)>& value) {
    int64_t element = 0;
    for (const auto& index : indices_of(view)) view.set(index, value(element++, index));
  };
  externs["dev.compute"] = [=](ir::ExternCall& call) {
    const vantage::Tensor made = computed(function, call);
    put(call.view(0), [&](int64_t element, auto) { return made.get(element); });
  };
  externs["dev.reset"] = [=](ir::ExternCall& call) {
    vantage::Tensor start(f.dtype, {1});
    const Expr value = identity(f);
    f.dtype.is_float() ? start.set_number(0, value.as<ir::FloatImm>()->value)
                       : start.set_integer(0, *ir::as_int(value));
    put(call.view(0), [&](int64_t, auto) { return start.get(0); });
  };
  externs["dev.update"] = [=](ir::ExternCall& call) {
    vantage::Tensor made = computed(function, call);
    put(call.view(0), [&](int64_t element, std::span<const int64_t> index) {
      vantage::Tensor old(f.dtype, {1});
      old.set(0, call.view(0).get(index));
      if (f.dtype.is_float()) {
        made.set_number(element, combined(f.reducer, old.number(0), made.number(element)));
      } else {
        made.set_integer(element, combined(f.reducer, old.integer(0), made.integer(element)));
      }
      return made.get(element);
    });
  };
  return externs;
}

schedule::Intrinsic device_intrinsic(const Formula& f, const DeviceParts& parts) {
  schedule::Implementations made;
  if (parts.compute) {
    made.compute = [](const Operands& o) {
      return instruction("dev.compute", {o.write("C"), o.read("A"), o.read("B")});
    };
  }
  if (parts.reset) made.reset = [](const Operands& o) { return instruction("dev.reset", {o.write("C")}); };
  if (parts.update) {
    made.update = [](const Operands& o) {
      return instruction("dev.update", {o.update("C"), o.read("A"), o.read("B")});
    };
  }
  return {"dev.op", to_function(f), made, device(f)};
}

}  // namespace vantage::test
