#include "compiler/backend/cuda/stmt_writer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "compiler/backend/cuda/architecture.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/backend/cuda/passes/pipeline_copies.h"
#include "compiler/backend/cuda/register_loops.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"
#include "compiler/ir/zero_else.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// The fewest bytes that a copy beside the thread moves.
constexpr int64_t kLeastAsync = 4;

Expr without_hint(const Expr& condition) {
  const auto* hint = condition.as<Call>();
  return hint != nullptr && hint->function == kLikely ? hint->arguments[0] : condition;
}

bool same_element(const Load& load, const Store& store) {
  if (load.buffer != store.buffer) return false;
  for (size_t d = 0; d < load.indices.size(); ++d) {
    if (!structural_equal(load.indices[d], store.indices[d])) return false;
  }
  return true;
}

}  // namespace

void StmtWriter::line(const std::string& content) {
  text.append(static_cast<size_t>(depth) * 2, ' ');
  text += content;
  text += '\n';
}

void StmtWriter::write(const Stmt& stmt) {
  if (!stmt) return;
  switch (stmt.kind()) {
    case StmtKind::kStore: return store(*stmt.as<Store>());
    case StmtKind::kFor: return loop(*stmt.as<For>());
    case StmtKind::kSeq:
      for (const Stmt& part : stmt.as<Seq>()->stmts) write(part);
      return;
    case StmtKind::kIf: return condition(*stmt.as<If>());
    case StmtKind::kLet: {
      const auto& node = *stmt.as<Let>();
      const std::string value = expr_.value(node.value);
      if (node.var.dtype().is_int()) analyzer_.bind(node.var, expr_.bounds(node.value));
      expr_.define(node.var, node.value);
      line(fmt::format("const {} {} = {};", type_name(node.var.dtype()), names_.of(*node.var.get()), value));
      return write(node.body);
    }
    case StmtKind::kAllocate: return allocate(*stmt.as<Allocate>());
    case StmtKind::kEvaluate: return call(*stmt.as<Evaluate>());
    case StmtKind::kBlock: break;
  }
  internal_check_failed("blocks are lowered", __FILE__, __LINE__);
}

void StmtWriter::body(const Stmt& stmt) {
  ++depth;
  write(stmt);
  --depth;
  line("}");
}

std::optional<StmtWriter::Copied> StmtWriter::copied_beside(const Store& node, int64_t bytes) const {
  if (!copies_ || bytes < kLeastAsync || !is_shared(node.buffer->scope)) return std::nullopt;
  Copied result{node.value.as<Load>(), {}};
  if (const Select* choice = zero_else(node.value)) result = {choice->if_true.as<Load>(), choice->condition};
  // What it may not look at where the condition does not hold is not looked at for an address either.
  if (result.load != nullptr && result.condition.defined() &&
      std::ranges::any_of(result.load->indices, [](const Expr& index) { return reads_memory(index); })) {
    return std::nullopt;
  }
  if (result.load == nullptr || own_.count(result.load->buffer.get()) > 0) return std::nullopt;
  return result;
}

void StmtWriter::copy_beside(int64_t bytes, const std::string& to, const std::string& from, const Expr& condition) {
  const std::string holds = condition.defined() ? ", " + expr_.value(condition) : "";
  line(fmt::format("vt::copy_async<{}>({}, {}{});", bytes, to, from, holds));
}

// Of a step of a sum of floats what is added to it; null: it is none.
const Expr* StmtWriter::added_to(const Store& node) {
  const DType type = node.buffer->dtype;
  const auto* sum = node.value.as<Binary>();
  if (sum == nullptr || sum->op != BinaryOp::kAdd || !type.is_float() || type.is_narrow_float()) return nullptr;
  const auto* before = sum->a.as<Load>();
  return before != nullptr && same_element(*before, node) ? &sum->b : nullptr;
}

void StmtWriter::store(const Store& node) {
  const std::string element = expr_.element(node.buffer, node.indices);
  if (const auto copied = copied_beside(node, node.buffer->dtype.bytes())) {
    const std::string from = expr_.element(copied->load->buffer, copied->load->indices);
    return copy_beside(node.buffer->dtype.bytes(), "&" + element, "&" + from, copied->condition);
  }
  const Expr* const added = added_to(node);
  if (added == nullptr) return line(fmt::format("{} = {};", element, expr_.value(node.value)));
  if (const auto fused = expr_.fused(*added, element)) return line(fmt::format("{} = {};", element, *fused));
  line(fmt::format("{} += {};", element, expr_.value(*added)));
}

void StmtWriter::loop_head(const For& node, bool unrolled) {
  const std::string& var = names_.of(*node.var.get());
  const std::string from = expr_.index(node.min);
  const Expr sum = node.min + node.extent, end = strict_ ? sum : analyzer_.simplify(sum);
  std::string to = expr_.index(end, kLess + 1);
  // It is where it was when the loop began.
  if (reads_memory(end)) {
    const std::string name = names_.fresh(var + "_end");
    line(fmt::format("const {} {} = {};", type_name(end.dtype()), name, to));
    to = name;
  }
  if (unrolled) line("#pragma unroll");
  line(fmt::format("for ({} {} = {}; {} < {}; ++{}) {{", type_name(node.var.dtype()), var, from, var, to, var));
}

// In strict code the ends are where they are however they were computed.
void StmtWriter::bind(const For& node) {
  if (reads_memory(node.min) || reads_memory(node.extent)) return analyzer_.bind(node.var, Bounds{});
  if (!strict_) return analyzer_.bind(node.var, {node.min, node.extent});
  const Bounds from = expr_.bounds(node.min), end = expr_.bounds(node.min + node.extent);
  analyzer_.bind(node.var, Bounds{from.min, end.max == Bounds::kInfinity ? end.max : end.max - 1});
}

void StmtWriter::loop(const For& node) {
  bind(node);
  const bool copies_before = copies_, differed = differs_;
  copies_ = copies_ || node.annotations.count(std::string(kAsyncNote)) > 0;
  switch (node.loop) {
    case ForKind::kThread:
      if (node.thread == "threadIdx.x") thread_x_ = node.var;
      line(fmt::format("const {} {} = {}{};", type_name(node.var.dtype()), names_.of(*node.var.get()), node.thread,
                       is_int(node.min, 0) ? "" : " + " + expr_.index(node.min, kSum)));
      return write(node.body);
    case ForKind::kVectorized:
      vectorized(node);
      copies_ = copies_before;
      return;
    case ForKind::kUnrolled:
    case ForKind::kSerial:
    case ForKind::kParallel:
      loop_head(node, node.loop == ForKind::kUnrolled || picks_registers(node));
      differs_ = differs_ || differs(node.min) || differs(node.extent);
      body(node.body);
      copies_ = copies_before;
      differs_ = differed;
      return;
    case ForKind::kVirtualThread: break;
  }
  internal_check_failed("virtual threads are one", __FILE__, __LINE__);
}

void StmtWriter::allocate(const Allocate& node) {
  const Buffer& buffer = node.buffer;
  own_.insert(buffer.get());
  if (is_shared(buffer->scope)) return write(node.body);
  const std::optional<int64_t> span = constant_span(buffer);
  if (!span) {
    fail(
        "{} is {} elements of {} memory in a kernel, which must be a number when the kernel is compiled; give its "
        "loops constant extents, or its scope global outside of the kernel",
        buffer->name, size_text(buffer), buffer->scope);
  }
  // Of a warp's memory each thread has its part.
  const int64_t elements = *span / threads_together(buffer->scope);
  const int64_t bytes = std::min(elements, kThreadLocalBytes + 1) * buffer->dtype.bytes();
  local_bytes_ += bytes;
  if (local_bytes_ > kThreadLocalBytes) {
    fail(
        "with the {} elements of {} in {} memory each thread has more than the {} bytes that there are for one; make "
        "what it holds smaller, or compute it where less of it is needed at once",
        elements, buffer->name, buffer->scope, kThreadLocalBytes);
  }
  const int64_t aligned = std::max<int64_t>(kWidestAccess, buffer->alignment);
  const std::string alignment = elements > 1 || buffer->alignment > 0 ? fmt::format("alignas({}) ", aligned) : "";
  line(fmt::format("{}{} {}[{}];", alignment, type_name(buffer->dtype), names_.of(buffer), elements));
  write(node.body);
  local_bytes_ -= bytes;
}

void StmtWriter::condition(const If& node) {
  // The thread that stands for its warp: all of it does what follows.
  std::vector<Expr> others;
  bool by_warp = false;
  for (const Expr& part : conjuncts(without_hint(node.condition))) {
    const auto* call = part.as<Call>();
    const bool of_warp = call != nullptr && call->function == kByWarp;
    by_warp = by_warp || of_warp;
    if (!of_warp) others.push_back(part);
  }
  if (by_warp) {
    VANTAGE_CHECK(only_tiles(node.then) && !node.otherwise);
    const bool outside = std::exchange(by_warp_, true);
    others.empty() ? write(node.then) : condition(If(all_of(others), node.then, {}));
    by_warp_ = outside;
    return;
  }
  line(fmt::format("if ({}) {{", expr_.value(node.condition)));
  const bool all_alike = std::exchange(differs_, differs_ || differs(node.condition));
  size_t facts = assume(lasting(node.condition));
  ++depth;
  write(node.then);
  --depth;
  analyzer_.forget(facts);
  if (node.otherwise) {
    line("} else {");
    facts = assume(lasting(!node.condition));
    ++depth;
    write(node.otherwise);
    --depth;
    analyzer_.forget(facts);
  }
  differs_ = all_alike;
  line("}");
}

// Whether an expression may have another value in another thread of the same warp.
bool StmtWriter::differs(const Expr& expr) const {
  return reads_memory(expr) || (thread_x_.defined() && uses_var(expr, thread_x_));
}

void StmtWriter::call(const Evaluate& node) {
  const auto* called = node.call.as<Call>();
  if (called != nullptr && called->function == kStorageSync) return line("__syncthreads();");
  if (called != nullptr && called->function == kCommitCopies) return line("vt::commit_copies();");
  if (called != nullptr && called->function == kWaitCopies) {
    return line(fmt::format("vt::wait_copies<{}>();", expr_.index(called->arguments[0])));
  }
  if (called != nullptr && called->function == kBeginProducts) return line("vt::begin_products();");
  if (called != nullptr && called->function == kCommitProducts) return line("vt::commit_products();");
  if (called != nullptr && called->function == kWaitProducts) {
    return line(fmt::format("vt::wait_products<{}>();", expr_.index(called->arguments[0])));
  }
  if (called != nullptr && called->function == kCopyBox) return copy_box(*called);
  if (called != nullptr && called->function == kBeginArrivals) return begin_arrivals(*called);
  if (called != nullptr && called->function == kAwaitArrival) {
    return line(fmt::format("{}.await({});", arrivals_of(called->arguments[0]), expr_.index(called->arguments[1])));
  }
  if (called != nullptr && called->function == kEndArrivals) {
    return line(fmt::format("{}.end();", arrivals_of(called->arguments[0])));
  }
  if (called != nullptr && is_tile_call(evaluate(node.call))) return tile_call(*called);
  fail("a kernel of a GPU cannot call {}; compute that part on the processor", to_text(node.call));
}

}  // namespace vantage::cuda
