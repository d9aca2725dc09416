#include "compiler/backend/cpu/expr_emitter.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "compiler/backend/cpu/dot.h"
#include "compiler/backend/cpu/math.h"
#include "compiler/backend/cpu/types.h"
#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/intrinsics.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/scaled.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/visitor.h"

namespace vantage::cpu {

using namespace ir;

namespace {

// Whether an expression may be evaluated where its value is not wanted: it reads no memory and is quickly done.
bool is_cheap(const Expr& expr) {
  struct Search final : Visitor {
    using Visitor::visit;
    bool found = false;
    void visit_load(const Load&) override { found = true; }
    void visit_call(const Call& node) override {
      found = found || node.function != kLikely;
      Visitor::visit_call(node);
    }
  } search;
  search.visit(expr);
  return !search.found;
}

}  // namespace

// --- Expressions

Value ExprEmitter::value(const Expr& expr) {
  const Overflow outside = std::exchange(overflow_, Overflow::kWraps);
  const Value result = emit(expr);
  overflow_ = outside;
  return result;
}

Value ExprEmitter::index(const Expr& expr) {
  const Overflow outside = std::exchange(overflow_, module_.strict ? Overflow::kWraps : Overflow::kNever);
  const Value result = emit(expr);
  overflow_ = outside;
  return result;
}

llvm::Value* ExprEmitter::uniform_index(const Expr& expr) {
  const Value result = to_int64(index(expr));
  VANTAGE_CHECK(result.is_uniform());
  return result.v;
}

Value ExprEmitter::to_int64(const Value& value) {
  // A narrow number that rises from lane to lane may wrap on its way.
  const bool narrow = value.v->getType()->getScalarSizeInBits() < 32;
  llvm::Value* v = narrow && value.stride != 0 ? widened(value) : value.v;
  return {b_.CreateSExtOrTrunc(v, v->getType()->getWithNewType(b_.getInt64Ty())), v == value.v ? value.stride : 0};
}

Value ExprEmitter::emit(const Expr& expr) {
  switch (expr.kind()) {
    case ExprKind::kIntImm:
    case ExprKind::kFloatImm: return emit_literal(expr);
    case ExprKind::kVar: {
      const auto known = scope_.vars.find(static_cast<const VarNode*>(expr.get()));
      if (known == scope_.vars.end()) fail("the variable {} is used where nothing gives it a value", to_text(expr));
      return known->second;
    }
    case ExprKind::kCast: {
      const Expr& operand = expr.as<Cast>()->value;
      const Value from = emit(operand);
      const bool longer_index = overflow_ == Overflow::kNever && counts(operand.dtype()) && expr.dtype().is_signed() &&
                                expr.dtype().bits() >= operand.dtype().bits();
      if (from.is_uniform() || longer_index) {
        return {cpu::emit_cast(b_, operand.dtype(), expr.dtype(), from.v), from.stride};
      }
      return {cpu::emit_cast(b_, operand.dtype(), expr.dtype(), widened(from))};
    }
    case ExprKind::kNot: return {b_.CreateNot(emit(expr.as<Not>()->value).v)};
    case ExprKind::kBinary: return emit_binary(expr);
    case ExprKind::kSelect: return emit_select(*expr.as<Select>());
    case ExprKind::kLoad: return emit_load(*expr.as<Load>());
    case ExprKind::kCall: return emit_call(*expr.as<Call>());
    case ExprKind::kStringImm:
    case ExprKind::kView: break;
  }
  fail("{} is no value; only an argument of a call may be one", to_text(expr));
}

Value ExprEmitter::emit_literal(const Expr& expr) {
  llvm::Type* type = value_type(module_.context(), expr.dtype());
  if (const auto* i = expr.as<IntImm>()) {
    return {llvm::ConstantInt::get(type, static_cast<uint64_t>(i->value), expr.dtype().is_signed())};
  }
  return {llvm::ConstantFP::get(type, expr.as<FloatImm>()->value)};
}

Value ExprEmitter::emit_binary(const Expr& expr) {
  const auto& node = *expr.as<Binary>();
  if (node.op == BinaryOp::kAnd || node.op == BinaryOp::kOr) return emit_logic(node);
  const DType type = node.a.dtype();
  if (node.op == BinaryOp::kAdd && type == kInt32) {
    for (const auto& [call, other] : {std::pair(node.b.as<Call>(), node.a), std::pair(node.a.as<Call>(), node.b)}) {
      if (call != nullptr && (call->function == kDot4 || call->function == kDot4UnsignedSigned))
        return emit_dot_sum(other, *call);
    }
  }
  const Value a = emit(node.a);
  const Value b = emit(node.b);
  // Narrow integers are data, wherever they stand: they wrap.
  const Overflow overflow = counts(type) ? overflow_ : Overflow::kWraps;
  const auto apply = [&](llvm::Value* x, llvm::Value* y) {
    return cpu::emit_binary(b_, node.op, type, x, y, overflow);
  };
  if (a.is_uniform() && b.is_uniform()) return {apply(a.v, b.v)};
  if (!a.is_vector() && !b.is_vector()) {
    // Sums of what rises evenly, and products with a literal, rise evenly.
    if (node.op == BinaryOp::kAdd) return {apply(a.v, b.v), a.stride + b.stride};
    if (node.op == BinaryOp::kSub) return {apply(a.v, b.v), a.stride - b.stride};
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(a.stride == 0 ? a.v : b.v);
    if (node.op == BinaryOp::kMul && factor != nullptr && (a.stride == 0 || b.stride == 0)) {
      return {apply(a.v, b.v), (a.stride + b.stride) * factor->getSExtValue()};
    }
  }
  return {apply(widened(a), widened(b))};
}

// sum + dot4(a, b) is one instruction on many processors.
Value ExprEmitter::emit_dot_sum(const Expr& sum, const Call& dot) {
  const Value s = emit(sum), x = emit(dot.arguments[0]), y = emit(dot.arguments[1]);
  const bool is_unsigned = dot.function == kDot4UnsignedSigned;
  if (s.is_uniform() && x.is_uniform() && y.is_uniform()) {
    return {emit_dot4(b_, module_.target, is_unsigned, s.v, x.v, y.v)};
  }
  return {emit_dot4(b_, module_.target, is_unsigned, widened(s), widened(x), widened(y))};
}

template <typename Chosen, typename Other>
Value ExprEmitter::choose(const Value& condition, bool cheap, const Chosen& chosen, const Other& other) {
  if (!condition.is_uniform()) {
    llvm::Value* outside = lanes_.mask();
    lanes_.set_mask(lanes_.narrowed_mask(condition));
    llvm::Value* x = widened(chosen());
    lanes_.set_mask(outside);
    lanes_.set_mask(lanes_.narrowed_mask({b_.CreateNot(condition.v)}));
    llvm::Value* y = widened(other());
    lanes_.set_mask(outside);
    return {b_.CreateSelect(condition.v, x, y)};
  }
  if (cheap) {
    const Value x = chosen(), y = other();
    if (x.is_uniform() && y.is_uniform()) return {b_.CreateSelect(condition.v, x.v, y.v)};
    return {b_.CreateSelect(condition.v, widened(x), widened(y))};
  }
  llvm::Function* function = b_.GetInsertBlock()->getParent();
  auto* then = llvm::BasicBlock::Create(module_.context(), "then", function);
  auto* otherwise = llvm::BasicBlock::Create(module_.context(), "else", function);
  auto* end = llvm::BasicBlock::Create(module_.context(), "chosen", function);
  b_.CreateCondBr(condition.v, then, otherwise);
  b_.SetInsertPoint(then);
  Value x = chosen();
  llvm::BasicBlock* then_end = b_.GetInsertBlock();
  b_.SetInsertPoint(otherwise);
  Value y = other();
  llvm::BasicBlock* otherwise_end = b_.GetInsertBlock();
  // A vector on one side makes one of the other.
  const bool uniform = x.is_uniform() && y.is_uniform();
  for (auto& [value, block] : {std::pair<Value&, llvm::BasicBlock*>(x, then_end), {y, otherwise_end}}) {
    b_.SetInsertPoint(block);
    if (!uniform) value = {widened(value)};
    b_.CreateBr(end);
  }
  b_.SetInsertPoint(end);
  llvm::PHINode* phi = b_.CreatePHI(x.v->getType(), 2);
  phi->addIncoming(x.v, then_end);
  phi->addIncoming(y.v, otherwise_end);
  return {phi};
}

Value ExprEmitter::emit_logic(const Binary& node) {
  const Value a = emit(node.a);
  const auto decided = [&] { return Value{b_.getInt1(node.op == BinaryOp::kOr)}; };
  const auto rest = [&] { return emit(node.b); };
  const bool cheap = is_cheap(node.b);
  return node.op == BinaryOp::kAnd ? choose(a, cheap, rest, decided) : choose(a, cheap, decided, rest);
}

Value ExprEmitter::emit_select(const Select& node) {
  const Value condition = emit(node.condition);
  return choose(
      condition, is_cheap(node.if_true) && is_cheap(node.if_false), [&] { return emit(node.if_true); },
      [&] { return emit(node.if_false); });
}

Value ExprEmitter::emit_call(const Call& node) {
  const Intrinsic* known = find_intrinsic(node.function);
  if (known == nullptr) return emit_extern(node);
  if (known->kind == IntrinsicKind::kHint) return emit(node.arguments[0]);
  if (known->kind == IntrinsicKind::kBarrier) {
    fail("{} is a barrier of a GPU's threads; a processor has none", node.function);
  }
  std::vector<Value> arguments;
  bool uniform = true;
  for (const Expr& argument : node.arguments) {
    arguments.push_back(emit(argument));
    uniform = uniform && arguments.back().is_uniform();
  }
  std::vector<llvm::Value*> operands;
  for (const Value& argument : arguments) operands.push_back(uniform ? argument.v : widened(argument));
  const DType type = node.arguments.empty() ? kVoid : node.arguments[0].dtype();
  return {emit_intrinsic(b_, module_.target, node.function, type, operands)};
}

// --- Memory

ExprEmitter::Place ExprEmitter::place(const Buffer& buffer, const std::vector<Expr>& indices) {
  const auto known = scope_.buffers.find(buffer.get());
  if (known == scope_.buffers.end()) {
    fail("the buffer {} is used where it is neither a parameter nor allocated", buffer->name);
  }
  const Storage& storage = known->second;
  Value offset{b_.getInt64(0)};
  for (size_t d = 0; d < indices.size(); ++d) {
    const Value i = to_int64(index(indices[d]));
    llvm::Value* stride = storage.strides[d];
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(stride);
    Value step;
    if (i.is_vector() || (i.stride != 0 && constant == nullptr)) {
      llvm::Value* strides = b_.CreateVectorSplat(static_cast<unsigned>(lanes_.count()), stride);
      step = {b_.CreateNSWMul(widened(i), strides)};
    } else {
      step = {b_.CreateNSWMul(i.v, stride), constant == nullptr ? 0 : i.stride * constant->getSExtValue()};
    }
    if (offset.is_vector() != step.is_vector()) offset = {widened(offset)}, step = {widened(step)};
    offset = {b_.CreateNSWAdd(offset.v, step.v), offset.stride + step.stride};
  }
  if (storage.copies > 1) {
    // Copies lie side by side, so neighbouring lanes touch neighbouring elements.
    VANTAGE_CHECK(storage.copies == lanes_.count());
    llvm::Value* scaled =
        b_.CreateNSWMul(offset.v, llvm::ConstantInt::get(offset.v->getType(), static_cast<uint64_t>(storage.copies)));
    if (offset.is_vector()) {
      offset = {b_.CreateNSWAdd(scaled, widened({llvm::ConstantInt::get(b_.getInt64Ty(), 0), 1}))};
    } else {
      offset = {scaled, offset.stride * storage.copies + 1};
    }
  }
  return {storage.data, offset};
}

llvm::Value* ExprEmitter::element_pointer(const Place& place, DType dtype, llvm::Value* offset) {
  llvm::Type* element = memory_type(module_.context(), dtype);
  // Lanes that the mask leaves out may be anywhere, the first one too.
  return lanes_.mask() == nullptr ? b_.CreateInBoundsGEP(element, place.data, offset)
                                  : b_.CreateGEP(element, place.data, offset);
}

// Where no lane is active, an address may lie anywhere.
llvm::Value* ExprEmitter::never_faulting(llvm::Value* pointer, DType dtype) {
  if (lanes_.mask() == nullptr) return pointer;
  llvm::BasicBlock& entry = b_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::Type* element = memory_type(module_.context(), dtype);
  llvm::Value* spare = at_entry.CreateAlloca(element);
  at_entry.CreateStore(llvm::Constant::getNullValue(element), spare);
  return b_.CreateSelect(lanes_.any(), pointer, spare);
}

Value ExprEmitter::emit_load(const Load& node) {
  const DType dtype = node.buffer->dtype;
  const Place at = place(node.buffer, node.indices);
  llvm::Type* element = memory_type(module_.context(), dtype);
  const llvm::Align align(static_cast<uint64_t>(dtype.bytes()));
  if (at.offset.is_uniform()) {
    llvm::Value* pointer = never_faulting(element_pointer(at, dtype, at.offset.v), dtype);
    return {from_memory(b_, dtype, b_.CreateAlignedLoad(element, pointer, align))};
  }
  llvm::Type* type = with_lanes(element, lanes_.count());
  llvm::Value* none = llvm::Constant::getNullValue(type);
  llvm::Value* loaded = nullptr;
  if (!at.offset.is_vector() && (at.offset.stride == 1 || at.offset.stride == -1)) {
    const bool backwards = at.offset.stride == -1;
    llvm::Value* first =
        backwards ? b_.CreateSub(at.offset.v, b_.getInt64(static_cast<uint64_t>(lanes_.count() - 1))) : at.offset.v;
    llvm::Value* pointer = element_pointer(at, dtype, first);
    if (lanes_.mask() == nullptr) {
      loaded = b_.CreateAlignedLoad(type, pointer, align);
    } else {
      loaded = b_.CreateMaskedLoad(type, pointer, align,
                                   backwards ? b_.CreateVectorReverse(lanes_.mask()) : lanes_.mask(), none);
    }
    if (backwards) loaded = b_.CreateVectorReverse(loaded);
  } else {
    llvm::Value* pointers = element_pointer(at, dtype, widened(at.offset));
    loaded = b_.CreateMaskedGather(type, pointers, align, lanes_.full_mask(), none);
  }
  return {from_memory(b_, dtype, loaded)};
}

namespace {

// Of what is stored in an element, if that is what it was and something added, a step of a sum, what is added; else
// null.
const Expr* added_to(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& expr) {
  const auto* sum = expr.as<Binary>();
  if (sum == nullptr || sum->op != BinaryOp::kAdd) return nullptr;
  const auto is_element = [&](const Expr& side) {
    const auto* before = side.as<Load>();
    return before != nullptr && before->buffer == buffer &&
           std::ranges::equal(before->indices, indices,
                              [](const Expr& a, const Expr& b) { return structural_equal(a, b); });
  };
  return is_element(sum->a) ? &sum->b : is_element(sum->b) ? &sum->a : nullptr;
}

}  // namespace

// Lets a product and the sum that it is added to be one instruction, which rounds once.
void ExprEmitter::fuse(llvm::Value* sum) {
  auto* add = llvm::dyn_cast<llvm::Instruction>(sum);
  if (add == nullptr || add->getOpcode() != llvm::Instruction::FAdd) return;
  add->setHasAllowContract(true);
  for (llvm::Value* operand : add->operands()) {
    auto* product = llvm::dyn_cast<llvm::Instruction>(operand);
    if (product != nullptr && product->getOpcode() == llvm::Instruction::FMul) product->setHasAllowContract(true);
  }
}

void ExprEmitter::store(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& expr) {
  const DType dtype = buffer->dtype;
  const Value stored = value(expr);
  const Expr* const added = module_.strict ? nullptr : added_to(buffer, indices, expr);
  if (added != nullptr && !is_scaled(*added)) fuse(stored.v);
  const Place at = place(buffer, indices);
  const llvm::Align align(static_cast<uint64_t>(dtype.bytes()));
  if (at.offset.is_uniform() && stored.is_uniform()) {
    llvm::Value* pointer = never_faulting(element_pointer(at, dtype, at.offset.v), dtype);
    b_.CreateAlignedStore(to_memory(b_, dtype, stored.v), pointer, align);
    return;
  }
  llvm::Value* vector = to_memory(b_, dtype, widened(stored));
  if (!at.offset.is_vector() && (at.offset.stride == 1 || at.offset.stride == -1)) {
    const bool backwards = at.offset.stride == -1;
    llvm::Value* first =
        backwards ? b_.CreateSub(at.offset.v, b_.getInt64(static_cast<uint64_t>(lanes_.count() - 1))) : at.offset.v;
    llvm::Value* pointer = element_pointer(at, dtype, first);
    if (backwards) vector = b_.CreateVectorReverse(vector);
    if (lanes_.mask() == nullptr) {
      b_.CreateAlignedStore(vector, pointer, align);
    } else {
      b_.CreateMaskedStore(vector, pointer, align, backwards ? b_.CreateVectorReverse(lanes_.mask()) : lanes_.mask());
    }
    return;
  }
  // One element that all lanes write keeps the last one's value: scatters write in the order of lanes.
  b_.CreateMaskedScatter(vector, element_pointer(at, dtype, widened(at.offset)), align, lanes_.full_mask());
}

}  // namespace vantage::cpu
