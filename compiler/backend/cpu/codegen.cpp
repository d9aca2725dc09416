#include "compiler/backend/cpu/codegen.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/tensor/dtype.h"
#include "compiler/backend/cpu/back_ends.h"
#include "compiler/backend/cpu/entry.h"
#include "compiler/backend/cpu/runtime_calls.h"
#include "compiler/backend/cpu/sizes.h"
#include "compiler/backend/cpu/stmt_emitter.h"
#include "compiler/backend/cpu/types.h"
#include "compiler/ir/in_place.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/visitor.h"

namespace vantage::cpu {

using namespace ir;

namespace {

class FindWritten final : public Visitor {
 public:
  using Visitor::visit;
  std::set<Buffer> buffers;

 protected:
  void visit_store(const Store& node) override { buffers.insert(node.buffer); }
  void visit_view(const View& node) override {
    if (node.touch != Touch::kRead) buffers.insert(node.buffer);
  }
};

std::set<Buffer> written_by(const PrimFunc& function) {
  FindWritten written;
  written.visit(function.body);
  return written.buffers;
}

llvm::Function* emit_body(const ModuleBuilder& module, const PrimFunc& function, const std::set<Buffer>& written) {
  llvm::LLVMContext& context = module.context();
  const BodyParameters parameters = body_parameters(function);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  std::vector<llvm::Type*> types(parameters.buffers.size(), pointer);
  for (const Var& var : parameters.vars) types.push_back(value_type(context, var.dtype()));
  types.insert(types.end(), {pointer, pointer});
  auto* body = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                                      llvm::Function::InternalLinkage, function.name + ".body", module.module);
  body->setDoesNotThrow();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", body));
  unsigned next = static_cast<unsigned>(parameters.buffers.size());
  Scope scope;
  for (const Var& var : parameters.vars) scope.vars[var.get()] = {body->getArg(next++)};
  const DebugScope debug = module.debug.define(*body);
  b.SetCurrentDebugLocation(module.debug.location(debug, nullptr));
  StmtEmitter emitter(module, b, {body, debug, body->getArg(next), body->getArg(next + 1)});
  emitter.exprs().scope() = scope;
  const std::vector<InPlace> pairs = noted_in_place(function);
  const auto may_alias = [&](const Buffer& buffer) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const InPlace& pair) { return pair.written == buffer || pair.read == buffer; });
  };
  for (unsigned i = 0; i < parameters.buffers.size(); ++i) {
    const Buffer& buffer = parameters.buffers[i];
    if (!may_alias(buffer)) body->addParamAttr(i, llvm::Attribute::NoAlias);
    // Nor do the user's functions keep a tensor (native/externals.h).
    body->addParamAttr(i, llvm::Attribute::NoCapture);
    if (written.count(buffer) == 0) body->addParamAttr(i, llvm::Attribute::ReadOnly);
    body->addParamAttr(i, llvm::Attribute::getWithAlignment(context, alignment_of(*buffer)));
    body->getArg(i)->setName(buffer->name);
    Storage& storage = emitter.exprs().scope().buffers[buffer.get()];
    storage.data = body->getArg(i);
    storage.may_alias = may_alias(buffer);
    for (const Expr& stride : strides_in_64_bits(*buffer)) {
      storage.strides.push_back(emitter.exprs().uniform_index(stride));
    }
  }
  emitter.emit(function.body);
  b.CreateRetVoid();
  return body;
}

}  // namespace

std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, std::span<const Listed> functions,
                                          const Target& target, bool strict, const native::Externals& externals,
                                          const SourceFile& source) {
  auto made = std::make_unique<llvm::Module>("vantage", context);
  made->setTargetTriple(target.triple);
  made->setDataLayout(make_target_machine(target)->createDataLayout());
  DebugInfo debug(*made, source.name, source.directory);
  const ModuleBuilder module{*made, target, debug, strict, externals};
  llvm::Constant* runtime = default_runtime(*made);
  for (const Listed& function : functions) {
    const std::set<Buffer> written = written_by(function.lowered);
    debug.begin(function.listing, function.first_line);
    emit_entry(module, function.lowered, written, emit_body(module, function.lowered, written), runtime);
  }
  debug.finish();
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(*made, &stream))
    throw InternalError("the code made for a processor is not valid:\n" + message);
  return made;
}

native::Signature signature_of(const PrimFunc& function) {
  const std::set<Buffer> written = written_by(function);
  native::Signature signature{function.name, {}};
  for (const Param& param : function.params) {
    native::Parameter p;
    const auto* var = std::get_if<Var>(&param);
    const DType dtype = var != nullptr ? var->dtype() : std::get<Buffer>(param)->dtype;
    p.dtype = dl_dtype(dtype);
    if (var != nullptr) {
      p.name = var->name();
    } else {
      const Buffer& buffer = std::get<Buffer>(param);
      p.name = buffer->name;
      p.is_tensor = true;
      p.is_written = written.count(buffer) != 0;
      p.alignment = static_cast<int>(alignment_of(*buffer).value());
      for (const Expr& size : buffer->shape) p.shape.push_back(to_text(size));
      for (const Expr& stride : buffer->all_strides()) p.strides.push_back(to_text(stride));
    }
    signature.parameters.push_back(std::move(p));
  }
  return signature;
}

}  // namespace vantage::cpu
