// Code for statements: loops, conditions, memory of temporary values. Vectorized loops are in vectorize.h, parallel
// ones in outline.h.
#pragma once

#include <functional>

#include "compiler/backend/cpu/expr_emitter.h"

namespace vantage::cpu {

// What the generated function has at hand besides the program's values.
struct Surroundings {
  llvm::Function* function = nullptr;
  DebugScope debug;
  llvm::Value* runtime = nullptr;  // vantage_runtime of native/abi.h
  llvm::Value* status = nullptr;   // where failures at run time are kept: an int32 in memory
  bool one_thread = false;         // inside of a parallel or vectorized loop: parallel ones run on this thread
};

class StmtEmitter {
 public:
  StmtEmitter(const ModuleBuilder& module, llvm::IRBuilder<>& builder, const Surroundings& around)
      : module_(module), b_(builder), around_(around), exprs_(module, builder) {}

  ExprEmitter& exprs() { return exprs_; }
  llvm::IRBuilder<>& builder() { return b_; }
  const Target& target() const { return module_.target; }

  void emit(const ir::Stmt& stmt);
  // The same with parallel loops inside of it on this thread.
  void emit_on_one_thread(const ir::Stmt& stmt);
  // Iterations [begin, end), 64-bit numbers, of a loop that counts from `min`.
  void emit_range(const ir::For& loop, llvm::Value* min, llvm::Value* begin, llvm::Value* end);
  // `count` iterations with the number of each, from 0.
  void repeat(llvm::Value* count, const std::string& name, const std::function<void(llvm::Value*)>& body);
  // A new block of the function, not yet reached from anywhere.
  llvm::BasicBlock* block(const std::string& name);

 private:
  void emit_for(const ir::For& node);
  void emit_parallel(const ir::For& node);
  void emit_if(const ir::If& node);
  void emit_allocate(const ir::Allocate& node);
  // A 64-bit size of a buffer, the same in all lanes.
  llvm::Value* size_of(const ir::Expr& size, const ir::BufferNode& buffer);

  const ModuleBuilder& module_;
  llvm::IRBuilder<>& b_;
  Surroundings around_;
  ExprEmitter exprs_;
  int64_t stack_bytes_ = 0;  // of this function's frame, so far
};

}  // namespace vantage::cpu
