#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

// The extents of the new loops; what is not given is as much as the others leave.
std::vector<Expr> extents(const For& loop, const KnownFactors& factors, ir::Analyzer& analyzer) {
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
  const ir::DType type = loop.extent.dtype();
  std::vector<Expr> result;
  bool open = false;
  for (const auto& factor : factors) {
    open = open || !factor;
    result.push_back(factor ? ir::make_int(type, *factor)
                            : analyzer.simplify(ceil_div(loop.extent, ir::make_int(type, product))));
  }
  if (!open && !analyzer.prove(loop.extent <= ir::make_int(type, product))) {
    fail("split: the loop {} has {} iterations, its factors make {}; leave one open or make them larger", name,
         ir::to_text(loop.extent), product);
  }
  return result;
}

}  // namespace

std::vector<Var> split(PrimFunc& function, const Var& var, const KnownFactors& factors) {
  const Path path = path_to_loop(function, var);
  const For& loop = loop_at(path);
  if (loop.loop != ir::ForKind::kSerial || !loop.annotations.empty()) {
    fail("split: the loop {} is bound or annotated; split it before", var.name());
  }
  ir::Analyzer analyzer = analyzer_for(function, path);
  const std::vector<Expr> sizes = extents(loop, factors, analyzer);

  std::vector<Var> vars;
  Expr index = ir::make_zero(var.dtype());
  for (size_t i = 0; i < sizes.size(); ++i) {
    vars.emplace_back(fmt::format("{}_{}", var.name(), i), var.dtype());
    analyzer.bind(vars.back(), {ir::make_zero(var.dtype()), sizes[i]});
    index = index * sizes[i] + vars.back();
  }
  Stmt body = ir::substitute(loop.body, {{var.get(), analyzer.simplify(loop.min + index)}});
  const Expr inside = analyzer.simplify(index < loop.extent);
  if (!ir::is_int(inside, 1)) body = add_predicate(body, inside);
  for (size_t i = vars.size(); i-- > 0;) body = ir::loop(vars[i], sizes[i], body);
  replace(function, path.back(), simplify_bindings(body, analyzer));
  return vars;
}

}  // namespace vantage::schedule
