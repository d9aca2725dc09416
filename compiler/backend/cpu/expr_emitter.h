// Code for expressions, in one lane or in many.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/backend/cpu/arithmetic.h"
#include "compiler/backend/cpu/module_builder.h"
#include "compiler/backend/cpu/scope.h"

namespace vantage::cpu {

class ExprEmitter {
 public:
  ExprEmitter(const ModuleBuilder& module, llvm::IRBuilder<>& builder) : module_(module), b_(builder) {}

  Scope& scope() { return scope_; }

  // --- Lanes. Inside of a vectorized loop all code works on so many iterations at once, of which those take effect
  // whose bit of the mask is set; null: all.
  int lanes() const { return lanes_; }
  llvm::Value* mask() const { return mask_; }
  void set_lanes(int lanes) { lanes_ = lanes; }
  void set_mask(llvm::Value* mask) { mask_ = mask; }
  // The current mask, and a condition on top of it.
  llvm::Value* narrowed_mask(const Value& condition);

  // Data: integers wrap.
  Value value(const ir::Expr& expr);
  // Indices, bounds of loops, conditions on them: they do not overflow.
  Value index(const ir::Expr& expr);
  // The same as a 64-bit integer, one for all lanes.
  llvm::Value* uniform_index(const ir::Expr& expr);
  void store(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices, const ir::Expr& value);

  // As a vector of all lanes (a scalar outside of vectorized loops).
  llvm::Value* widened(const Value& value);

 private:
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
  Value emit_load(const ir::Load& node);
  Value emit_dot_sum(const ir::Expr& sum, const ir::Call& dot);
  // `chosen` where the condition holds, else `other`; neither is evaluated where it is not wanted.
  template <typename Chosen, typename Other>
  Value choose(const Value& condition, bool cheap, const Chosen& chosen, const Other& other);

  Place place(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);
  Value to_int64(const Value& value);
  llvm::Value* element_pointer(const Place& place, ir::DType dtype, llvm::Value* offset);
  llvm::Value* any_lane();
  llvm::Value* full_mask();
  llvm::Value* reverse(llvm::Value* vector);
  llvm::Value* never_faulting(llvm::Value* pointer, ir::DType dtype);

  const ModuleBuilder& module_;
  llvm::IRBuilder<>& b_;
  Scope scope_;
  int lanes_ = 1;
  llvm::Value* mask_ = nullptr;
  Overflow overflow_ = Overflow::kWraps;
};

}  // namespace vantage::cpu
