#include "compiler/ops/cuda/block_facts.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/visitor.h"

namespace vantage::ops {

using namespace ir;
using schedule::Schedule;

namespace {

// Throws Error where a kernel of the function cannot be.
void require_runs(const PrimFunc& scheduled, const cuda::Architecture& architecture) {
  for (const cuda::Kernel& kernel : cuda::split_kernels(cuda::lower(scheduled)).kernels) {
    cuda::BlockNeeds needs;
    needs.shared_bytes = cuda::write_kernel(kernel).shared_bytes;
    for (const Expr& extent : kernel.block) {
      const int64_t* threads = as_int(extent);
      if (threads == nullptr) fail("{}: the number of threads is not constant", kernel.name);
      needs.threads *= *threads;
    }
    cuda::require_fits(architecture, kernel.name, needs);
  }
}

}  // namespace

std::vector<BlockLoop> loops_of_block(Schedule& s, const std::string& name) {
  const schedule::Path path = schedule::path_to_block(s.function(), name);
  const Block& block = schedule::block_at(path);
  const std::vector<schedule::LoopRV> handles = s.get_loops(s.get_block(name));
  const std::vector<Stmt> nodes = schedule::loops_of(path);
  std::vector<BlockLoop> result;
  for (size_t i = 0; i < handles.size(); ++i) {
    const For& node = *nodes[i].as<For>();
    const int64_t* extent = as_int(node.extent);
    AxisKind kind = AxisKind::kSpatial;
    for (const AxisKind other : {AxisKind::kReduce, AxisKind::kOrdered}) {
      if (schedule::binds(block, node.var, other)) kind = other;
    }
    result.push_back({handles[i], node.var, extent == nullptr ? 0 : *extent, kind});
  }
  return result;
}

std::vector<BlockLoop> of_kind(const std::vector<BlockLoop>& loops, AxisKind kind) {
  std::vector<BlockLoop> result;
  for (const BlockLoop& loop : loops) {
    if (loop.kind == kind) result.push_back(loop);
  }
  return result;
}

int64_t iterations_of(const std::vector<BlockLoop>& loops) {
  int64_t count = 1;
  for (const BlockLoop& loop : loops) count *= loop.extent;
  return count;
}

std::vector<std::string> names_of_blocks(const PrimFunc& function) {
  std::vector<std::string> names;
  for (const Stmt& stmt : schedule::all_blocks(function)) names.push_back(stmt.as<Block>()->name);
  return names;
}

Block block_named(const Schedule& s, const std::string& name) {
  return schedule::block_at(schedule::path_to_block(s.function(), name));
}

bool is_untouched(const Schedule& s, const std::string& name) {
  const std::vector<std::string> names = names_of_blocks(s.function());
  if (std::find(names.begin(), names.end(), name) == names.end()) return false;
  const auto loops = schedule::loops_of(schedule::path_to_block(s.function(), name));
  return std::all_of(loops.begin(), loops.end(),
                     [](const Stmt& loop) { return loop.as<For>()->loop == ForKind::kSerial; });
}

std::vector<std::string> readers_of(const Schedule& s, const std::string& name) {
  const auto written = schedule::written_by(block_named(s, name));
  std::vector<std::string> result;
  if (written.size() != 1) return result;
  for (const Stmt& other : schedule::all_blocks(s.function())) {
    const Block& reader = *other.as<Block>();
    const auto read = schedule::read_by(reader);
    if (std::find(read.begin(), read.end(), written.front()) != read.end()) result.push_back(reader.name);
  }
  return result;
}

std::vector<const Load*> loads_of(const Block& block) {
  struct Search final : Visitor {
    using Visitor::visit;
    std::vector<Buffer> own;
    std::vector<const Load*> found;
    void visit_load(const Load& node) override {
      if (std::find(own.begin(), own.end(), node.buffer) == own.end()) found.push_back(&node);
      Visitor::visit_load(node);
    }
  } search;
  search.own = schedule::written_by(block);
  search.visit(block.body);
  return search.found;
}

bool is_cheap(const Block& block) {
  struct Search final : Visitor {
    using Visitor::visit;
    int calls = 0;
    void visit_call(const Call& node) override {
      ++calls;
      Visitor::visit_call(node);
    }
  } search;
  search.visit(block.body);
  return search.calls == 0 && loads_of(block).size() <= 2;
}

std::string block_added_by(Schedule& s, const std::function<void()>& step) {
  const std::vector<std::string> before = names_of_blocks(s.function());
  step();
  for (const std::string& block : names_of_blocks(s.function())) {
    if (std::find(before.begin(), before.end(), block) == before.end()) return block;
  }
  internal_check_failed("a block is added", __FILE__, __LINE__);
}

bool attempt_steps(Schedule& s, const std::function<void(Schedule&)>& steps) {
  Schedule tried = s;
  try {
    steps(tried);
  } catch (const Error&) {
    return false;
  }
  s = std::move(tried);
  return true;
}

bool attempt_on(const cuda::Architecture& architecture, Schedule& s, const std::function<void(Schedule&)>& steps) {
  return attempt_steps(s, [&](Schedule& tried) {
    steps(tried);
    require_runs(tried.function(), architecture);
  });
}

}  // namespace vantage::ops
