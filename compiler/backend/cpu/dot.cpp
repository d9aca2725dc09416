#include "compiler/backend/cpu/dot.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/TargetParser/Triple.h>

#include <functional>

#include "compiler/backend/cpu/types.h"

namespace vantage::cpu {

namespace {

using Dot = std::function<llvm::Value*(llvm::Value* sum, llvm::Value* a, llvm::Value* b)>;

// On any processor, scalars too.
llvm::Value* plain(llvm::IRBuilder<>& b, bool is_unsigned, llvm::Value* sum, llvm::Value* x, llvm::Value* y) {
  const auto byte = [&](llvm::Value* word, unsigned number, bool zero_extended) {
    llvm::Type* type = word->getType();
    llvm::Value* top = b.CreateShl(word, llvm::ConstantInt::get(type, 24 - 8 * number));
    llvm::Constant* by = llvm::ConstantInt::get(type, 24);
    return zero_extended ? b.CreateLShr(top, by) : b.CreateAShr(top, by);
  };
  for (unsigned i = 0; i < 4; ++i) sum = b.CreateAdd(sum, b.CreateMul(byte(x, i, is_unsigned), byte(y, i, false)));
  return sum;
}

// Even and odd bytes as 16-bit numbers, which x86 multiplies and adds in pairs.
llvm::Value* by_pairs(llvm::IRBuilder<>& b, llvm::Intrinsic::ID multiply_add, bool is_unsigned, llvm::Value* sum,
                      llvm::Value* x, llvm::Value* y) {
  llvm::Type* shorts = llvm::FixedVectorType::get(b.getInt16Ty(), static_cast<unsigned>(2 * lanes_of(x)));
  llvm::Constant* eight = llvm::ConstantInt::get(shorts, 8);
  const auto widen = [&](llvm::Value* v, bool zero_extended) {
    return zero_extended ? b.CreateLShr(v, eight) : b.CreateAShr(v, eight);
  };
  llvm::Value *xs = b.CreateBitCast(x, shorts), *ys = b.CreateBitCast(y, shorts);
  llvm::Value* odd = b.CreateIntrinsic(multiply_add, {}, {widen(xs, is_unsigned), widen(ys, false)});
  xs = b.CreateShl(xs, eight);
  ys = b.CreateShl(ys, eight);
  llvm::Value* even = b.CreateIntrinsic(multiply_add, {}, {widen(xs, is_unsigned), widen(ys, false)});
  return b.CreateAdd(sum, b.CreateAdd(odd, even));
}

// What the target does `lanes` words with at once; null where it has nothing for so many.
Dot instruction(llvm::IRBuilder<>& b, const Target& target, bool is_unsigned, int lanes) {
  const auto pick = [&](llvm::Intrinsic::ID four, llvm::Intrinsic::ID eight, llvm::Intrinsic::ID sixteen) {
    return lanes == 4 ? four : lanes == 8 ? eight : sixteen;
  };
  if (lanes * 4 > target.vector_bytes || lanes < 4) return nullptr;
  if (target.dot == DotProduct::kVnni && is_unsigned) {
    const auto id = pick(llvm::Intrinsic::x86_avx512_vpdpbusd_128, llvm::Intrinsic::x86_avx512_vpdpbusd_256,
                         llvm::Intrinsic::x86_avx512_vpdpbusd_512);
    return [&b, id](auto* sum, auto* x, auto* y) { return b.CreateIntrinsic(id, {}, {sum, x, y}); };
  }
  if (target.dot == DotProduct::kNeon && !is_unsigned && lanes == 4) {
    return [&b](llvm::Value* sum, llvm::Value* x, llvm::Value* y) {
      llvm::Type* bytes = llvm::FixedVectorType::get(b.getInt8Ty(), 16);
      return b.CreateIntrinsic(llvm::Intrinsic::aarch64_neon_sdot, {sum->getType(), bytes},
                               {sum, b.CreateBitCast(x, bytes), b.CreateBitCast(y, bytes)});
    };
  }
  if (llvm::Triple(target.triple).isX86()) {
    const auto id = pick(llvm::Intrinsic::x86_sse2_pmadd_wd, llvm::Intrinsic::x86_avx2_pmadd_wd,
                         llvm::Intrinsic::x86_avx512_pmaddw_d_512);
    return [&b, id, is_unsigned](auto* sum, auto* x, auto* y) { return by_pairs(b, id, is_unsigned, sum, x, y); };
  }
  return nullptr;
}

}  // namespace

llvm::Value* emit_dot4(llvm::IRBuilder<>& b, const Target& target, bool is_unsigned, llvm::Value* sum, llvm::Value* x,
                       llvm::Value* y) {
  const int lanes = lanes_of(sum);
  const int native = std::min(lanes, target.vector_bytes / 4);
  const Dot dot = instruction(b, target, is_unsigned, native);
  if (dot == nullptr) return plain(b, is_unsigned, sum, x, y);
  // Lanes are powers of two, so longer vectors are whole numbers of native ones.
  if (lanes == native) return dot(sum, x, y);
  llvm::Value* result = llvm::PoisonValue::get(sum->getType());
  for (int begin = 0; begin < lanes; begin += native) {
    llvm::Value* piece = dot(slice(b, sum, begin, native), slice(b, x, begin, native), slice(b, y, begin, native));
    result = b.CreateInsertVector(sum->getType(), result, piece, b.getInt64(static_cast<uint64_t>(begin)));
  }
  return result;
}

}  // namespace vantage::cpu
