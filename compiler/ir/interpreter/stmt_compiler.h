// Functions and their statements to instructions.
#pragma once

#include "compiler/ir/interpreter/expr_compiler.h"
#include "compiler/ir/interpreter/interpreter.h"

namespace vantage::ir::interpreter {

// Throws Error for what cannot be run whatever the arguments.
Program compile(const PrimFunc& function, const InterpreterOptions& options);

class StmtCompiler {
 public:
  explicit StmtCompiler(const InterpreterOptions& options) : options_(options), exprs_(out_, options.externs) {}
  void function(const PrimFunc& function);
  Program finish() { return std::move(out_.program); }

 private:
  void parameters(const PrimFunc& function);
  void statement(const Stmt& stmt);
  void store(const Store& node);
  void loop(const Stmt& stmt);
  void counted_loop(const For& node, bool check_iterations);
  void kernel(const Stmt& outermost);
  void add_dimensions(Kernel& kernel, const Stmt& outermost);
  void add_memory(Kernel& kernel, const Stmt& outermost);
  void thread_loop(const For& node);
  void block(const Block& node);
  void condition(const If& node);
  void let(const Let& node);
  void allocate(const Allocate& node);
  // The instruction that makes the buffer's elements.
  void allocation(const Buffer& buffer, int32_t memory);
  // A register per size and then per stride that the buffer has.
  int32_t dimensions(const Buffer& buffer);

  const InterpreterOptions& options_;
  Assembler out_;
  ExprCompiler exprs_;
  const Kernel* kernel_ = nullptr;  // the one being compiled
  bool in_parallel_ = false;        // in a parallel loop whose iterations are checked
};

}  // namespace vantage::ir::interpreter
