// ExprEmitter's calls of the user's own functions.
#include "compiler/backend/cpu/expr_emitter.h"
#include "compiler/backend/cpu/extern_calls.h"
#include "compiler/backend/cpu/types.h"

namespace vantage::cpu {

using namespace ir;

// In lanes it is called for one after another, for those that take effect.
Value ExprEmitter::emit_extern(const Call& node) {
  const native::External& external = external_of(node, module_.externals);
  struct Operand {
    const View* box;  // null: a number
    Value number;
    Place place;
    std::vector<Value> extents;
  };
  std::vector<Operand> operands;
  bool uniform = true;
  for (const Expr& argument : node.arguments) {
    Operand& operand = operands.emplace_back(Operand{argument.as<View>(), {}, {}, {}});
    if (operand.box == nullptr) {
      operand.number = emit(argument);
      uniform = uniform && operand.number.is_uniform();
      continue;
    }
    std::vector<Expr> first;
    for (const Range& range : operand.box->box) first.push_back(range.min);
    operand.place = place(operand.box->buffer, first);
    uniform = uniform && operand.place.offset.is_uniform();
    for (const Range& range : operand.box->box) {
      operand.extents.push_back(to_int64(index(range.extent)));
      uniform = uniform && operand.extents.back().is_uniform();
    }
  }
  const bool is_pure = !node.dtype.is_void();
  const auto call = [&](int lane) {
    std::vector<llvm::Value*> values;
    for (const Operand& operand : operands) {
      if (operand.box == nullptr) {
        values.push_back(lanes_.at(operand.number, lane));
        continue;
      }
      const Buffer& buffer = operand.box->buffer;
      const Storage& storage = scope_.buffers.at(buffer.get());
      std::vector<llvm::Value*> extents, strides;
      for (const Value& extent : operand.extents) extents.push_back(lanes_.at(extent, lane));
      for (llvm::Value* stride : storage.strides) {
        strides.push_back(b_.CreateNSWMul(stride, b_.getInt64(static_cast<uint64_t>(storage.copies))));
      }
      llvm::Type* element = memory_type(module_.context(), buffer->dtype);
      llvm::Value* data = b_.CreateGEP(element, operand.place.data, lanes_.at(operand.place.offset, lane));
      values.push_back(emit_tensor(b_, buffer->dtype, data, extents, strides));
    }
    return emit_extern_call(b_, external, is_pure, values);
  };
  if (lanes_.count() == 1 || (is_pure && uniform && lanes_.mask() == nullptr)) return {call(0)};
  llvm::Value* results =
      is_pure ? llvm::Constant::getNullValue(with_lanes(value_type(module_.context(), node.dtype), lanes_.count()))
              : nullptr;
  for (int lane = 0; lane < lanes_.count(); ++lane) {
    const auto in_lane = [&] {
      llvm::Value* result = call(lane);
      return is_pure ? b_.CreateInsertElement(results, result, static_cast<uint64_t>(lane)) : nullptr;
    };
    if (lanes_.mask() == nullptr) {
      results = in_lane();
      continue;
    }
    llvm::Function* function = b_.GetInsertBlock()->getParent();
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::BasicBlock* active = llvm::BasicBlock::Create(module_.context(), "lane", function);
    llvm::BasicBlock* after = llvm::BasicBlock::Create(module_.context(), "lane.end", function);
    b_.CreateCondBr(b_.CreateExtractElement(lanes_.mask(), static_cast<uint64_t>(lane)), active, after);
    b_.SetInsertPoint(active);
    llvm::Value* with_result = in_lane();
    llvm::BasicBlock* active_end = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    if (!is_pure) continue;
    llvm::PHINode* phi = b_.CreatePHI(results->getType(), 2);
    phi->addIncoming(results, before);
    phi->addIncoming(with_result, active_end);
    results = phi;
  }
  return {results};
}

}  // namespace vantage::cpu
