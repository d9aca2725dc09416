#include "compiler/schedule/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/suggest.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/visitor.h"

namespace vantage::schedule {

namespace {

// Calls visit with the children of a statement that are statements, until it says that it has found what it looks for.
template <typename Visit>
bool any_child(const Stmt& stmt, const Visit& visit) {
  switch (stmt.kind()) {
    case ir::StmtKind::kFor: return visit(stmt.as<For>()->body);
    case ir::StmtKind::kBlock: return visit(stmt.as<Block>()->body);
    case ir::StmtKind::kSeq: {
      const std::vector<Stmt>& all = stmt.as<ir::Seq>()->stmts;
      return std::any_of(all.begin(), all.end(), visit);
    }
    case ir::StmtKind::kIf: {
      const auto* node = stmt.as<ir::If>();
      return visit(node->then) || (node->otherwise && visit(node->otherwise));
    }
    case ir::StmtKind::kLet: return visit(stmt.as<ir::Let>()->body);
    case ir::StmtKind::kAllocate: return visit(stmt.as<ir::Allocate>()->body);
    case ir::StmtKind::kStore:
    case ir::StmtKind::kEvaluate: break;
  }
  return false;
}

// Adds what is found to the path, and then what is around it, from the inside out.
template <typename Wanted>
bool add_path_from(const Stmt& stmt, const Wanted& wanted, Path& path) {
  const bool found =
      wanted(stmt) || any_child(stmt, [&](const Stmt& child) { return add_path_from(child, wanted, path); });
  if (found) path.push_back(stmt);
  return found;
}

// Empty where there is none.
template <typename Wanted>
Path path_to(const PrimFunc& function, const Wanted& wanted) {
  Path path;
  add_path_from(function.body, wanted, path);
  std::reverse(path.begin(), path.end());
  return path;
}

void collect_blocks(const Stmt& stmt, bool nested, std::vector<Stmt>& blocks) {
  const bool is_block = stmt.kind() == ir::StmtKind::kBlock;
  if (is_block) blocks.push_back(stmt);
  if (is_block && !nested) return;
  any_child(stmt, [&](const Stmt& child) {
    collect_blocks(child, nested, blocks);
    return false;
  });
}

class Replace final : public ir::Mutator {
 public:
  Replace(const Stmt& old, const Stmt& replacement) : old_(old), replacement_(replacement) {}
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }
  Stmt visit(const Stmt& stmt) override {
    if (done) return stmt;
    if (!stmt.same_as(old_)) return Mutator::visit(stmt);
    done = true;
    return replacement_;
  }
  bool done = false;

 private:
  const Stmt& old_;
  const Stmt& replacement_;
};

class SimplifyBindings final : public ir::Mutator {
 public:
  explicit SimplifyBindings(ir::Analyzer& analyzer) : analyzer_(analyzer) {}
  using Mutator::visit;

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    analyzer_.bind(node.var, {node.min, node.extent});
    return Mutator::visit_for(node, self);
  }
  Stmt visit_block(const Block& node, const Stmt&) override {
    Block result = node;
    for (Expr& binding : result.bindings) binding = analyzer_.simplify(binding);
    result.predicate = analyzer_.simplify(node.predicate);
    return make_stmt(std::move(result));
  }

 private:
  ir::Analyzer& analyzer_;
};

class AddPredicate final : public ir::Mutator {
 public:
  explicit AddPredicate(const Expr& condition) : condition_(condition) {}
  using Mutator::visit;

 protected:
  Stmt visit_block(const Block& node, const Stmt&) override {
    Block result = node;
    // What reads memory may do so where the condition holds alone.
    result.predicate = ir::reads_memory(node.predicate) ? condition_ && node.predicate : node.predicate && condition_;
    return make_stmt(std::move(result));
  }
  // Of what stands around blocks, values that are read would be read beyond the end, too.
  Stmt visit_let(const ir::Let& node, const Stmt& self) override {
    if (!ir::reads_memory(node.value)) return Mutator::visit_let(node, self);
    return make_stmt(ir::Let(node.var, guarded(node.value), visit(node.body)));
  }
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (!ir::reads_memory(node.min) && !ir::reads_memory(node.extent)) return Mutator::visit_for(node, self);
    For result = node;
    if (ir::reads_memory(node.min)) result.min = guarded(node.min);
    if (ir::reads_memory(node.extent)) result.extent = guarded(node.extent);
    result.body = visit(node.body);
    return make_stmt(std::move(result));
  }
  Stmt visit_if(const ir::If& node, const Stmt& self) override {
    if (!ir::reads_memory(node.condition)) return Mutator::visit_if(node, self);
    return make_stmt(
        ir::If(condition_ && node.condition, visit(node.then), node.otherwise ? visit(node.otherwise) : Stmt()));
  }
  // Inside a block, what stands alone.
  Stmt visit_store(const ir::Store&, const Stmt& self) override { return make_stmt(ir::If(condition_, self, {})); }
  Stmt visit_evaluate(const ir::Evaluate&, const Stmt& self) override {
    return make_stmt(ir::If(condition_, self, {}));
  }

 private:
  Expr guarded(const Expr& value) const { return if_then_else(condition_, value, ir::make_zero(value.dtype())); }
  const Expr& condition_;
};

std::string unique_name(const std::set<std::string>& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int number = 1; taken.count(name) > 0; ++number) name = fmt::format("{}_{}", wanted, number);
  return name;
}

}  // namespace

Path path_to_block(const PrimFunc& function, std::string_view name) {
  const auto wanted = [&](const Stmt& s) { return s.kind() == ir::StmtKind::kBlock && s.as<Block>()->name == name; };
  Path path = path_to(function, wanted);
  if (!path.empty()) return path;
  std::vector<std::string> names;
  for (const Stmt& block : all_blocks(function)) names.push_back(block.as<Block>()->name);
  fail("the function {} has no block '{}'; its blocks are {}", function.name, name, fmt::join(names, ", "));
}

Path path_to_loop(const PrimFunc& function, const Var& var) {
  const auto wanted = [&](const Stmt& s) { return s.kind() == ir::StmtKind::kFor && s.as<For>()->var.same_as(var); };
  Path path = path_to(function, wanted);
  if (!path.empty()) return path;
  fail("the loop {} is no longer there: a later step split, fused or removed it", var.name());
}

Path path_to_stmt(const PrimFunc& function, const Stmt& stmt) {
  Path path = path_to(function, [&](const Stmt& s) { return s.same_as(stmt); });
  VANTAGE_CHECK(!path.empty());
  return path;
}

const Block& block_at(const Path& path) {
  return *path.back().as<Block>();
}

const For& loop_at(const Path& path) {
  return *path.back().as<For>();
}

Var loop_by_name(const PrimFunc& function, const Path& block, const std::string& name) {
  const auto printed = ir::listing(function).names;
  std::vector<std::string> names;
  std::vector<Var> own, as_printed;
  for (const Stmt& loop : loops_of(block)) {
    const Var& var = loop.as<For>()->var;
    names.push_back(printed.at(var.get()));
    if (var.name() == name) own.push_back(var);
    if (names.back() == name) as_printed.push_back(var);
  }
  const std::string around = fmt::format("get_loop: the loops around the block {} are printed as {}",
                                         block_at(block).name, fmt::join(names, ", "));
  if (names.empty()) fail("get_loop: the block {} has no loops around it", block_at(block).name);
  if (own.empty() && as_printed.empty()) {
    // The names are listed in any case, so that what may be meant comes without them.
    const std::vector<std::string> near = near_names(name, names);
    fail("{}, and none is called '{}'{}", around, name, near.empty() ? "" : did_you_mean(name, names));
  }
  if (as_printed.empty() && own.size() > 1) fail("{}, and {} of them are called '{}'", around, own.size(), name);
  // One that prints as i_1 because another i stands before it, and one that a split of i has made.
  if (!as_printed.empty() && own.size() == 1 && !own.front().same_as(as_printed.front())) {
    fail("{}; '{}' is also the own name of {}: call that so, and the other {}", around, name,
         printed.at(own.front().get()), as_printed.front().name());
  }
  return as_printed.empty() ? own.front() : as_printed.front();
}

int64_t constant_extent(const PrimFunc& function, const Var& loop, std::string_view primitive) {
  const int64_t* extent = ir::as_int(loop_at(path_to_loop(function, loop)).extent);
  if (extent == nullptr) fail("{}: the loop {} has no constant number of iterations", primitive, loop.name());
  return *extent;
}

void require_outermost(const Path& path, std::string_view primitive) {
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (const auto* outer = path[i].as<Block>()) {
      fail("{}: the block {} stands inside of {}; do it before blockize and tensorize", primitive, block_at(path).name,
           outer->name);
    }
  }
}

std::vector<Stmt> loops_of(const Path& path) {
  std::vector<Stmt> loops;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i].kind() == ir::StmtKind::kBlock) loops.clear();
    if (path[i].kind() == ir::StmtKind::kFor) loops.push_back(path[i]);
  }
  return loops;
}

std::vector<Stmt> blocks_below(const Stmt& stmt, bool nested) {
  std::vector<Stmt> blocks;
  collect_blocks(stmt, nested, blocks);
  return blocks;
}

std::vector<Stmt> all_blocks(const PrimFunc& function) {
  return blocks_below(function.body, true);
}

void replace(PrimFunc& function, const Stmt& old, const Stmt& replacement) {
  Replace mutator(old, replacement);
  function.body = mutator.visit(function.body);
  VANTAGE_CHECK(mutator.done && function.body);
}

ir::Analyzer analyzer_for(const PrimFunc& function, const Path& path) {
  ir::Analyzer analyzer;
  analyzer.bind_sizes(function);
  for (const Stmt& stmt : path) {
    if (const auto* loop = stmt.as<For>()) analyzer.bind(loop->var, {loop->min, loop->extent});
    if (const auto* block = stmt.as<Block>()) {
      for (const ir::Axis& axis : block->axes) analyzer.bind(axis.var, axis.domain);
    }
  }
  return analyzer;
}

void assume_domains(ir::Analyzer& analyzer, const Block& block) {
  for (size_t i = 0; i < block.axes.size(); ++i) {
    const ir::Range& domain = block.axes[i].domain;
    analyzer.assume(block.bindings[i] >= domain.min && block.bindings[i] < domain.min + domain.extent);
  }
}

std::string unique_block_name(const PrimFunc& function, const std::string& wanted) {
  std::set<std::string> taken;
  for (const Stmt& block : all_blocks(function)) taken.insert(block.as<Block>()->name);
  return unique_name(taken, wanted);
}

std::string unique_buffer_name(const PrimFunc& function, const std::string& wanted) {
  std::set<std::string> taken;
  for (const auto& list : {function.buffers(), function.allocations}) {
    for (const Buffer& buffer : list) taken.insert(buffer->name);
  }
  return unique_name(taken, wanted);
}

Stmt simplify_bindings(const Stmt& stmt, ir::Analyzer& analyzer) {
  return SimplifyBindings(analyzer).visit(stmt);
}

Stmt add_predicate(const Stmt& stmt, const Expr& condition) {
  return AddPredicate(condition).visit(stmt);
}

}  // namespace vantage::schedule
