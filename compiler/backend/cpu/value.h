// Values while code is generated. Inside of a vectorized loop an expression has one value per lane; many are the same
// in all lanes or rise evenly from one to the next, and stay scalars for as long as that is so.
#pragma once

#include <llvm/IR/Value.h>

#include <cstdint>

namespace vantage::cpu {

struct Value {
  // The value of every lane; with a stride that of lane 0; or a vector of all.
  llvm::Value* v = nullptr;
  // Lane l has v + l * stride. Integers only; 0 for vectors.
  int64_t stride = 0;

  bool is_vector() const { return v->getType()->isVectorTy(); }
  bool is_uniform() const { return !is_vector() && stride == 0; }
};

}  // namespace vantage::cpu
