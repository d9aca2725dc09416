#include "compiler/backend/cpu/math.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <array>
#include <map>

#include "base/error.h"
#include "compiler/backend/cpu/bfloat16.h"
#include "compiler/backend/cpu/dot.h"
#include "compiler/backend/cpu/types.h"
#include "compiler/ir/intrinsics.h"

namespace vantage::cpu {

namespace {

using Arguments = std::vector<llvm::Value*>;

llvm::Value* call_library(llvm::IRBuilder<>& b, const std::string& function, const Arguments& arguments) {
  const std::vector<llvm::Type*> types(arguments.size(), arguments[0]->getType());
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  auto callee = module.getOrInsertFunction(function, llvm::FunctionType::get(types[0], types, false));
  auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setDoesNotThrow();
  declared->setDoesNotAccessMemory();
  declared->setWillReturn();
  return b.CreateCall(callee, arguments);
}

// libmvec's name of a function for so many lanes; empty where the target does not have it.
std::string vector_function(const Target& target, const std::string& function, llvm::Type* element, int lanes,
                            size_t arity) {
  const llvm::Triple triple(target.triple);
  if (!triple.isX86() || !triple.isArch64Bit() || !triple.isGNUEnvironment()) return {};
  const int bytes = lanes * static_cast<int>(element->getScalarSizeInBits()) / 8;
  if (bytes > target.vector_bytes) return {};
  const char* isa = bytes == 64 ? "e" : bytes == 32 ? "d" : bytes == 16 ? "b" : nullptr;
  if (isa == nullptr) return {};
  return fmt::format("_ZGV{}N{}{}_{}", isa, lanes, std::string(arity, 'v'), function);
}

// Vectors go to vector functions in pieces of their widths, the rest one by one.
llvm::Value* call_lanes(llvm::IRBuilder<>& b, const Target& target, const std::string& name,
                        const Arguments& arguments) {
  llvm::Type* element = arguments[0]->getType()->getScalarType();
  const std::string function = name + (element->isFloatTy() ? "f" : "");
  const int lanes = lanes_of(arguments[0]);
  if (!arguments[0]->getType()->isVectorTy()) return call_library(b, function, arguments);
  llvm::Value* result = llvm::PoisonValue::get(arguments[0]->getType());
  const int widest = target.vector_bytes * 8 / static_cast<int>(element->getScalarSizeInBits());
  const int narrowest = 128 / static_cast<int>(element->getScalarSizeInBits());
  for (int begin = 0; begin < lanes;) {
    int count = widest;
    while (count > narrowest && count / 2 >= lanes - begin) count /= 2;
    const std::string wide = vector_function(target, function, element, count, arguments.size());
    if (wide.empty()) {
      Arguments scalars;
      for (llvm::Value* a : arguments) scalars.push_back(b.CreateExtractElement(a, static_cast<uint64_t>(begin)));
      result = b.CreateInsertElement(result, call_library(b, function, scalars), static_cast<uint64_t>(begin));
      ++begin;
      continue;
    }
    Arguments pieces;
    for (llvm::Value* a : arguments) pieces.push_back(slice(b, a, begin, count));
    llvm::Value* piece = call_library(b, wide, pieces);
    // Back in its place: the piece as long as the result, then lanes from one or the other.
    const int kept = std::min(count, lanes - begin);
    llvm::Value* spread = slice(b, piece, 0, lanes);
    std::vector<int> mask;
    for (int i = 0; i < lanes; ++i) mask.push_back(i >= begin && i < begin + kept ? lanes + i - begin : i);
    result = b.CreateShuffleVector(result, spread, mask);
    begin += kept;
  }
  return result;
}

llvm::Value* literal(const llvm::Value* like, double value) {
  return llvm::ConstantFP::get(like->getType(), value);
}

llvm::Value* emit_float(llvm::IRBuilder<>& b, const Target& target, const std::string& name, const Arguments& a) {
  static const std::map<std::string_view, llvm::Intrinsic::ID> kInstructions = {
      {"abs", llvm::Intrinsic::fabs},   {"ceil", llvm::Intrinsic::ceil}, {"floor", llvm::Intrinsic::floor},
      {"round", llvm::Intrinsic::rint}, {"sqrt", llvm::Intrinsic::sqrt}, {"trunc", llvm::Intrinsic::trunc},
  };
  if (const auto known = kInstructions.find(name); known != kInstructions.end()) {
    return b.CreateUnaryIntrinsic(known->second, a[0]);
  }
  if (name == "isnan") return b.CreateFCmpUNO(a[0], a[0]);
  if (name == "isinf") {
    return b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a[0]),
                           llvm::ConstantFP::getInfinity(a[0]->getType()));
  }
  if (name == "fmod") return b.CreateFRem(a[0], a[1]);
  if (name == "rsqrt") return b.CreateFDiv(literal(a[0], 1), b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a[0]));
  if (name == "sigmoid") {
    return b.CreateFDiv(literal(a[0], 1),
                        b.CreateFAdd(literal(a[0], 1), call_lanes(b, target, "exp", {b.CreateFNeg(a[0])})));
  }
  return call_lanes(b, target, name, a);
}

}  // namespace

llvm::Value* emit_intrinsic(llvm::IRBuilder<>& b, const Target& target, std::string_view intrinsic, ir::DType dtype,
                            const Arguments& arguments) {
  if (intrinsic == ir::kDot4 || intrinsic == ir::kDot4UnsignedSigned) {
    llvm::Value* zero = llvm::Constant::getNullValue(arguments[0]->getType());
    return emit_dot4(b, target, intrinsic == ir::kDot4UnsignedSigned, zero, arguments[0], arguments[1]);
  }
  if (!dtype.is_float()) {
    VANTAGE_CHECK(intrinsic == "abs");
    if (dtype.is_unsigned()) return arguments[0];
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, arguments[0], b.getFalse());
  }
  if (dtype == ir::kBFloat16) {
    llvm::Value* result = emit_float(b, target, std::string(intrinsic), arguments);
    return result->getType()->isFPOrFPVectorTy() ? round_to_bfloat16(b, result) : result;
  }
  if (dtype != ir::kFloat16) return emit_float(b, target, std::string(intrinsic), arguments);
  // No library computes with half precision.
  Arguments wider;
  llvm::Type* half = arguments[0]->getType();
  for (llvm::Value* a : arguments) wider.push_back(b.CreateFPExt(a, half->getWithNewType(b.getFloatTy())));
  llvm::Value* result = emit_float(b, target, std::string(intrinsic), wider);
  return result->getType()->isFPOrFPVectorTy() ? b.CreateFPTrunc(result, half) : result;
}

}  // namespace vantage::cpu
