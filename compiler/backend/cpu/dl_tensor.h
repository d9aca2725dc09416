// DLTensor (dlpack.h) as LLVM's type.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace vantage::cpu {

// Its members, the device and the type taken apart.
enum class DlMember : unsigned {
  kData,
  kDeviceType,
  kDeviceId,
  kRank,
  kDTypeCode,
  kDTypeBits,
  kDTypeLanes,
  kShape,
  kStrides,
  kByteOffset
};

inline llvm::StructType* dl_tensor_type(llvm::LLVMContext& context) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type *i8 = llvm::Type::getInt8Ty(context), *i16 = llvm::Type::getInt16Ty(context);
  llvm::Type *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  return llvm::StructType::get(context, {pointer, i32, i32, i32, i8, i8, i16, pointer, pointer, i64});
}

// Where a member of the tensor at this address is.
inline llvm::Value* dl_member(llvm::IRBuilder<>& builder, llvm::Value* tensor, DlMember member) {
  return builder.CreateStructGEP(dl_tensor_type(builder.getContext()), tensor, static_cast<unsigned>(member));
}

}  // namespace vantage::cpu
