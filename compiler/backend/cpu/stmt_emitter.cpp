#include "compiler/backend/cpu/stmt_emitter.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cpu/outline.h"
#include "compiler/backend/cpu/runtime_calls.h"
#include "compiler/backend/cpu/sizes.h"
#include "compiler/backend/cpu/types.h"
#include "compiler/backend/cpu/vectorize.h"
#include "compiler/ir/visitor.h"

namespace vantage::cpu {

using namespace ir;

namespace {

// Temporary values up to this size, and in all up to that, lie on the stack.
constexpr int64_t kStackBuffer = 32 << 10;
constexpr int64_t kStackFrame = 256 << 10;
// No machine has more bytes.
constexpr double kLargestBuffer = 0x1p47;
// The only buffer that a loop writes; null when there are several.
Buffer only_written(const Stmt& loop) {
  struct Search final : Visitor {
    using Visitor::visit;
    Buffer buffer;
    bool several = false;
    void take(const Buffer& written) {
      several = several || (buffer != nullptr && buffer != written);
      buffer = written;
    }
    void visit_store(const Store& node) override { take(node.buffer); }
    void visit_view(const View& node) override {
      if (node.touch != Touch::kRead) take(node.buffer);
    }
  } search;
  search.visit(loop);
  return search.several ? nullptr : search.buffer;
}

}  // namespace

llvm::BasicBlock* StmtEmitter::block(const std::string& name) {
  return llvm::BasicBlock::Create(module_.context(), name, around_.function);
}

void StmtEmitter::emit(const Stmt& stmt) {
  if (!stmt) return;
  b_.SetCurrentDebugLocation(module_.debug.location(around_.debug, stmt.get()));
  switch (stmt.kind()) {
    case StmtKind::kStore: {
      const auto& node = *stmt.as<Store>();
      return exprs_.store(node.buffer, node.indices, node.value);
    }
    case StmtKind::kFor: {
      // A loop that writes one buffer is a block's.
      const Buffer written = only_written(stmt);
      const DebugScope outside = around_.debug;
      if (written != nullptr) around_.debug = module_.debug.enter(outside, written->name, stmt.get());
      emit_for(*stmt.as<For>());
      around_.debug = outside;
      return;
    }
    case StmtKind::kSeq:
      for (const Stmt& s : stmt.as<Seq>()->stmts) emit(s);
      return;
    case StmtKind::kIf: return emit_if(*stmt.as<If>());
    case StmtKind::kLet: {
      const auto& node = *stmt.as<Let>();
      exprs_.scope().vars[node.var.get()] = exprs_.value(node.value);
      emit(node.body);
      exprs_.scope().vars.erase(node.var.get());
      return;
    }
    case StmtKind::kAllocate: return emit_allocate(*stmt.as<Allocate>());
    case StmtKind::kEvaluate: exprs_.value(stmt.as<Evaluate>()->call); return;
    case StmtKind::kBlock: break;
  }
  internal_check_failed("a statement without blocks", __FILE__, __LINE__);
}

void StmtEmitter::emit_for(const For& node) {
  if (node.loop == ForKind::kThread) {
    fail("the loop {} is bound to {}, which a processor does not have; make it parallel", node.var.name(), node.thread);
  }
  const bool in_lanes = exprs_.lanes().count() > 1;
  if (node.loop == ForKind::kVectorized && !in_lanes && as_int(node.extent) != nullptr) {
    return emit_vectorized(*this, node);
  }
  if (node.loop == ForKind::kParallel && !around_.one_thread) return emit_parallel(node);
  const Value min = exprs_.index(node.min);
  const Value extent = exprs_.index(node.extent);
  if (!extent.is_uniform()) return emit_uneven_loop(*this, node, min, extent);
  repeat(extent.v, node.var.name(), [&](llvm::Value* i) {
    llvm::Value* number = min.is_vector() ? exprs_.lanes().widened({i}) : i;
    exprs_.scope().vars[node.var.get()] = {b_.CreateNSWAdd(min.v, number), min.stride};
    emit(node.body);
    exprs_.scope().vars.erase(node.var.get());
  });
}

void StmtEmitter::repeat(llvm::Value* count, const std::string& name, const std::function<void(llvm::Value*)>& body) {
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* loop = block(name);
  llvm::BasicBlock* after = block(name + ".end");
  llvm::Value* zero = llvm::ConstantInt::get(count->getType(), 0);
  b_.CreateCondBr(b_.CreateICmpSGT(count, zero), loop, after);
  b_.SetInsertPoint(loop);
  llvm::PHINode* i = b_.CreatePHI(count->getType(), 2, name);
  i->addIncoming(zero, before);
  body(i);
  llvm::Value* next = b_.CreateAdd(i, llvm::ConstantInt::get(count->getType(), 1), "", true, true);
  i->addIncoming(next, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpSLT(next, count), loop, after);
  b_.SetInsertPoint(after);
}

void StmtEmitter::emit_on_one_thread(const Stmt& stmt) {
  const bool outside = std::exchange(around_.one_thread, true);
  emit(stmt);
  around_.one_thread = outside;
}

void StmtEmitter::emit_if(const If& node) {
  const Value condition = exprs_.index(node.condition);
  if (!condition.is_uniform()) {
    emit_masked(*this, condition, node.then);
    if (node.otherwise) emit_masked(*this, {b_.CreateNot(condition.v)}, node.otherwise);
    return;
  }
  llvm::BasicBlock* then = block("then");
  llvm::BasicBlock* otherwise = node.otherwise ? block("else") : nullptr;
  llvm::BasicBlock* end = block("end");
  b_.CreateCondBr(condition.v, then, otherwise == nullptr ? end : otherwise);
  b_.SetInsertPoint(then);
  emit(node.then);
  b_.CreateBr(end);
  if (otherwise != nullptr) {
    b_.SetInsertPoint(otherwise);
    emit(node.otherwise);
    b_.CreateBr(end);
  }
  b_.SetInsertPoint(end);
}

llvm::Value* StmtEmitter::size_of(const Expr& size, const BufferNode& buffer) {
  const Value value = exprs_.index(size);
  if (!value.is_uniform()) {
    fail("the size of {} changes from one iteration of a vectorized loop to the next; vectorize another loop",
         buffer.name);
  }
  return value.v;
}

void StmtEmitter::emit_allocate(const Allocate& node) {
  const BufferNode& buffer = *node.buffer;
  Storage storage;
  storage.copies = exprs_.lanes().count();
  for (const Expr& stride : strides_in_64_bits(buffer)) storage.strides.push_back(size_of(stride, buffer));
  const Expr span = span_in_64_bits(buffer);
  const int64_t bytes_each = buffer.dtype.bytes() * storage.copies;
  const llvm::Align align = allocation_alignment(buffer);
  const int64_t* elements = as_int(span);
  const int64_t bytes = elements == nullptr ? 0 : *elements * bytes_each;
  const auto body = [&](llvm::Value* data) {
    storage.data = data;
    exprs_.scope().buffers[node.buffer.get()] = storage;
    emit(node.body);
    exprs_.scope().buffers.erase(node.buffer.get());
  };
  const bool fits = elements != nullptr && *elements > 0 && *elements <= kStackBuffer && bytes <= kStackBuffer;
  if (fits && stack_bytes_ + bytes <= kStackFrame) {
    stack_bytes_ += bytes;
    llvm::BasicBlock& entry = around_.function->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    auto* type = llvm::ArrayType::get(memory_type(module_.context(), buffer.dtype),
                                      static_cast<uint64_t>(*elements * storage.copies));
    llvm::AllocaInst* data = at_entry.CreateAlloca(type, nullptr, buffer.name);
    data->setAlignment(align);
    return body(data);
  }
  llvm::Value* count = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, size_of(span, buffer), b_.getInt64(1));
  llvm::Value* size = b_.CreateMul(count, b_.getInt64(static_cast<uint64_t>(bytes_each)));
  // Products of sizes may wrap; roughly, they do not.
  llvm::Value* roughly = llvm::ConstantFP::get(b_.getDoubleTy(), static_cast<double>(bytes_each));
  for (const Expr& dimension : sizes_in_64_bits(buffer)) {
    roughly = b_.CreateFMul(roughly, b_.CreateSIToFP(size_of(dimension, buffer), b_.getDoubleTy()));
  }
  llvm::Value* too_large = b_.CreateFCmpOGT(roughly, llvm::ConstantFP::get(b_.getDoubleTy(), kLargestBuffer));
  llvm::BasicBlock* sane = block("sane");
  llvm::BasicBlock* got = block("allocated");
  llvm::BasicBlock* none = block("out_of_memory");
  llvm::BasicBlock* end = block("released");
  b_.CreateCondBr(too_large, none, sane);
  b_.SetInsertPoint(sane);
  llvm::Value* data = emit_allocation(b_, around_.runtime, size, align, buffer.name);
  b_.CreateCondBr(b_.CreateIsNull(data), none, got);
  b_.SetInsertPoint(none);
  b_.CreateStore(b_.getInt32(VANTAGE_OUT_OF_MEMORY), around_.status);
  b_.CreateBr(end);
  b_.SetInsertPoint(got);
  body(data);
  emit_release(b_, around_.runtime, data);
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
}

void StmtEmitter::emit_parallel(const For& node) {
  llvm::Value* min = exprs_.index(node.min).v;
  llvm::Value* count = exprs_.uniform_index(node.extent);
  const Outlined outlined = outline(module_, b_, node, exprs_.scope(), around_, min);
  llvm::Value* code = emit_parallel_for(b_, around_.runtime, count, outlined.task, outlined.closure);
  llvm::Value* before = b_.CreateLoad(b_.getInt32Ty(), around_.status);
  b_.CreateStore(b_.CreateSelect(b_.CreateIsNotNull(code), code, before), around_.status);
}

void StmtEmitter::emit_range(const For& loop, llvm::Value* min, llvm::Value* begin, llvm::Value* end) {
  repeat(b_.CreateNSWSub(end, begin), loop.var.name(), [&](llvm::Value* i) {
    llvm::Value* number = b_.CreateTrunc(b_.CreateNSWAdd(begin, i), min->getType());
    exprs_.scope().vars[loop.var.get()] = {b_.CreateNSWAdd(min, number)};
    emit(loop.body);
  });
}

}  // namespace vantage::cpu
