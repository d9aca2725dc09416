#include "base/error.h"
#include "compiler/ir/substitute.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

Var fuse(PrimFunc& function, const std::vector<Var>& vars) {
  if (vars.size() < 2) fail("fuse: expected at least two loops, got {}", vars.size());
  const Path path = path_to_loop(function, vars.front());
  ir::Analyzer analyzer = analyzer_for(function, path);
  std::vector<const For*> loops = {&loop_at(path)};
  for (size_t i = 1; i < vars.size(); ++i) {
    const auto* inner = loops.back()->body.as<For>();
    if (inner == nullptr || !inner->var.same_as(vars[i])) {
      fail("fuse: the loop {} does not stand directly inside {}; reorder first", vars[i].name(), vars[i - 1].name());
    }
    loops.push_back(inner);
  }
  std::string name;
  for (const For* loop : loops) {
    if (loop->loop != ir::ForKind::kSerial || !loop->annotations.empty()) {
      fail("fuse: the loop {} is bound or annotated; fuse it before", loop->var.name());
    }
    for (const For* outer : loops) {
      if (ir::uses_var(loop->extent, outer->var) || ir::uses_var(loop->min, outer->var)) {
        fail("fuse: the bounds of the loop {} move with {}", loop->var.name(), outer->var.name());
      }
    }
    name += loop->var.name() + "_";
  }
  Expr extent = ir::make_int(vars.front().dtype(), 1);
  for (const For* loop : loops) extent = extent * loop->extent;
  const Var fused(name + "fused", vars.front().dtype());
  extent = analyzer.simplify(extent);
  analyzer.bind(fused, {ir::make_zero(fused.dtype()), extent});

  ir::VarMap values;
  Expr rest = fused;
  for (size_t i = loops.size(); i-- > 0;) {
    const Expr digit = i == 0 ? rest : floor_mod(rest, loops[i]->extent);
    values[loops[i]->var.get()] = analyzer.simplify(loops[i]->min + digit);
    rest = floor_div(rest, loops[i]->extent);
  }
  const Stmt result = ir::loop(fused, extent, ir::substitute(loops.back()->body, values));
  replace(function, path.back(), simplify_bindings(result, analyzer));
  return fused;
}

}  // namespace vantage::schedule
