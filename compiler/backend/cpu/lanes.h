// The lanes of vectorized code: how many iterations it works on at once, and which of them take effect. Outside of
// vectorized loops there is one lane, and values are scalars.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/backend/cpu/value.h"

namespace vantage::cpu {

class Lanes {
 public:
  // Generates code at the builder's place.
  explicit Lanes(llvm::IRBuilder<>& builder) : b_(builder) {}

  int count() const { return count_; }
  void set_count(int count) { count_ = count; }

  // A vector of bits: the lanes that take effect. Null: all do.
  llvm::Value* mask() const { return mask_; }
  void set_mask(llvm::Value* mask) { mask_ = mask; }

  // A value as a vector of all lanes; as it is where there is one lane.
  llvm::Value* widened(const Value& value);
  // The value of one lane.
  llvm::Value* at(const Value& value, int lane);
  // The current mask, and a condition on top of it.
  llvm::Value* narrowed_mask(const Value& condition);
  // The mask as a vector even where it is null.
  llvm::Value* full_mask();
  // Whether any lane takes effect, as a scalar bit; there must be a mask.
  llvm::Value* any();

 private:
  llvm::IRBuilder<>& b_;
  int count_ = 1;
  llvm::Value* mask_ = nullptr;
};

}  // namespace vantage::cpu
