#include "compiler/backend/cpu/runtime_calls.h"

#include <llvm/IR/Module.h>

namespace vantage::cpu {

namespace {

// The members of vantage_runtime, in order; all are pointers.
enum Member : unsigned { kContext, kAllocate, kRelease, kParallelFor, kMembers };

llvm::StructType* runtime_type(llvm::LLVMContext& context) {
  return llvm::StructType::get(context, std::vector<llvm::Type*>(kMembers, llvm::PointerType::get(context, 0)));
}

llvm::Value* load_member(llvm::IRBuilder<>& b, llvm::Value* runtime, Member member) {
  llvm::Value* at = b.CreateStructGEP(runtime_type(b.getContext()), runtime, member);
  llvm::LoadInst* loaded = b.CreateLoad(b.getPtrTy(), at);
  // Nobody changes a runtime while a function runs.
  loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  return loaded;
}

llvm::FunctionType* allocate_type(llvm::LLVMContext& context) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  return llvm::FunctionType::get(pointer, {pointer, i64, i64}, false);
}

llvm::FunctionType* release_type(llvm::LLVMContext& context) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  return llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
}

llvm::FunctionType* parallel_for_type(llvm::LLVMContext& context) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  return llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {pointer, i64, pointer, pointer}, false);
}

llvm::Function* define(llvm::Module& module, llvm::FunctionType* type, const char* name) {
  auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module);
  llvm::BasicBlock::Create(module.getContext(), "entry", function);
  return function;
}

}  // namespace

llvm::Value* emit_allocation(llvm::IRBuilder<>& b, llvm::Value* runtime, llvm::Value* bytes, llvm::Align align,
                             const std::string& name) {
  llvm::Value* context = load_member(b, runtime, kContext);
  llvm::CallInst* memory = b.CreateCall(allocate_type(b.getContext()), load_member(b, runtime, kAllocate),
                                        {context, bytes, b.getInt64(align.value())}, name);
  memory->addRetAttr(llvm::Attribute::NoAlias);
  memory->addRetAttr(llvm::Attribute::getWithAlignment(b.getContext(), align));
  return memory;
}

void emit_release(llvm::IRBuilder<>& b, llvm::Value* runtime, llvm::Value* memory) {
  llvm::Value* context = load_member(b, runtime, kContext);
  b.CreateCall(release_type(b.getContext()), load_member(b, runtime, kRelease), {context, memory});
}

llvm::Value* emit_parallel_for(llvm::IRBuilder<>& b, llvm::Value* runtime, llvm::Value* count, llvm::Function* task,
                               llvm::Value* closure) {
  llvm::Value* context = load_member(b, runtime, kContext);
  return b.CreateCall(parallel_for_type(b.getContext()), load_member(b, runtime, kParallelFor),
                      {context, count, task, closure});
}

llvm::FunctionType* task_type(llvm::LLVMContext& context) {
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  return llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {llvm::PointerType::get(context, 0), i64, i64},
                                 false);
}

llvm::Constant* default_runtime(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* size = module.getDataLayout().getIntPtrType(context);

  llvm::Function* allocate = define(module, allocate_type(context), "vantage.allocate");
  llvm::IRBuilder<> b(&allocate->getEntryBlock());
  const auto aligned_alloc = module.getOrInsertFunction("aligned_alloc", pointer, size, size);
  llvm::Value *bytes = allocate->getArg(1), *align = allocate->getArg(2);
  // The C library wants whole multiples of the alignment.
  llvm::Value* last = b.CreateSub(align, b.getInt64(1));
  llvm::Value* whole = b.CreateAnd(b.CreateAdd(bytes, last), b.CreateNot(last));
  b.CreateRet(b.CreateCall(aligned_alloc, {b.CreateZExtOrTrunc(align, size), b.CreateZExtOrTrunc(whole, size)}));

  llvm::Function* release = define(module, release_type(context), "vantage.release");
  b.SetInsertPoint(&release->getEntryBlock());
  b.CreateCall(module.getOrInsertFunction("free", b.getVoidTy(), pointer), {release->getArg(1)});
  b.CreateRetVoid();

  llvm::Function* parallel_for = define(module, parallel_for_type(context), "vantage.parallel_for");
  b.SetInsertPoint(&parallel_for->getEntryBlock());
  b.CreateRet(b.CreateCall(task_type(context), parallel_for->getArg(2),
                           {parallel_for->getArg(3), b.getInt64(0), parallel_for->getArg(1)}));

  llvm::Constant* members[] = {llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0)), allocate, release,
                               parallel_for};
  llvm::StructType* type = runtime_type(context);
  return new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantStruct::get(type, members), "vantage.default_runtime");
}

}  // namespace vantage::cpu
