#include "compiler/te/reduction.h"

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"

namespace vantage::te {

using ir::BinaryOp;
using ir::DType;
using ir::Expr;
using ir::Var;

namespace {

ir::ReducerPtr make_reducer(std::string name, const std::vector<DType>& dtypes, const Combine& combine,
                            const Identity& identity) {
  ir::Reducer reducer;
  reducer.name = std::move(name);
  Values lhs, rhs;
  for (size_t i = 0; i < dtypes.size(); ++i) {
    reducer.lhs.emplace_back(fmt::format("x{}", i), dtypes[i]);
    reducer.rhs.emplace_back(fmt::format("y{}", i), dtypes[i]);
    lhs.push_back(reducer.lhs.back());
    rhs.push_back(reducer.rhs.back());
  }
  reducer.result = combine(lhs, rhs);
  reducer.identity = identity(dtypes);
  const auto check = [&](const Values& values, const char* what) {
    if (values.size() != dtypes.size()) {
      fail("the {} of the reducer {} has {} values, expected {}", what, reducer.name, values.size(), dtypes.size());
    }
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].dtype() == dtypes[i]) continue;
      fail("the {} of the reducer {} makes '{}' of type {}, expected {}", what, reducer.name, ir::to_text(values[i]),
           ir::name(values[i].dtype()), ir::name(dtypes[i]));
    }
  };
  check(reducer.result, "combination");
  check(reducer.identity, "identity");
  return std::make_shared<const ir::Reducer>(std::move(reducer));
}

Reduction reduce(ir::ReducerPtr reducer, Values values, std::vector<ReduceAxis> axes, Expr condition) {
  if (axes.empty()) fail("the reduction {} has no axis to run over; give it a reduce_axis", reducer->name);
  if (condition.defined() && !condition.dtype().is_bool()) {
    fail("the condition '{}' of the reduction {} is of type {}, expected bool", ir::to_text(condition), reducer->name,
         ir::name(condition.dtype()));
  }
  return {std::move(reducer), std::move(values), std::move(axes), std::move(condition), {}};
}

Reduction fold(const char* name, BinaryOp op, Expr (*identity)(DType), Expr value, std::vector<ReduceAxis> axes,
               Expr condition) {
  const auto reducer = make_reducer(
      name, {value.dtype()}, [&](const Values& x, const Values& y) { return Values{make_binary(op, x[0], y[0])}; },
      [&](const std::vector<DType>& dtypes) { return Values{identity(dtypes[0])}; });
  return reduce(reducer, {std::move(value)}, std::move(axes), std::move(condition));
}

}  // namespace

ReduceAxis reduce_axis(Expr extent, std::string name) {
  const Expr zero = ir::make_int(extent.dtype().is_signed() ? extent.dtype() : ir::kIndex, 0);
  return reduce_axis(ir::Range{zero, std::move(extent)}, std::move(name));
}

ReduceAxis reduce_axis(ir::Range domain, std::string name) {
  if (!ir::is_identifier(name)) fail("'{}' cannot name a reduce axis; use letters, digits and underscores", name);
  for (const Expr& bound : {domain.min, domain.extent}) {
    if (!bound.dtype().is_signed()) {
      fail("the reduce axis {} is bounded by '{}' of type {}, expected an integer", name, ir::to_text(bound),
           ir::name(bound.dtype()));
    }
  }
  if (const int64_t* extent = ir::as_int(domain.extent); extent != nullptr && *extent < 1) {
    fail("the reduce axis {} has {} iterations, expected at least 1", name, *extent);
  }
  return {Var(std::move(name), domain.extent.dtype()), std::move(domain)};
}

Reduction sum(Expr value, std::vector<ReduceAxis> axes, Expr condition) {
  return fold("sum", BinaryOp::kAdd, ir::make_zero, std::move(value), std::move(axes), std::move(condition));
}

Reduction product(Expr value, std::vector<ReduceAxis> axes, Expr condition) {
  const auto one = [](DType dtype) { return ir::make_const(dtype, 1); };
  return fold("product", BinaryOp::kMul, one, std::move(value), std::move(axes), std::move(condition));
}

Reduction min(Expr value, std::vector<ReduceAxis> axes, Expr condition) {
  return fold("min", BinaryOp::kMin, ir::max_value, std::move(value), std::move(axes), std::move(condition));
}

Reduction max(Expr value, std::vector<ReduceAxis> axes, Expr condition) {
  return fold("max", BinaryOp::kMax, ir::min_value, std::move(value), std::move(axes), std::move(condition));
}

Reduction starting_from(Expr initial, Reduction reduction) {
  const std::string& name = reduction.reducer->name;
  if (reduction.values.size() != 1) {
    fail("the reduction {} folds {} values; only one of one value can start from another", name,
         reduction.values.size());
  }
  if (initial.dtype() != reduction.values[0].dtype()) {
    fail("the reduction {} starts from '{}' of type {}, expected {}", name, ir::to_text(initial),
         ir::name(initial.dtype()), ir::name(reduction.values[0].dtype()));
  }
  for (const ReduceAxis& axis : reduction.axes) {
    if (!ir::uses_var(initial, axis.var)) continue;
    fail("the reduction {} starts from '{}', which names its axis {}; there is one initial value for all of it", name,
         ir::to_text(initial), axis.var.name());
  }
  reduction.initial = {std::move(initial)};
  return reduction;
}

std::function<Reduction(Values, std::vector<ReduceAxis>)> comm_reducer(Combine combine, Identity identity,
                                                                       std::string name) {
  return [=](Values values, std::vector<ReduceAxis> axes) {
    std::vector<DType> dtypes;
    for (const Expr& value : values) dtypes.push_back(value.dtype());
    return reduce(make_reducer(name, dtypes, combine, identity), std::move(values), std::move(axes), {});
  };
}

}  // namespace vantage::te
