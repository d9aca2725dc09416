#include "compiler/target/llvm/outline.h"

#include <unordered_set>

#include "compiler/target/llvm/runtime_calls.h"
#include "compiler/target/llvm/types.h"
#include "compiler/tir/visitor.h"

namespace vantage::compiler {

using namespace tir;

namespace {

// The names of a scope that a loop uses, in order of their first use.
class Captured final : public Visitor {
 public:
  explicit Captured(const Scope& scope) : scope_(scope) {}
  using Visitor::visit;
  std::vector<const VarNode*> vars;
  std::vector<const BufferNode*> buffers;

 protected:
  void visit_var(const VarNode& node) override {
    if (scope_.vars.count(&node) != 0 && seen_.insert(&node).second) vars.push_back(&node);
  }
  void visit_load(const Load& node) override {
    take(node.buffer);
    Visitor::visit_load(node);
  }
  void visit_store(const Store& node) override {
    take(node.buffer);
    Visitor::visit_store(node);
  }
  void visit_allocate(const Allocate& node) override {
    for (const Expr& size : node.buffer->shape) visit(size);
    for (const Expr& stride : node.buffer->strides) visit(stride);
    Visitor::visit_allocate(node);
  }

 private:
  void take(const Buffer& buffer) {
    if (scope_.buffers.count(buffer.get()) != 0 && seen_.insert(buffer.get()).second) buffers.push_back(buffer.get());
  }

  const Scope& scope_;
  std::unordered_set<const void*> seen_;
};

// Values on their way through a closure: constants stay what they are, others get a place in it.
class Closure {
 public:
  size_t add(llvm::Value* value) {
    places_.push_back(llvm::isa<llvm::Constant>(value) ? kNone : members_.size());
    values_.push_back(value);
    if (places_.back() != kNone) members_.push_back(value);
    return places_.size() - 1;
  }

  llvm::StructType* type(llvm::LLVMContext& context) const {
    std::vector<llvm::Type*> types;
    for (const llvm::Value* member : members_) types.push_back(member->getType());
    return llvm::StructType::get(context, types);
  }

  // In the entry block, so that a parallel loop inside of another loop does not grow the stack.
  llvm::Value* fill(llvm::IRBuilder<>& b) const {
    llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::StructType* layout = type(b.getContext());
    llvm::Value* closure = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(layout, nullptr, "closure");
    for (size_t i = 0; i < members_.size(); ++i) {
      b.CreateStore(members_[i], b.CreateStructGEP(layout, closure, static_cast<unsigned>(i)));
    }
    return closure;
  }

  const std::vector<llvm::Value*>& members() const { return members_; }
  // What stands for an added value in a function whose parameters from `first` on are the members.
  llvm::Value* inside(llvm::Function* function, unsigned first, size_t added) const {
    if (places_[added] == kNone) return values_[added];
    return function->getArg(first + static_cast<unsigned>(places_[added]));
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  std::vector<llvm::Value*> values_;
  std::vector<size_t> places_;
  std::vector<llvm::Value*> members_;
};

}  // namespace

Outlined outline(const ModuleBuilder& module, llvm::IRBuilder<>& builder, const For& loop, const Scope& scope,
                 const Surroundings& around, llvm::Value* min) {
  llvm::LLVMContext& context = module.context();
  Captured captured(scope);
  captured.visit(loop.body);
  Closure closure;
  const size_t runtime = closure.add(around.runtime);
  const size_t first = closure.add(min);
  std::vector<size_t> vars, buffers;
  for (const VarNode* var : captured.vars) vars.push_back(closure.add(scope.vars.at(var).v));
  for (const BufferNode* buffer : captured.buffers) {
    const Storage& storage = scope.buffers.at(buffer);
    buffers.push_back(closure.add(storage.data));
    for (llvm::Value* stride : storage.strides) closure.add(stride);
  }

  // The loop itself takes all as parameters: only those can be said not to overlap.
  const std::string name = around.function->getName().str() + "." + loop.var.name();
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  std::vector<llvm::Type*> types = {i64, i64};
  for (const llvm::Value* member : closure.members()) types.push_back(member->getType());
  constexpr unsigned kFirst = 2;  // parameter that is a member
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  auto* body = llvm::Function::Create(llvm::FunctionType::get(i32, types, false), llvm::Function::InternalLinkage, name,
                                      module.module);
  body->setDoesNotThrow();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", body));
  b.setFastMathFlags(builder.getFastMathFlags());
  llvm::Value* status = b.CreateAlloca(i32, nullptr, "status");
  b.CreateStore(b.getInt32(VANTAGE_OK), status);
  const DebugScope scope_of_body = module.debug.define(*body);
  b.SetCurrentDebugLocation(module.debug.location(scope_of_body, &loop));
  StmtEmitter emitter(module, b, {body, scope_of_body, closure.inside(body, kFirst, runtime), status, true});
  Scope& inner = emitter.exprs().scope();
  for (size_t i = 0; i < vars.size(); ++i) inner.vars[captured.vars[i]] = {closure.inside(body, kFirst, vars[i])};
  for (size_t i = 0; i < buffers.size(); ++i) {
    const BufferNode& buffer = *captured.buffers[i];
    Storage& storage = inner.buffers[&buffer];
    storage.data = closure.inside(body, kFirst, buffers[i]);
    for (size_t d = 0; d < buffer.rank(); ++d) {
      storage.strides.push_back(closure.inside(body, kFirst, buffers[i] + 1 + d));
    }
    const unsigned argument = llvm::cast<llvm::Argument>(storage.data)->getArgNo();
    body->addParamAttr(argument, llvm::Attribute::NoAlias);
    body->addParamAttr(argument, llvm::Attribute::NoCapture);
    body->addParamAttr(argument, llvm::Attribute::getWithAlignment(context, alignment_of(buffer)));
  }
  emitter.emit_range(loop, closure.inside(body, kFirst, first), body->getArg(0), body->getArg(1));
  b.CreateRet(b.CreateLoad(i32, status));

  auto* task =
      llvm::Function::Create(task_type(context), llvm::Function::InternalLinkage, name + ".task", module.module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", task));
  b.SetCurrentDebugLocation(module.debug.location(module.debug.define(*task), &loop));
  llvm::StructType* layout = closure.type(context);
  std::vector<llvm::Value*> arguments = {task->getArg(1), task->getArg(2)};
  for (unsigned i = 0; i < closure.members().size(); ++i) {
    arguments.push_back(b.CreateLoad(layout->getElementType(i), b.CreateStructGEP(layout, task->getArg(0), i)));
  }
  b.CreateRet(b.CreateCall(body, arguments));
  return {task, closure.fill(builder)};
}

}  // namespace vantage::compiler
