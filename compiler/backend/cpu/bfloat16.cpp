#include "compiler/backend/cpu/bfloat16.h"

namespace vantage::cpu {

namespace {

llvm::Type* word_type(llvm::IRBuilder<>& b, const llvm::Value* like) {
  return like->getType()->getWithNewType(b.getInt32Ty());
}

}  // namespace

llvm::Value* bfloat16_from_bits(llvm::IRBuilder<>& b, llvm::Value* bits) {
  llvm::Value* word = b.CreateShl(b.CreateZExt(bits, word_type(b, bits)), 16);
  return b.CreateBitCast(word, bits->getType()->getWithNewType(b.getFloatTy()));
}

llvm::Value* bits_of_bfloat16(llvm::IRBuilder<>& b, llvm::Value* value) {
  llvm::Value* word = b.CreateLShr(b.CreateBitCast(value, word_type(b, value)), 16);
  return b.CreateTrunc(word, value->getType()->getWithNewType(b.getInt16Ty()));
}

llvm::Value* round_to_bfloat16(llvm::IRBuilder<>& b, llvm::Value* value) {
  llvm::Type* type = word_type(b, value);
  const auto constant = [&](uint32_t bits) { return llvm::ConstantInt::get(type, bits); };
  llvm::Value* word = b.CreateBitCast(value, type);
  // Half of the last place that is kept, or just less where that is even already; a carry runs into the exponent.
  llvm::Value* odd = b.CreateAnd(b.CreateLShr(word, 16), constant(1));
  llvm::Value* nearest = b.CreateAdd(word, b.CreateAdd(odd, constant(0x7fff)));
  // What is no number stays none, whatever its lower half.
  llvm::Value* none = b.CreateOr(word, constant(0x400000));
  llvm::Value* result = b.CreateSelect(b.CreateFCmpUNO(value, value), none, nearest);
  return b.CreateBitCast(b.CreateAnd(result, constant(0xffff0000U)), value->getType());
}

}  // namespace vantage::cpu
