#include "compiler/backend/cuda/plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "compiler/backend/cuda/box_copy.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// Of tensors that boxes are copied of, as cuTensorMapEncodeTiled has it.
constexpr size_t kMostMapDimensions = 5;

class FreeVariables final : public Visitor {
 public:
  using Visitor::visit;
  std::vector<std::string> names;  // each once

 protected:
  void visit_var(const VarNode& node) override {
    if (std::find(names.begin(), names.end(), node.name) == names.end()) names.push_back(node.name);
  }
};

class Planner {
 public:
  Planner(const Module& module, VarMap values) : module_(module), values_(std::move(values)) {}

  Plan plan() {
    for (const Buffer& buffer : module_.host.allocations) add(buffer);
    if (module_.host.body) visit(module_.host.body);
    return std::move(plan_);
  }

 private:
  Expr known(const Expr& expr) { return analyzer_.simplify(substitute(expr, values_)); }
  int64_t number(const Expr& expr) {
    const Expr value = known(expr);
    const int64_t* result = as_int(value);
    if (result == nullptr) {
      fail("{}: {} has no value, as {}", module_.host.name, to_text(expr), why_unknown(value));
    }
    return *result;
  }
  Expr literal(const Var& var) {
    Expr value = known(var);
    if (as_int(value) == nullptr && value.as<FloatImm>() == nullptr) {
      fail("{}: the variable {}, which a kernel takes, has no value, as {}", module_.host.name, var.name(),
           why_unknown(value));
    }
    return value;
  }

  // One that is allocated again and again, by a loop around it, is as large as it is at most.
  void add(const Buffer& buffer) {
    const int64_t bytes = number(buffer->span()) * buffer->dtype.bytes();
    const auto [place, is_new] = places_.emplace(buffer.get(), plan_.temporaries.size());
    if (is_new) plan_.temporaries.push_back({buffer, bytes});
    Temporary& temporary = plan_.temporaries[place->second];
    temporary.bytes = std::max(temporary.bytes, bytes);
  }

  void visit(const Stmt& stmt) {
    switch (stmt.kind()) {
      case StmtKind::kSeq:
        for (const Stmt& part : stmt.as<Seq>()->stmts) visit(part);
        return;
      case StmtKind::kFor: {
        const auto& node = *stmt.as<For>();
        const int64_t from = number(node.min), count = number(node.extent);
        for (int64_t i = from; i < from + count; ++i) {
          values_[node.var.get()] = make_int(node.var.dtype(), i);
          visit(node.body);
        }
        return;
      }
      case StmtKind::kIf: {
        const auto& node = *stmt.as<If>();
        if (number(node.condition) != 0) return visit(node.then);
        if (node.otherwise) visit(node.otherwise);
        return;
      }
      case StmtKind::kLet: {
        const auto& node = *stmt.as<Let>();
        values_[node.var.get()] = known(node.value);
        return visit(node.body);
      }
      case StmtKind::kAllocate: add(stmt.as<Allocate>()->buffer); return visit(stmt.as<Allocate>()->body);
      case StmtKind::kEvaluate: return launch(*stmt.as<Evaluate>()->call.as<Call>());
      case StmtKind::kStore:
      case StmtKind::kBlock: break;
    }
    internal_check_failed("kernels do what is done", __FILE__, __LINE__);
  }

  void launch(const Call& call) {
    VANTAGE_CHECK(call.function == kLaunch);
    const std::string& name = call.arguments[0].as<StringImm>()->value;
    Launch launch;
    while (module_.kernels[launch.kernel].name != name) ++launch.kernel;
    for (size_t d = 0; d < 3; ++d) {
      launch.grid[d] = number(call.arguments[1 + d]);
      launch.block[d] = number(call.arguments[4 + d]);
      if (launch.grid[d] <= 0 || launch.block[d] <= 0) return;  // nobody to do anything
    }
    for (const Param& param : module_.kernels[launch.kernel].params) {
      if (const auto* var = std::get_if<Var>(&param)) launch.values.push_back(literal(*var));
    }
    for (const TensorMap& map : module_.kernels[launch.kernel].maps) add_map(launch, map);
    if (plan_.launches.size() == kMostLaunches) {
      fail("{}: a call launches more than {} kernels; bind a loop around them to an index of blocks", module_.host.name,
           kMostLaunches);
    }
    plan_.launches.push_back(std::move(launch));
  }

  void add_map(Launch& launch, const TensorMap& map) {
    std::vector<int64_t>& shape = launch.map_shapes.emplace_back();
    std::vector<int64_t>& strides = launch.map_strides.emplace_back();
    for (const Expr& size : map.buffer->shape) shape.push_back(number(size));
    for (const Expr& stride : map.buffer->all_strides()) strides.push_back(number(stride));
    const size_t rank = shape.size();
    if (rank > kMostMapDimensions) {
      fail("{}: {} has {} dimensions, and boxes are copied of tensors of {} at most", module_.host.name,
           map.buffer->name, rank, kMostMapDimensions);
    }
    if (strides.back() != 1) {
      fail("{}: boxes of {} cannot be copied, whose elements are {} apart", module_.host.name, map.buffer->name,
           strides.back());
    }
    for (size_t d = 0; d + 1 < rank; ++d) {
      require_map_stride(map.buffer->name, strides[d] * map.buffer->dtype.bytes());
    }
  }

  const Module& module_;
  VarMap values_;
  Analyzer analyzer_;
  std::map<const BufferNode*, size_t> places_;  // of temporaries
  Plan plan_;
};

}  // namespace

std::string why_unknown(const Expr& expr) {
  FreeVariables variables;
  variables.visit(expr);
  if (variables.names.empty()) return fmt::format("{} is no number", to_text(expr));
  return fmt::format("{} {} not given", fmt::join(variables.names, ", "), variables.names.size() == 1 ? "is" : "are");
}

Plan plan_calls(const Module& module, const VarMap& values) {
  return Planner(module, values).plan();
}

}  // namespace vantage::cuda
