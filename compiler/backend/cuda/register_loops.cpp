#include "compiler/backend/cuda/register_loops.h"

#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// A longer loop is not written out for the sake of what it indexes: it would not fit the registers either.
constexpr int64_t kMostRegisters = 256;

bool in_registers(const Buffer& buffer) {
  return is_local(buffer->scope) || is_of_warps(buffer->scope);
}

}  // namespace

bool picks_registers(const For& loop) {
  struct Search final : Visitor {
    using Visitor::visit;
    const Var* var = nullptr;
    bool found = false;
    void look(const Buffer& buffer, const std::vector<Expr>& indices) {
      if (!in_registers(buffer)) return;
      for (const Expr& index : indices) found = found || uses_var(index, *var);
    }
    void visit_view(const View& node) override {
      for (const Range& range : node.box) look(node.buffer, {range.min});
      Visitor::visit_view(node);
    }
    void visit_load(const Load& node) override {
      look(node.buffer, node.indices);
      Visitor::visit_load(node);
    }
    void visit_store(const Store& node) override {
      look(node.buffer, node.indices);
      Visitor::visit_store(node);
    }
  } search;
  search.var = &loop.var;
  const int64_t* extent = as_int(loop.extent);
  if (extent == nullptr || *extent > kMostRegisters) return false;
  search.visit(loop.body);
  return search.found;
}

}  // namespace vantage::cuda
