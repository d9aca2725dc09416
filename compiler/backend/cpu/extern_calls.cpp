#include "compiler/backend/cpu/extern_calls.h"

#include <llvm/IR/Module.h>

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "base/tensor/dtype.h"
#include "compiler/backend/cpu/dl_tensor.h"
#include "compiler/backend/cpu/types.h"
#include "compiler/ir/printer.h"

namespace vantage::cpu {

using ir::DType;
using ir::Touch;
using native::External;

namespace {

void check_argument(const External& external, size_t i, const ir::Expr& argument) {
  const External::Parameter& parameter = external.parameters[i];
  const std::string what = fmt::format("argument {} of {}, '{}',", i, external.name, ir::to_text(argument));
  const auto* box = argument.as<ir::View>();
  if (box == nullptr) {
    if (parameter.is_tensor) fail("{} is a value, expected a box of a buffer: {}", what, describe(external));
    if (argument.dtype() == *parameter.dtype) return;
    fail("{} is {}, expected {}; use cast", what, ir::name(argument.dtype()), ir::name(*parameter.dtype));
  }
  if (!parameter.is_tensor) fail("{} is a box of a buffer, expected {}", what, ir::name(*parameter.dtype));
  if (parameter.dtype && box->buffer->dtype != *parameter.dtype) {
    fail("{} has elements of type {}, expected {}", what, ir::name(box->buffer->dtype), ir::name(*parameter.dtype));
  }
  if (parameter.is_written && box->touch == Touch::kRead) {
    fail("{} is only read, but the function takes it as a DLTensor*, so it may write it; let it take a const DLTensor*",
         what);
  }
  if (!parameter.is_written && box->touch != Touch::kRead) {
    fail("{} is written, but the function takes it as a const DLTensor*; let it take a DLTensor*", what);
  }
}

// Callers extend what is narrower than a register, and expect the same of what comes back.
llvm::AttrBuilder extension(llvm::LLVMContext& context, DType dtype) {
  llvm::AttrBuilder attributes(context);
  if (dtype.is_bool() || (dtype.is_unsigned() && dtype.bits() < 32)) attributes.addAttribute(llvm::Attribute::ZExt);
  if (dtype.is_signed() && dtype.bits() < 32) attributes.addAttribute(llvm::Attribute::SExt);
  return attributes;
}

}  // namespace

const External& external_of(const ir::Call& call, const native::Externals& externals) {
  const External* external = externals.find(call.function);
  if (external == nullptr) {
    const std::vector<std::string> known = externals.names();
    fail("a processor has no function {}{}", call.function,
         near_names(call.function, known).empty() ? "; give those of your own in Options::externals"
                                                  : did_you_mean(call.function, known));
  }
  if (call.arguments.size() != external->parameters.size()) {
    fail("{} takes {} arguments, got {}: {}", call.function, external->parameters.size(), call.arguments.size(),
         describe(*external));
  }
  for (size_t i = 0; i < call.arguments.size(); ++i) check_argument(*external, i, call.arguments[i]);
  // What it gives may be of no interest, where it is called for its effect.
  if (!call.dtype.is_void() && call.dtype != external->result) {
    fail("{} gives {}, but is called for {}", call.function,
         external->result.is_void() ? "no value" : ir::name(external->result), ir::name(call.dtype));
  }
  return *external;
}

llvm::Value* emit_tensor(llvm::IRBuilder<>& b, DType dtype, llvm::Value* data, const std::vector<llvm::Value*>& extents,
                         const std::vector<llvm::Value*>& strides) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::Value* tensor = at_entry.CreateAlloca(dl_tensor_type(b.getContext()), nullptr, "tensor");
  const auto set = [&](DlMember member, llvm::Value* value) { b.CreateStore(value, dl_member(b, tensor, member)); };
  const auto list = [&](const std::vector<llvm::Value*>& numbers, const char* name) {
    llvm::Value* made = at_entry.CreateAlloca(b.getInt64Ty(), b.getInt64(std::max<size_t>(numbers.size(), 1)), name);
    for (size_t d = 0; d < numbers.size(); ++d) {
      b.CreateStore(numbers[d], b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), made, d));
    }
    return made;
  };
  const DLDataType type = dl_dtype(dtype);
  set(DlMember::kData, data);
  set(DlMember::kDeviceType, b.getInt32(kDLCPU));
  set(DlMember::kDeviceId, b.getInt32(0));
  set(DlMember::kRank, b.getInt32(static_cast<uint32_t>(extents.size())));
  set(DlMember::kDTypeCode, b.getInt8(type.code));
  set(DlMember::kDTypeBits, b.getInt8(type.bits));
  set(DlMember::kDTypeLanes, b.getInt16(type.lanes));
  set(DlMember::kShape, list(extents, "shape"));
  set(DlMember::kStrides, list(strides, "strides"));
  set(DlMember::kByteOffset, b.getInt64(0));
  return tensor;
}

llvm::Value* emit_extern_call(llvm::IRBuilder<>& b, const External& external, bool is_pure,
                              const std::vector<llvm::Value*>& arguments) {
  llvm::LLVMContext& context = b.getContext();
  std::vector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  const bool is_void = external.result.is_void();
  auto* type = llvm::FunctionType::get(is_void ? b.getVoidTy() : value_type(context, external.result), types, false);
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  const std::string symbol = native::extern_symbol(external.name);
  llvm::GlobalVariable* variable = module.getNamedGlobal(symbol);
  if (variable == nullptr) {
    variable = new llvm::GlobalVariable(module, b.getPtrTy(), false, llvm::GlobalValue::WeakAnyLinkage,
                                        llvm::ConstantPointerNull::get(b.getPtrTy()), symbol);
  }
  llvm::LoadInst* function = b.CreateLoad(b.getPtrTy(), variable, external.name);
  // It is set before anything runs.
  function->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  llvm::CallInst* call = b.CreateCall(type, function, arguments);
  bool has_tensors = false;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const External::Parameter& parameter = external.parameters[i];
    has_tensors = has_tensors || parameter.is_tensor;
    if (!parameter.is_tensor) {
      for (const llvm::Attribute a : llvm::AttributeSet::get(context, extension(context, *parameter.dtype))) {
        call->addParamAttr(i, a);
      }
    }
  }
  for (const llvm::Attribute a : llvm::AttributeSet::get(context, extension(context, external.result))) {
    call->addRetAttr(a);
  }
  call->setDoesNotThrow();
  if (is_pure) {
    call->addFnAttr(llvm::Attribute::WillReturn);
    has_tensors ? call->setOnlyReadsMemory() : call->setDoesNotAccessMemory();
  }
  return call;
}

}  // namespace vantage::cpu
