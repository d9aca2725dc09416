#include <algorithm>

#include "compiler/schedule/primitives.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/substitute.h"
#include "hw/spec/error.h"

namespace vantage::schedule {

namespace {

// The extents of the new loops; what is not given is as much as the others leave.
std::vector<Expr> extents(const For& loop, const Factors& factors, tir::Analyzer& analyzer) {
  const std::string& name = loop.var.name();
  if (factors.size() < 2) fail("split: the loop {} needs at least two factors, got {}", name, factors.size());
  if (std::count(factors.begin(), factors.end(), std::nullopt) > 1) {
    fail("split: the loop {} can have one factor left open, not several", name);
  }
  int64_t product = 1;
  for (const auto& factor : factors) {
    if (!factor) continue;
    if (*factor < 1) fail("split: the loop {} has the factor {}, expected at least 1", name, *factor);
    product *= *factor;
  }
  const tir::DType type = loop.extent.dtype();
  std::vector<Expr> result;
  bool open = false;
  for (const auto& factor : factors) {
    open = open || !factor;
    result.push_back(factor ? tir::make_int(type, *factor)
                            : analyzer.simplify(ceil_div(loop.extent, tir::make_int(type, product))));
  }
  if (!open && !analyzer.prove(loop.extent <= tir::make_int(type, product))) {
    fail("split: the loop {} has {} iterations, its factors make {}; leave one open or make them larger", name,
         tir::to_text(loop.extent), product);
  }
  return result;
}

}  // namespace

std::vector<Var> split(PrimFunc& function, const Var& var, const Factors& factors) {
  const Path path = path_to_loop(function, var);
  const For& loop = loop_at(path);
  if (loop.loop != tir::ForKind::kSerial || !loop.annotations.empty()) {
    fail("split: the loop {} is bound or annotated; split it before", var.name());
  }
  tir::Analyzer analyzer = analyzer_for(function, path);
  const std::vector<Expr> sizes = extents(loop, factors, analyzer);

  std::vector<Var> vars;
  Expr index = tir::make_zero(var.dtype());
  for (size_t i = 0; i < sizes.size(); ++i) {
    vars.emplace_back(fmt::format("{}_{}", var.name(), i), var.dtype());
    analyzer.bind(vars.back(), {tir::make_zero(var.dtype()), sizes[i]});
    index = index * sizes[i] + vars.back();
  }
  Stmt body = tir::substitute(loop.body, {{var.get(), analyzer.simplify(loop.min + index)}});
  const Expr inside = analyzer.simplify(index < loop.extent);
  if (!tir::is_int(inside, 1)) body = add_predicate(body, inside);
  for (size_t i = vars.size(); i-- > 0;) body = tir::loop(vars[i], sizes[i], body);
  replace(function, path.back(), simplify_bindings(body, analyzer));
  return vars;
}

}  // namespace vantage::schedule
