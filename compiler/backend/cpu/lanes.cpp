#include "compiler/backend/cpu/lanes.h"

#include <llvm/IR/Constants.h>

#include "compiler/backend/cpu/types.h"

namespace vantage::cpu {

llvm::Value* Lanes::widened(const Value& value) {
  if (count_ == 1 || value.is_vector()) return value.v;
  llvm::Value* all = b_.CreateVectorSplat(static_cast<unsigned>(count_), value.v);
  if (value.stride == 0) return all;
  std::vector<llvm::Constant*> steps;
  for (int lane = 0; lane < count_; ++lane) {
    steps.push_back(llvm::ConstantInt::getSigned(value.v->getType(), lane * value.stride));
  }
  return b_.CreateAdd(all, llvm::ConstantVector::get(steps));
}

llvm::Value* Lanes::at(const Value& value, int lane) {
  if (value.is_vector()) return b_.CreateExtractElement(value.v, static_cast<uint64_t>(lane));
  if (value.stride == 0 || lane == 0) return value.v;
  return b_.CreateAdd(value.v, llvm::ConstantInt::getSigned(value.v->getType(), lane * value.stride));
}

llvm::Value* Lanes::narrowed_mask(const Value& condition) {
  llvm::Value* holds = widened(condition);
  return mask_ == nullptr ? holds : b_.CreateLogicalAnd(mask_, holds);
}

llvm::Value* Lanes::full_mask() {
  if (mask_ != nullptr) return mask_;
  return llvm::ConstantInt::getTrue(with_lanes(b_.getInt1Ty(), count_));
}

llvm::Value* Lanes::any() {
  return b_.CreateOrReduce(mask_);
}

}  // namespace vantage::cpu
