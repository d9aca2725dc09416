#include "compiler/backend/cpu/arithmetic.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "base/error.h"
#include "compiler/backend/cpu/bfloat16.h"
#include "compiler/backend/cpu/types.h"

namespace vantage::cpu {

namespace {

using ir::BinaryOp;
using ir::DType;

llvm::Constant* constant(llvm::Value* like, int64_t value) {
  return llvm::ConstantInt::getSigned(like->getType(), value);
}

// The value of an integer literal or a vector of equal ones.
const llvm::APInt* literal(const llvm::Value* value) {
  const auto* c = llvm::dyn_cast<llvm::Constant>(value);
  if (c == nullptr) return nullptr;
  if (c->getType()->isVectorTy()) c = c->getSplatValue();
  const auto* i = c == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(c);
  return i == nullptr ? nullptr : &i->getValue();
}

// A divisor that the processor can divide by, and what undoes the replacement.
llvm::Value* emit_division(llvm::IRBuilder<>& b, BinaryOp op, llvm::Value* x, llvm::Value* y) {
  const bool floor = op == BinaryOp::kFloorDiv || op == BinaryOp::kFloorMod;
  const bool quotient = op == BinaryOp::kFloorDiv || op == BinaryOp::kTruncDiv;
  const llvm::APInt* known = literal(y);
  if (known != nullptr && known->isStrictlyPositive()) {
    if (floor && known->isPowerOf2()) {
      return quotient ? b.CreateAShr(x, constant(x, known->logBase2()))
                      : b.CreateAnd(x, constant(x, known->getSExtValue() - 1));
    }
    if (!floor) return quotient ? b.CreateSDiv(x, y) : b.CreateSRem(x, y);
    llvm::Value* rest = b.CreateSRem(x, y);
    llvm::Value* below = b.CreateICmpSLT(rest, constant(x, 0));
    if (!quotient) return b.CreateSelect(below, b.CreateAdd(rest, y), rest);
    return b.CreateAdd(b.CreateSDiv(x, y), b.CreateSExt(below, x->getType()));
  }
  // Division by 0 and of the smallest value by -1 would trap; the latter wraps.
  llvm::Value* by_zero = b.CreateIsNull(y);
  llvm::Value* by_minus_one = b.CreateICmpEQ(y, constant(y, -1));
  llvm::Value* divisor = b.CreateSelect(b.CreateOr(by_zero, by_minus_one), constant(y, 1), y);
  llvm::Value* rest = b.CreateSRem(x, divisor);
  llvm::Value* result = quotient ? b.CreateSDiv(x, divisor) : rest;
  if (floor) {
    llvm::Value* apart = b.CreateICmpSLT(b.CreateXor(rest, divisor), constant(x, 0));
    llvm::Value* correct = b.CreateAnd(b.CreateIsNotNull(rest), apart);
    result = quotient ? b.CreateAdd(result, b.CreateSExt(correct, x->getType()))
                      : b.CreateSelect(correct, b.CreateAdd(rest, divisor), rest);
  }
  if (quotient) result = b.CreateSelect(by_minus_one, b.CreateNeg(x), result);
  return b.CreateSelect(by_zero, constant(x, 0), result);
}

// Without signs there is nothing to round down or to wrap.
llvm::Value* emit_unsigned_division(llvm::IRBuilder<>& b, BinaryOp op, llvm::Value* x, llvm::Value* y) {
  const bool quotient = op == BinaryOp::kFloorDiv || op == BinaryOp::kTruncDiv;
  const auto divide = [&](llvm::Value* by) { return quotient ? b.CreateUDiv(x, by) : b.CreateURem(x, by); };
  const llvm::APInt* known = literal(y);
  if (known != nullptr && !known->isZero()) return divide(y);
  llvm::Value* by_zero = b.CreateIsNull(y);
  return b.CreateSelect(by_zero, constant(x, 0), divide(b.CreateSelect(by_zero, constant(y, 1), y)));
}

// The width or more shifts all out.
llvm::Value* emit_unsigned_shift(llvm::IRBuilder<>& b, bool left, llvm::Value* x, llvm::Value* amount) {
  llvm::Value* all = b.CreateICmpUGE(amount, constant(amount, x->getType()->getScalarSizeInBits()));
  llvm::Value* by = b.CreateSelect(all, constant(amount, 0), amount);
  return b.CreateSelect(all, constant(x, 0), left ? b.CreateShl(x, by) : b.CreateLShr(x, by));
}

// A negative amount shifts the other way; the width or more shifts all out.
llvm::Value* emit_shift(llvm::IRBuilder<>& b, bool left, llvm::Value* x, llvm::Value* amount) {
  const unsigned bits = x->getType()->getScalarSizeInBits();
  const auto to_left = [&](llvm::Value* by) {
    llvm::Value* all = b.CreateICmpUGE(by, constant(by, bits));
    llvm::Value* shifted = b.CreateShl(x, b.CreateSelect(all, constant(by, 0), by));
    return b.CreateSelect(all, constant(x, 0), shifted);
  };
  const auto to_right = [&](llvm::Value* by) {
    llvm::Value* all = b.CreateICmpUGE(by, constant(by, bits));
    return b.CreateAShr(x, b.CreateSelect(all, constant(by, bits - 1), by));
  };
  llvm::Value* forth = left ? to_left(amount) : to_right(amount);
  llvm::Value* minus = b.CreateNeg(amount);
  llvm::Value* back = left ? to_right(minus) : to_left(minus);
  return b.CreateSelect(b.CreateICmpSLT(amount, constant(amount, 0)), back, forth);
}

llvm::CmpInst::Predicate predicate(BinaryOp op, DType dtype) {
  using P = llvm::CmpInst::Predicate;
  const auto choose = [&](P of_floats, P of_signed, P of_unsigned) {
    return dtype.is_float() ? of_floats : dtype.is_signed() ? of_signed : of_unsigned;
  };
  switch (op) {
    case BinaryOp::kEq: return choose(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ);
    case BinaryOp::kNe: return choose(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE);
    case BinaryOp::kLt: return choose(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT);
    case BinaryOp::kLe: return choose(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE);
    case BinaryOp::kGt: return choose(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT);
    case BinaryOp::kGe: return choose(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE);
    default: break;
  }
  internal_check_failed("a comparison", __FILE__, __LINE__);
}

bool is_known_number(const llvm::Value* value) {
  const auto* c = llvm::dyn_cast<llvm::Constant>(value);
  if (c != nullptr && c->getType()->isVectorTy()) c = c->getSplatValue();
  const auto* f = c == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantFP>(c);
  return f != nullptr && !f->isNaN();
}

// What is not a number wins, whichever side it is on.
llvm::Value* emit_extreme(llvm::IRBuilder<>& b, bool smaller, llvm::Value* x, llvm::Value* y) {
  if (is_known_number(x)) {
    return b.CreateSelect(smaller ? b.CreateFCmpULT(y, x) : b.CreateFCmpUGT(y, x), y, x);
  }
  llvm::Value* better = smaller ? b.CreateFCmpOLT(y, x) : b.CreateFCmpOGT(y, x);
  if (!is_known_number(y)) better = b.CreateOr(better, b.CreateFCmpUNO(y, y));
  return b.CreateSelect(better, y, x);
}

// Whether a float's operation makes values other than its operands.
bool is_arithmetic(BinaryOp op) {
  return op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kMul || op == BinaryOp::kDiv;
}

llvm::Value* emit_float(llvm::IRBuilder<>& b, BinaryOp op, llvm::Value* x, llvm::Value* y) {
  switch (op) {
    case BinaryOp::kAdd: return b.CreateFAdd(x, y);
    case BinaryOp::kSub: return b.CreateFSub(x, y);
    case BinaryOp::kMul: return b.CreateFMul(x, y);
    case BinaryOp::kDiv: return b.CreateFDiv(x, y);
    case BinaryOp::kMin: return emit_extreme(b, true, x, y);
    case BinaryOp::kMax: return emit_extreme(b, false, x, y);
    default: return b.CreateFCmp(predicate(op, ir::kFloat64), x, y);
  }
}

// From double to float with a trace of what was cut off, an odd last digit, so that what rounds to a narrower type next
// does it as if it were the only one.
llvm::Value* odd_float(llvm::IRBuilder<>& b, llvm::Value* value) {
  llvm::Type* f32 = value->getType()->getWithNewType(b.getFloatTy());
  llvm::Type* i32 = value->getType()->getWithNewType(b.getInt32Ty());
  llvm::Value* nearest = b.CreateFPTrunc(value, f32);
  llvm::Value* again = b.CreateFPExt(nearest, value->getType());
  llvm::Value* too_large = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, again),
                                           b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
  llvm::Value* bits = b.CreateBitCast(nearest, i32);
  bits = b.CreateAdd(bits, b.CreateSExt(too_large, i32));
  bits = b.CreateOr(bits, b.CreateZExt(b.CreateFCmpUNE(again, value), i32));
  return b.CreateBitCast(bits, f32);
}

// The same from a signed integer of up to 64 bits to double.
llvm::Value* odd_double(llvm::IRBuilder<>& b, llvm::Value* value) {
  constexpr int64_t kExact = int64_t{1} << 53, kRest = (1 << 11) - 1;
  value = b.CreateSExt(value, value->getType()->getWithNewType(b.getInt64Ty()));
  llvm::Value* small =
      b.CreateAnd(b.CreateICmpSLE(value, constant(value, kExact)), b.CreateICmpSGE(value, constant(value, -kExact)));
  llvm::Value* rest = b.CreateIsNotNull(b.CreateAnd(value, constant(value, kRest)));
  llvm::Value* odd = b.CreateSelect(rest, constant(value, kRest + 1), constant(value, 0));
  llvm::Value* kept = b.CreateOr(b.CreateAnd(value, constant(value, ~kRest)), odd);
  return b.CreateSIToFP(b.CreateSelect(small, value, kept), value->getType()->getWithNewType(b.getDoubleTy()));
}

llvm::Value* cast_to_bfloat16(llvm::IRBuilder<>& b, DType from, llvm::Value* value) {
  constexpr int kFloatDigits = 24, kDoubleDigits = 53;
  llvm::Type* f32 = value->getType()->getWithNewType(b.getFloatTy());
  if (from == ir::kFloat64) {
    value = odd_float(b, value);
  } else if (from.is_float()) {
    value = b.CreateFPCast(value, f32);
  } else if (from.bits() <= kFloatDigits) {
    value = emit_cast(b, from, ir::kFloat32, value);
  } else {
    value = odd_float(b, from.bits() > kDoubleDigits ? odd_double(b, value) : emit_cast(b, from, ir::kFloat64, value));
  }
  return round_to_bfloat16(b, value);
}

}  // namespace

llvm::Value* emit_binary(llvm::IRBuilder<>& b, BinaryOp op, DType dtype, llvm::Value* x, llvm::Value* y,
                         Overflow overflow) {
  if (dtype == ir::kBFloat16 && is_arithmetic(op)) return round_to_bfloat16(b, emit_float(b, op, x, y));
  if (dtype.is_float()) return emit_float(b, op, x, y);
  const bool nsw = overflow == Overflow::kNever;
  const bool has_signs = !dtype.is_unsigned();
  switch (op) {
    case BinaryOp::kAdd: return b.CreateAdd(x, y, "", false, nsw);
    case BinaryOp::kSub: return b.CreateSub(x, y, "", false, nsw);
    case BinaryOp::kMul: return b.CreateMul(x, y, "", false, nsw);
    case BinaryOp::kFloorDiv:
    case BinaryOp::kFloorMod:
    case BinaryOp::kTruncDiv:
    case BinaryOp::kTruncMod: return has_signs ? emit_division(b, op, x, y) : emit_unsigned_division(b, op, x, y);
    case BinaryOp::kMin:
      return b.CreateBinaryIntrinsic(has_signs ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
    case BinaryOp::kMax:
      return b.CreateBinaryIntrinsic(has_signs ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
    case BinaryOp::kAnd:
    case BinaryOp::kBitAnd: return b.CreateAnd(x, y);
    case BinaryOp::kOr:
    case BinaryOp::kBitOr: return b.CreateOr(x, y);
    case BinaryOp::kBitXor: return b.CreateXor(x, y);
    case BinaryOp::kShl: return has_signs ? emit_shift(b, true, x, y) : emit_unsigned_shift(b, true, x, y);
    case BinaryOp::kShr: return has_signs ? emit_shift(b, false, x, y) : emit_unsigned_shift(b, false, x, y);
    default: return b.CreateICmp(predicate(op, dtype), x, y);
  }
}

llvm::Value* emit_cast(llvm::IRBuilder<>& b, DType from, DType to, llvm::Value* value) {
  if (from == to) return value;
  if (to == ir::kBFloat16) return cast_to_bfloat16(b, from, value);
  if (from == ir::kBFloat16) return emit_cast(b, ir::kFloat32, to, value);
  llvm::Type* wanted = value->getType()->getWithNewType(value_type(b.getContext(), to));
  if (from.is_float()) {
    llvm::Value* zero = llvm::Constant::getNullValue(value->getType());
    if (to.is_bool()) return b.CreateFCmpUNE(value, zero);
    if (to.is_int()) {
      // By way of float32, which holds every float16: where the processor converts halves itself (AVX512-FP16), LLVM
      // makes the smallest integer of a NaN, not 0.
      if (from == ir::kFloat16) value = b.CreateFPExt(value, value->getType()->getWithNewType(b.getFloatTy()));
      const auto saturating = to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
      return b.CreateIntrinsic(saturating, {wanted, value->getType()}, {value});
    }
    if (from == ir::kFloat64 && to == ir::kFloat16) return b.CreateFPTrunc(odd_float(b, value), wanted);
    return b.CreateFPCast(value, wanted);
  }
  if (to.is_float()) return from.is_signed() ? b.CreateSIToFP(value, wanted) : b.CreateUIToFP(value, wanted);
  if (to.is_bool()) return b.CreateIsNotNull(value);
  return from.is_signed() ? b.CreateSExtOrTrunc(value, wanted) : b.CreateZExtOrTrunc(value, wanted);
}

}  // namespace vantage::cpu
