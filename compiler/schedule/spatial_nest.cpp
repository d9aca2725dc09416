#include "compiler/schedule/spatial_nest.h"

#include <fmt/format.h>

namespace vantage::schedule {

Stmt spatial_nest(const std::string& name, const std::vector<Expr>& shape,
                  const std::function<Stmt(const std::vector<Expr>&)>& body) {
  Block block;
  block.name = name;
  std::vector<Var> loops;
  std::vector<Expr> indices;
  for (size_t d = 0; d < shape.size(); ++d) {
    const ir::DType type = shape[d].dtype();
    loops.emplace_back(fmt::format("ax{}", d), type);
    const Var axis(fmt::format("v{}", d), type);
    block.axes.push_back({axis, {ir::make_zero(type), shape[d]}, ir::AxisKind::kSpatial});
    block.bindings.push_back(loops.back());
    indices.push_back(axis);
  }
  block.body = body(indices);
  Stmt nest = make_stmt(std::move(block));
  for (size_t d = loops.size(); d-- > 0;) nest = ir::loop(loops[d], shape[d], nest);
  return nest;
}

}  // namespace vantage::schedule
