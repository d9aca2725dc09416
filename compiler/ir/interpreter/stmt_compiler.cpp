#include "compiler/ir/interpreter/stmt_compiler.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/interpreter/used_buffers.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"

namespace vantage::ir::interpreter {

namespace {

void expect_integer(const Expr& expr, const std::string& what) {
  if (!expr.dtype().is_signed()) {
    fail("{} is '{}' of type {}, expected an integer", what, to_text(expr), name(expr.dtype()));
  }
}

void expect_type(const Expr& expr, DType type, const std::string& what) {
  if (expr.dtype() != type) {
    fail("{} is '{}' of type {}, expected {}", what, to_text(expr), name(expr.dtype()), name(type));
  }
}

}  // namespace

Program compile(const PrimFunc& function, const InterpreterOptions& options) {
  StmtCompiler compiler(options);
  compiler.function(function);
  return compiler.finish();
}

void StmtCompiler::function(const PrimFunc& function) {
  out_.program.name = function.name;
  out_.program.parameters = function.params;
  parameters(function);
  for (const Buffer& buffer : function.allocations) {
    const int32_t memory = out_.add_buffer(buffer, Home::kFunction);
    allocation(buffer, memory);
    out_.define(buffer, memory);
  }
  statement(function.body);
  out_.emit({.op = Op::kEnd});
}

void StmtCompiler::parameters(const PrimFunc& function) {
  const auto take = [&](const Var& var) {
    const int32_t result = out_.take_registers();
    out_.define(var, result);
    return result;
  };
  for (size_t p = 0; p < function.params.size(); ++p) {
    if (const auto* var = std::get_if<Var>(&function.params[p])) out_.program.scalars.push_back({p, *var, take(*var)});
  }
  for (size_t p = 0; p < function.params.size(); ++p) {
    const auto* buffer = std::get_if<Buffer>(&function.params[p]);
    if (buffer == nullptr) continue;
    std::vector<Expr> sizes = (*buffer)->shape;
    sizes.insert(sizes.end(), (*buffer)->strides.begin(), (*buffer)->strides.end());
    for (size_t d = 0; d < sizes.size(); ++d) {
      const Var var = Var::of(sizes[d]);
      if (var.defined() && out_.find(var.get()) == nullptr) out_.program.sizes.push_back({p, d, var, take(var)});
    }
  }
  for (size_t p = 0; p < function.params.size(); ++p) {
    const auto* buffer = std::get_if<Buffer>(&function.params[p]);
    if (buffer == nullptr) continue;
    const Assembler::Frame frame(out_);
    const int32_t memory = out_.add_buffer(*buffer, Home::kParameter);
    const int32_t list = dimensions(*buffer);
    out_.emit({.op = Op::kParameter, .memory = memory, .list = list, .note = static_cast<int32_t>(p)});
    out_.define(*buffer, memory);
  }
}

int32_t StmtCompiler::dimensions(const Buffer& buffer) {
  std::vector<Expr> all = buffer->shape;
  all.insert(all.end(), buffer->strides.begin(), buffer->strides.end());
  for (const Expr& size : all) {
    expect_integer(size, "a size or stride of " + buffer->name);
    if (uses_var(size, [&](const VarNode* var) { return out_.find(var) == nullptr; })) {
      fail(
          "'{}', a size or stride of {}, has a variable without a value; make it a parameter, or a size of its own of "
          "a parameter",
          to_text(size), buffer->name);
    }
  }
  return out_.list(exprs_.values(all));
}

void StmtCompiler::statement(const Stmt& stmt) {
  if (!stmt) return;
  const Assembler::Frame frame(out_);
  switch (stmt.kind()) {
    case StmtKind::kStore: return store(*stmt.as<Store>());
    case StmtKind::kFor: return loop(stmt);
    case StmtKind::kBlock: return block(*stmt.as<Block>());
    case StmtKind::kSeq:
      for (const Stmt& s : stmt.as<Seq>()->stmts) statement(s);
      return;
    case StmtKind::kIf: return condition(*stmt.as<If>());
    case StmtKind::kLet: return let(*stmt.as<Let>());
    case StmtKind::kAllocate: return allocate(*stmt.as<Allocate>());
    case StmtKind::kEvaluate: return exprs_.effect(stmt.as<Evaluate>()->call);
  }
}

void StmtCompiler::store(const Store& node) {
  expect_type(node.value, node.buffer->dtype, "what is stored in " + node.buffer->name);
  const Expr target = load(node.buffer, node.indices);  // the same rules; quoted in messages
  const int32_t memory = exprs_.memory(node.buffer);
  const int32_t indices = out_.list(exprs_.values(node.indices));
  const int32_t value = exprs_.value(node.value);
  out_.emit({.op = Op::kStore, .a = value, .memory = memory, .list = indices, .note = out_.quote(target)});
}

void StmtCompiler::loop(const Stmt& stmt) {
  const For& node = *stmt.as<For>();
  expect_integer(node.var, "the variable of the loop " + node.var.name());
  expect_integer(node.min, "the beginning of the loop " + node.var.name());
  expect_integer(node.extent, "the extent of the loop " + node.var.name());
  if (node.loop == ForKind::kThread) {
    if (const std::string wrong = wrong_axis(node); !wrong.empty()) fail("{}", wrong);
    if (options_.threads) return kernel_ != nullptr ? thread_loop(node) : kernel(stmt);
  }
  const bool checkable = options_.check_parallel && kernel_ == nullptr && !in_parallel_;
  counted_loop(node, checkable && node.loop == ForKind::kParallel);
}

void StmtCompiler::counted_loop(const For& node, bool check_iterations) {
  const int32_t var = out_.take_registers(2);
  const int32_t min = exprs_.value(node.min);
  const int32_t extent = exprs_.value(node.extent);
  const int32_t name = out_.name(node.var.name());
  if (check_iterations) out_.emit({.op = Op::kParallelBegin, .a = min, .note = name});
  const int32_t begin =
      out_.emit({.op = Op::kLoopBegin, .dtype = node.var.dtype(), .dst = var, .a = min, .b = extent, .note = name});
  const int32_t first = out_.here();
  if (check_iterations) {
    out_.emit({.op = Op::kParallelNext, .a = var, .b = min});
    in_parallel_ = true;
  }
  {
    const auto bound = out_.bind(node.var, var);
    statement(node.body);
  }
  out_.emit({.op = Op::kLoopNext, .dst = var, .target = first});
  out_.land(begin);
  if (check_iterations) {
    out_.emit({.op = Op::kParallelEnd});
    in_parallel_ = false;
  }
}

void StmtCompiler::kernel(const Stmt& outermost) {
  Kernel kernel;
  kernel.loop = outermost.as<For>()->var.name();
  add_dimensions(kernel, outermost);
  add_memory(kernel, outermost);
  const auto note = static_cast<int32_t>(out_.program.kernels.size());
  const int32_t launch = out_.emit({.op = Op::kLaunch, .note = note});
  kernel.begin = out_.here();
  kernel_ = &kernel;
  statement(outermost);
  kernel_ = nullptr;
  out_.emit({.op = Op::kEnd});
  out_.land(launch);
  out_.program.kernels.push_back(std::move(kernel));
}

void StmtCompiler::add_dimensions(Kernel& kernel, const Stmt& outermost) {
  for (const For* loop : thread_loops(outermost)) {
    auto& family = is_block_index(loop->thread) ? kernel.blocks : kernel.threads;
    auto found = std::find_if(family.begin(), family.end(), [&](const auto& d) { return d.tag == loop->thread; });
    if (found == family.end()) {
      found = family.insert(family.end(), {loop->thread, out_.take_registers(), {}});
    }
    if (uses_var(loop->extent, [&](const VarNode* var) { return out_.find(var) == nullptr; })) {
      fail(
          "the extent '{}' of the loop {}, bound to {}, is not known before the kernel of the loop {} starts; make it "
          "depend on nothing inside the kernel",
          to_text(loop->extent), loop->var.name(), loop->thread, kernel.loop);
    }
    found->loops.push_back({loop->var.name(), exprs_.value(loop->extent)});
  }
}

void StmtCompiler::add_memory(Kernel& kernel, const Stmt& outermost) {
  for (const BufferNode* buffer : used_buffers(outermost)) {
    const int32_t* memory = out_.find(buffer);
    if (memory == nullptr || out_.program.buffers[static_cast<size_t>(*memory)].home == Home::kParameter) continue;
    if (is_local(buffer->scope)) kernel.thread_memory.push_back(*memory);
    if (is_shared(buffer->scope)) kernel.block_memory.push_back(*memory);
  }
}

void StmtCompiler::thread_loop(const For& node) {
  const auto& family = is_block_index(node.thread) ? kernel_->blocks : kernel_->threads;
  const auto dimension =
      std::find_if(family.begin(), family.end(), [&](const auto& d) { return d.tag == node.thread; });
  const int32_t var = out_.take_registers();
  const int32_t min = exprs_.value(node.min);
  out_.emit({.op = Op::kThreadVar,
             .dtype = node.var.dtype(),
             .dst = var,
             .a = min,
             .b = dimension->index,
             .note = out_.name(node.var.name())});
  const auto bound = out_.bind(node.var, var);
  statement(node.body);
}

void StmtCompiler::block(const Block& node) {
  expect_type(node.predicate, kBool, "the predicate of block " + node.name);
  std::vector<int32_t> skips;
  const auto skip_unless = [&](const Expr& condition) {
    if (!is_int(condition, 1)) skips.push_back(out_.emit({.op = Op::kJumpIfFalse, .a = exprs_.value(condition)}));
  };
  const Expr of_loops = predicate_of_loops(node);
  skip_unless(of_loops);
  std::vector<int32_t> axes;
  for (size_t i = 0; i < node.axes.size(); ++i) {
    expect_integer(node.bindings[i], fmt::format("the binding of {} of block {}", node.axes[i].var.name(), node.name));
    axes.push_back(exprs_.value(node.bindings[i]));
  }
  std::vector<Binding<const VarNode*>> bound;
  for (size_t i = 0; i < axes.size(); ++i) bound.push_back(out_.bind(node.axes[i].var, axes[i]));

  if (!structural_equal(of_loops, node.predicate)) skip_unless(node.predicate);
  std::vector<int32_t> begins;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Axis& axis = node.axes[i];
    const std::string what = fmt::format("axis {} of block {}", axis.var.name(), node.name);
    expect_integer(axis.domain.min, "the beginning of " + what);
    expect_integer(axis.domain.extent, "the extent of " + what);
    begins.push_back(exprs_.value(axis.domain.min));
    const int32_t extent = exprs_.value(axis.domain.extent);
    out_.emit({.op = Op::kCheckAxis, .a = axes[i], .b = begins[i], .c = extent, .note = out_.name(what)});
  }
  if (node.init) {
    std::vector<int32_t> jumps;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (node.axes[i].kind != AxisKind::kReduce) continue;
      jumps.push_back(out_.emit({.op = Op::kJumpUnlessSame, .a = axes[i], .b = begins[i]}));
    }
    statement(node.init);
    for (int32_t jump : jumps) out_.land(jump);
  }
  statement(node.body);
  for (const int32_t skip : skips) out_.land(skip);
}

void StmtCompiler::condition(const If& node) {
  expect_type(node.condition, kBool, "a condition");
  const int32_t skip = out_.emit({.op = Op::kJumpIfFalse, .a = exprs_.value(node.condition)});
  statement(node.then);
  if (!node.otherwise) return out_.land(skip);
  const int32_t end = out_.emit({.op = Op::kJump});
  out_.land(skip);
  statement(node.otherwise);
  out_.land(end);
}

void StmtCompiler::let(const Let& node) {
  expect_type(node.value, node.var.dtype(), "the value of " + node.var.name());
  const auto bound = out_.bind(node.var, exprs_.value(node.value));
  statement(node.body);
}

void StmtCompiler::allocate(const Allocate& node) {
  Home home = Home::kFunction;
  if (kernel_ != nullptr) home = is_shared(node.buffer->scope) ? Home::kBlock : Home::kThread;
  const int32_t memory = out_.add_buffer(node.buffer, home);
  allocation(node.buffer, memory);
  const auto bound = out_.bind(node.buffer, memory);
  statement(node.body);
}

void StmtCompiler::allocation(const Buffer& buffer, int32_t memory) {
  const Assembler::Frame frame(out_);
  out_.emit({.op = Op::kAllocate, .memory = memory, .list = dimensions(buffer)});
}

}  // namespace vantage::ir::interpreter
