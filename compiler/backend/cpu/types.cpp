#include "compiler/backend/cpu/types.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cpu/bfloat16.h"

namespace vantage::cpu {

llvm::Type* value_type(llvm::LLVMContext& context, ir::DType dtype) {
  if (dtype.is_bool()) return llvm::Type::getInt1Ty(context);
  if (dtype.is_int()) return llvm::Type::getIntNTy(context, static_cast<unsigned>(dtype.bits()));
  if (dtype == ir::kFloat16) return llvm::Type::getHalfTy(context);
  if (dtype == ir::kFloat32 || dtype == ir::kBFloat16) return llvm::Type::getFloatTy(context);
  if (dtype == ir::kFloat64) return llvm::Type::getDoubleTy(context);
  internal_check_failed("a type with values", __FILE__, __LINE__);
}

llvm::Type* memory_type(llvm::LLVMContext& context, ir::DType dtype) {
  if (dtype.is_float() && dtype != ir::kBFloat16) return value_type(context, dtype);
  return llvm::Type::getIntNTy(context, static_cast<unsigned>(dtype.bytes()) * 8);
}

llvm::Align alignment_of(const ir::BufferNode& buffer) {
  return llvm::Align(static_cast<uint64_t>(std::max(buffer.alignment, buffer.dtype.bytes())));
}

llvm::Align allocation_alignment(const ir::BufferNode& buffer) {
  constexpr int kCacheLine = 64;
  const int wish = buffer.alignment == 0 ? kCacheLine : buffer.alignment;
  return llvm::Align(static_cast<uint64_t>(std::max(wish, buffer.dtype.bytes())));
}

llvm::Type* with_lanes(llvm::Type* element, int lanes) {
  return lanes == 1 ? element : llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes));
}

int lanes_of(const llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return type == nullptr ? 1 : static_cast<int>(type->getNumElements());
}

llvm::Value* slice(llvm::IRBuilder<>& builder, llvm::Value* vector, int begin, int count) {
  std::vector<int> mask;
  for (int i = 0; i < count; ++i) mask.push_back(begin + i < lanes_of(vector) ? begin + i : -1);
  return builder.CreateShuffleVector(vector, mask);
}

llvm::Value* from_memory(llvm::IRBuilder<>& builder, ir::DType dtype, llvm::Value* value) {
  if (dtype.is_bool()) return builder.CreateIsNotNull(value);
  if (dtype == ir::kBFloat16) return bfloat16_from_bits(builder, value);
  if (!dtype.is_int()) return value;
  llvm::Type* wanted = value_type(builder.getContext(), dtype);
  return builder.CreateTrunc(value, value->getType()->getWithNewType(wanted));
}

llvm::Value* to_memory(llvm::IRBuilder<>& builder, ir::DType dtype, llvm::Value* value) {
  if (dtype == ir::kBFloat16) return bits_of_bfloat16(builder, value);
  if (dtype.is_float()) return value;
  llvm::Type* wanted = value->getType()->getWithNewType(memory_type(builder.getContext(), dtype));
  return dtype.is_signed() ? builder.CreateSExt(value, wanted) : builder.CreateZExt(value, wanted);
}

}  // namespace vantage::cpu
