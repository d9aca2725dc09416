#include "compiler/backend/cpu/outline.h"

#include <unordered_set>

#include "compiler/backend/cpu/runtime_calls.h"
#include "compiler/backend/cpu/types.h"
#include "compiler/ir/visitor.h"

namespace vantage::cpu {

using namespace ir;

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

  void visit_view(const View& node) override {
    take(node.buffer);
    Visitor::visit_view(node);
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

// The body of a parallel loop [begin, end) as a function of its own. What it uses of the names around comes as
// parameters, one each: only of those can it be said that they do not overlap.
class Body {
 public:
  Body(const ModuleBuilder& module, const For& loop, const Scope& scope, const Surroundings& around, llvm::Value* min)
      : module_(module), loop_(loop), captured_(scope) {
    captured_.visit(loop.body);
    runtime_ = closure_.add(around.runtime);
    min_ = closure_.add(min);
    for (const VarNode* var : captured_.vars) vars_.push_back(closure_.add(scope.vars.at(var).v));
    for (const BufferNode* buffer : captured_.buffers) {
      const Storage& storage = scope.buffers.at(buffer);
      buffers_.push_back(closure_.add(storage.data));
      may_alias_.push_back(storage.may_alias);
      for (llvm::Value* stride : storage.strides) closure_.add(stride);
    }
  }

  const Closure& closure() const { return closure_; }

  llvm::Function* define(const std::string& name) {
    llvm::LLVMContext& context = module_.context();
    llvm::Type* i32 = llvm::Type::getInt32Ty(context);
    std::vector<llvm::Type*> types(kFirstMember, llvm::Type::getInt64Ty(context));
    for (const llvm::Value* member : closure_.members()) types.push_back(member->getType());
    function_ = llvm::Function::Create(llvm::FunctionType::get(i32, types, false), llvm::Function::InternalLinkage,
                                       name, module_.module);
    function_->setDoesNotThrow();
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", function_));
    llvm::Value* status = b.CreateAlloca(i32, nullptr, "status");
    b.CreateStore(b.getInt32(VANTAGE_OK), status);
    const DebugScope debug_scope = module_.debug.define(*function_);
    b.SetCurrentDebugLocation(module_.debug.location(debug_scope, &loop_));
    StmtEmitter emitter(module_, b, {function_, debug_scope, inside(runtime_), status, true});
    bring_in(emitter.exprs().scope());
    emitter.emit_range(loop_, inside(min_), function_->getArg(0), function_->getArg(1));
    b.CreateRet(b.CreateLoad(i32, status));
    return function_;
  }

 private:
  static constexpr unsigned kFirstMember = 2;  // the parameter; begin and end are before it

  llvm::Value* inside(size_t added) const { return closure_.inside(function_, kFirstMember, added); }

  void bring_in(Scope& inner) const {
    for (size_t i = 0; i < vars_.size(); ++i) inner.vars[captured_.vars[i]] = {inside(vars_[i])};
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const BufferNode& buffer = *captured_.buffers[i];
      Storage& storage = inner.buffers[&buffer];
      storage.data = inside(buffers_[i]);
      storage.may_alias = may_alias_[i];
      for (size_t d = 0; d < buffer.rank(); ++d) storage.strides.push_back(inside(buffers_[i] + 1 + d));
      const unsigned argument = llvm::cast<llvm::Argument>(storage.data)->getArgNo();
      if (!storage.may_alias) function_->addParamAttr(argument, llvm::Attribute::NoAlias);
      function_->addParamAttr(argument, llvm::Attribute::NoCapture);
      function_->addParamAttr(argument, llvm::Attribute::getWithAlignment(module_.context(), alignment_of(buffer)));
    }
  }

  const ModuleBuilder& module_;
  const For& loop_;
  Captured captured_;
  Closure closure_;
  size_t runtime_, min_;
  std::vector<size_t> vars_, buffers_;
  std::vector<bool> may_alias_;
  llvm::Function* function_ = nullptr;
};

// What the runtime calls: takes the members out of the closure.
llvm::Function* define_task(const ModuleBuilder& module, const For& loop, llvm::Function* body,
                            const Closure& closure) {
  llvm::LLVMContext& context = module.context();
  auto* task = llvm::Function::Create(task_type(context), llvm::Function::InternalLinkage, body->getName() + ".task",
                                      module.module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", task));
  b.SetCurrentDebugLocation(module.debug.location(module.debug.define(*task), &loop));
  llvm::StructType* layout = closure.type(context);
  std::vector<llvm::Value*> arguments = {task->getArg(1), task->getArg(2)};
  for (unsigned i = 0; i < closure.members().size(); ++i) {
    arguments.push_back(b.CreateLoad(layout->getElementType(i), b.CreateStructGEP(layout, task->getArg(0), i)));
  }
  b.CreateRet(b.CreateCall(body, arguments));
  return task;
}

}  // namespace

Outlined outline(const ModuleBuilder& module, llvm::IRBuilder<>& builder, const For& loop, const Scope& scope,
                 const Surroundings& around, llvm::Value* min) {
  Body body(module, loop, scope, around, min);
  llvm::Function* function = body.define(around.function->getName().str() + "." + loop.var.name());
  return {define_task(module, loop, function, body.closure()), body.closure().fill(builder)};
}

}  // namespace vantage::cpu
