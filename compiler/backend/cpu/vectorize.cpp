#include "compiler/backend/cpu/vectorize.h"

#include <algorithm>

#include "compiler/ir/iterations.h"
#include "compiler/ir/visitor.h"

namespace vantage::cpu {

using namespace ir;

namespace {

// So many vectors of one loop are written out one after another: what they touch may then stay in registers.
constexpr int64_t kUnrolledVectors = 16;

// The bytes of the widest number that a loop computes with: as many of them as fill a vector are its lanes.
class WidestElement final : public Visitor {
 public:
  using Visitor::visit;
  int bytes = 1;

 protected:
  void visit_load(const Load& node) override {
    bytes = std::max(bytes, node.buffer->dtype.bytes());
    // Indices are not computed with, but for those that memory holds.
    for (const Expr& index : node.indices) visit(index);
  }
  void visit_view(const View& node) override { bytes = std::max(bytes, node.buffer->dtype.bytes()); }
  void visit_store(const Store& node) override {
    bytes = std::max({bytes, node.buffer->dtype.bytes(), node.value.dtype().bytes()});
    visit(node.value);
  }
};

// The loop's body for iterations first, first + 1, ..., one for each lane.
void emit_in_lanes(StmtEmitter& emitter, const For& loop, llvm::Value* first, int lanes) {
  ExprEmitter& exprs = emitter.exprs();
  exprs.scope().vars[loop.var.get()] = {first, lanes == 1 ? 0 : 1};
  exprs.lanes().set_count(lanes);
  emitter.emit_on_one_thread(loop.body);
  exprs.lanes().set_count(1);
  exprs.scope().vars.erase(loop.var.get());
}

}  // namespace

void emit_vectorized(StmtEmitter& emitter, const For& loop) {
  WidestElement widest;
  widest.visit(loop.body);
  llvm::IRBuilder<>& b = emitter.builder();
  const int64_t extent = *as_int(loop.extent);
  llvm::Value* min = emitter.exprs().index(loop.min).v;
  const auto number = [&](int64_t value) { return llvm::ConstantInt::getSigned(min->getType(), value); };
  if (!iterations_apart(loop)) {
    // In order, by one lane.
    return emitter.repeat(number(extent), loop.var.name(),
                          [&](llvm::Value* i) { emit_in_lanes(emitter, loop, b.CreateNSWAdd(min, i), 1); });
  }
  int lanes = emitter.target().vector_bytes / widest.bytes;
  int64_t done = 0;
  if (extent / lanes > kUnrolledVectors) {
    emitter.repeat(number(extent / lanes), loop.var.name(), [&](llvm::Value* i) {
      emit_in_lanes(emitter, loop, b.CreateNSWAdd(min, b.CreateNSWMul(i, number(lanes))), lanes);
    });
    done = extent / lanes * lanes;
  }
  // What is left in ever smaller powers of two.
  for (; done < extent; done += lanes) {
    while (lanes > extent - done) lanes /= 2;
    emit_in_lanes(emitter, loop, b.CreateNSWAdd(min, number(done)), lanes);
  }
}

void emit_uneven_loop(StmtEmitter& emitter, const For& loop, const Value& min, const Value& extent) {
  llvm::IRBuilder<>& b = emitter.builder();
  ExprEmitter& exprs = emitter.exprs();
  Lanes& lanes = exprs.lanes();
  llvm::Value* extents = lanes.widened(extent);
  llvm::Value* outside = lanes.mask();
  if (outside != nullptr) {
    extents = b.CreateSelect(outside, extents, llvm::Constant::getNullValue(extents->getType()));
  }
  emitter.repeat(b.CreateIntMaxReduce(extents, true), loop.var.name(), [&](llvm::Value* i) {
    llvm::Value* numbers = lanes.widened({i});
    lanes.set_mask(lanes.narrowed_mask({b.CreateICmpSLT(numbers, extents)}));
    exprs.scope().vars[loop.var.get()] = {b.CreateNSWAdd(lanes.widened(min), numbers)};
    emitter.emit(loop.body);
    exprs.scope().vars.erase(loop.var.get());
    lanes.set_mask(outside);
  });
}

void emit_masked(StmtEmitter& emitter, const Value& condition, const Stmt& body) {
  llvm::IRBuilder<>& b = emitter.builder();
  Lanes& lanes = emitter.exprs().lanes();
  llvm::Value* outside = lanes.mask();
  lanes.set_mask(lanes.narrowed_mask(condition));
  if (body.kind() == StmtKind::kStore) {
    emitter.emit(body);
  } else {
    llvm::BasicBlock* some = emitter.block("some");
    llvm::BasicBlock* end = emitter.block("end");
    b.CreateCondBr(lanes.any(), some, end);
    b.SetInsertPoint(some);
    emitter.emit(body);
    b.CreateBr(end);
    b.SetInsertPoint(end);
  }
  lanes.set_mask(outside);
}

}  // namespace vantage::cpu
