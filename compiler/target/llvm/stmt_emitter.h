// Code for statements: loops, conditions, memory of temporary values.
#pragma once

#include <functional>

#include "compiler/target/llvm/expr_emitter.h"

namespace vantage::compiler {

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
  void emit(const tir::Stmt& stmt);
  // Iterations [begin, end), 64-bit numbers, of a loop that counts from `min`.
  void emit_range(const tir::For& loop, llvm::Value* min, llvm::Value* begin, llvm::Value* end);

 private:
  void emit_for(const tir::For& node);
  void emit_vectorized(const tir::For& node);
  void emit_parallel(const tir::For& node);
  void emit_uneven(const tir::For& node, const Value& min, const Value& extent);
  void emit_if(const tir::If& node);
  void emit_masked(const Value& condition, const tir::Stmt& body);
  void emit_allocate(const tir::Allocate& node);
  // A 64-bit size of a buffer, the same in all lanes.
  llvm::Value* size_of(const tir::Expr& size, const tir::BufferNode& buffer);
  // `count` iterations with the number of each, from 0.
  void repeat(llvm::Value* count, const std::string& name, const std::function<void(llvm::Value*)>& body);
  void in_lanes(const tir::For& node, llvm::Value* first, int lanes);
  llvm::BasicBlock* block(const std::string& name);

  const ModuleBuilder& module_;
  llvm::IRBuilder<>& b_;
  Surroundings around_;
  ExprEmitter exprs_;
  int64_t stack_bytes_ = 0;  // of this function's frame, so far
};

}  // namespace vantage::compiler
