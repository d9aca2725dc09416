// Code for expressions, in one lane or in many.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/backend/cpu/arithmetic.h"
#include "compiler/backend/cpu/lanes.h"
#include "compiler/backend/cpu/module_builder.h"
#include "compiler/backend/cpu/scope.h"

namespace vantage::cpu {

class ExprEmitter {
 public:
  ExprEmitter(const ModuleBuilder& module, llvm::IRBuilder<>& builder)
      : module_(module), b_(builder), lanes_(builder) {}

  Scope& scope() { return scope_; }

  // Inside of a vectorized loop all code works on so many iterations at once.
  Lanes& lanes() { return lanes_; }

  // Data: integers wrap.
  Value value(const ir::Expr& expr);
  // Indices, bounds of loops, conditions on them: they do not overflow.
  Value index(const ir::Expr& expr);
  // The same as a 64-bit integer, one for all lanes.
  llvm::Value* uniform_index(const ir::Expr& expr);
  void store(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices, const ir::Expr& value);

 private:
  static void fuse(llvm::Value* sum);
  struct Place {
    llvm::Value* data;
    Value offset;  // elements, 64 bits
  };

  Value emit(const ir::Expr& expr);
  Value emit_literal(const ir::Expr& expr);
  Value emit_binary(const ir::Expr& expr);
  Value emit_logic(const ir::Binary& node);
  Value emit_select(const ir::Select& node);
  Value emit_call(const ir::Call& node);
  Value emit_extern(const ir::Call& node);
  Value emit_load(const ir::Load& node);
  Value emit_dot_sum(const ir::Expr& sum, const ir::Call& dot);
  // `chosen` where the condition holds, else `other`; neither is evaluated where it is not wanted.
  template <typename Chosen, typename Other>
  Value choose(const Value& condition, bool cheap, const Chosen& chosen, const Other& other);

  Place place(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);
  Value to_int64(const Value& value);
  llvm::Value* element_pointer(const Place& place, ir::DType dtype, llvm::Value* offset);
  llvm::Value* widened(const Value& value) { return lanes_.widened(value); }
  llvm::Value* never_faulting(llvm::Value* pointer, ir::DType dtype);

  const ModuleBuilder& module_;
  llvm::IRBuilder<>& b_;
  Scope scope_;
  Lanes lanes_;
  Overflow overflow_ = Overflow::kWraps;
};

}  // namespace vantage::cpu
