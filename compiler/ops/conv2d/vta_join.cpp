#include "compiler/ops/conv2d/vta_join.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/passes/plan_allocations.h"

namespace vantage::ops {

namespace {

using ir::Buffer;
using ir::Expr;
using ir::For;
using ir::PrimFunc;
using ir::Stmt;

// Statements on other buffers and another thread's variable, whose blocks have another ending.
class Renamed final : public ir::Mutator {
 public:
  Renamed(const ir::BufferMap& buffers, const ir::VarMap& vars, const std::string& ending)
      : buffers_(buffers), vars_(vars), ending_(ending) {}
  using Mutator::visit;

 protected:
  Expr visit_var(const ir::VarNode& node, const Expr& self) override {
    const auto found = vars_.find(&node);
    return found == vars_.end() ? self : found->second;
  }
  Buffer visit_buffer(const Buffer& buffer) override {
    const auto found = buffers_.find(buffer.get());
    return found == buffers_.end() ? buffer : found->second;
  }
  Stmt visit_block(const ir::Block& node, const Stmt& self) override {
    const Stmt visited = Mutator::visit_block(node, self);
    ir::Block block = *visited.as<ir::Block>();
    block.name += ending_;
    return ir::make_stmt(std::move(block));
  }

 private:
  const ir::BufferMap& buffers_;
  const ir::VarMap& vars_;
  const std::string& ending_;
};

// A part taken apart: what is loaded once, and the threads behind it.
struct Pieces {
  std::vector<Stmt> resident;
  Stmt threads;  // or whatever comes last

  explicit Pieces(const PrimFunc& function) {
    const auto* all = function.body.as<ir::Seq>();
    resident = all != nullptr ? all->stmts : std::vector{function.body};
    threads = resident.back();
    resident.pop_back();
  }
  bool loads(const Buffer& buffer) const {
    return std::any_of(resident.begin(), resident.end(), [&](const Stmt& s) { return ir::touches(s, buffer); });
  }
};

// Parts that go on one into the other, on the parameters of the first of all.
class Run {
 public:
  explicit Run(const PrimFunc& whole) : function_(whole) { function_.allocations.clear(); }

  void add(const PrimFunc& part, size_t number) {
    const Pieces pieces(part);
    const std::string ending = number == 0 ? "" : fmt::format("_part{}", number);
    ir::BufferMap buffers;
    for (const Buffer& buffer : part.buffers()) buffers[buffer.get()] = function_.find_buffer(buffer->name);
    for (const Buffer& buffer : part.allocations) {
      const auto known = std::find_if(resident_.begin(), resident_.end(),
                                      [&](const auto& entry) { return entry.first == buffer->name; });
      const bool is_resident = pieces.loads(buffer);
      if (is_resident && known != resident_.end()) {
        buffers[buffer.get()] = known->second;
        continue;
      }
      ir::BufferNode own = *buffer;
      own.name += ending;
      function_.allocations.push_back(buffers[buffer.get()] = ir::make_buffer(std::move(own)));
      if (is_resident) resident_.emplace_back(buffer->name, function_.allocations.back());
    }
    const auto* loop = pieces.threads.as<For>();
    ir::VarMap vars;
    if (bodies_.empty()) {
      for (const Stmt& stmt : pieces.resident) loads_.push_back(Renamed(buffers, vars, ending).visit(stmt));
      threads_ = Renamed(buffers, vars, ending).visit(pieces.threads);
      bodies_.push_back(loop != nullptr ? threads_.as<For>()->body : threads_);
      return;
    }
    vars[loop->var.get()] = threads_.as<For>()->var;
    bodies_.push_back(Renamed(buffers, vars, ending).visit(loop->body));
  }

  PrimFunc function() && {
    std::vector<Stmt> body = std::move(loads_);
    if (bodies_.size() == 1) {
      body.push_back(threads_);
    } else {
      For loop = *threads_.as<For>();
      loop.body = ir::seq(std::move(bodies_));
      body.push_back(ir::make_stmt(std::move(loop)));
    }
    function_.body = ir::seq(std::move(body));
    return std::move(function_);
  }

 private:
  PrimFunc function_;
  std::vector<std::pair<std::string, Buffer>> resident_;  // by the name that a part gives it
  std::vector<Stmt> loads_, bodies_;
  Stmt threads_;
};

}  // namespace

bool go_on(const Conv2dShape& shape, const VtaConv2dTiling& before, const VtaConv2dTiling& next) {
  const auto order = [&](const VtaConv2dTiling& t) {
    const int64_t piece = shape.is_product() && t.input_resident ? t.ic : 0;
    return std::tuple(t.threads, t.staggered, t.input_resident, t.weights_resident, t.picks_pixels, piece);
  };
  return before.threads > 1 && order(before) == order(next) && !before.weights_shared && !next.weights_shared;
}

PrimFunc join_parts(const Conv2dShape& shape, const VtaConv2dMapping& mapping, const std::vector<PrimFunc>& functions) {
  const std::vector<VtaConv2dPart>& parts = mapping.parts;
  VANTAGE_CHECK(!parts.empty() && parts.size() == functions.size());
  const auto noted = [&](PrimFunc function) {
    if (mapping.in_slices) function.annotations[std::string(vta::kInSlicesNote)] = 1;
    if (mapping.shares_micro_ops) function.annotations[std::string(vta::kSharesMicroOpsNote)] = 1;
    if (mapping.skips_zeros) function.annotations[std::string(vta::kSkipsZerosNote)] = 1;
    if (mapping.fills_waits) function.annotations[std::string(vta::kFillsWaitsNote)] = 1;
    return function;
  };
  if (parts.size() == 1) return noted(functions[0]);
  std::vector<PrimFunc> runs;
  for (size_t first = 0; first < parts.size();) {
    Run run(functions[0]);
    size_t next = first;
    do {
      run.add(functions[next], next);
      ++next;
    } while (next < parts.size() && go_on(shape, parts[next - 1].tiling, parts[next].tiling));
    runs.push_back(std::move(run).function());
    first = next;
  }
  PrimFunc whole = runs[0];
  if (runs.size() > 1) {
    // What a run allocates lives as long as the run, so that the next one has all of the scratchpads.
    std::vector<Stmt> bodies;
    for (PrimFunc& run : runs) bodies.push_back(passes::plan_allocations(std::move(run)).body);
    whole.allocations.clear();
    whole.body = ir::seq(std::move(bodies));
  }
  return noted(std::move(whole));
}

}  // namespace vantage::ops
