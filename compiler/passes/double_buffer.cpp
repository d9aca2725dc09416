#include "compiler/passes/double_buffer.h"

#include <unordered_map>

#include "base/error.h"
#include "compiler/ir/visitor.h"
#include "compiler/passes/notes.h"

namespace vantage::passes {

using namespace ir;

namespace {

class DoubleBuffer final : public Mutator {
 public:
  using Mutator::visit;

 protected:
  Stmt visit_for(const For& node, const Stmt&) override {
    std::vector<Allocate> outside;
    outside.swap(hoisted_);
    std::vector<Var> loops = std::move(loops_);
    // What runs at once cannot take turns.
    loops_.clear();
    if (node.loop == ForKind::kSerial || node.loop == ForKind::kUnrolled) loops_ = {node.var};
    For loop = node;
    loop.body = visit(node.body);
    Stmt result = make_stmt(std::move(loop));
    for (size_t i = hoisted_.size(); i-- > 0;) {
      result = make_stmt(Allocate(hoisted_[i].buffer, result, hoisted_[i].annotations));
    }
    loops_ = std::move(loops);
    hoisted_.swap(outside);
    return result;
  }

  Stmt visit_allocate(const Allocate& node, const Stmt& self) override {
    // Outside of all loops there is nothing to take turns.
    if (node.annotations.count(std::string(kDoubleBufferNote)) == 0 || loops_.empty()) {
      return Mutator::visit_allocate(node, self);
    }
    const auto places = as_int(node.annotations.at(std::string(kDoubleBufferNote)));
    if (!places || *places < 2) {
      fail("double_buffer: the note on {} says how many places it gets, and is a number from 2 on", node.buffer->name);
    }
    BufferNode several = *node.buffer;
    several.shape[0] = several.shape[0] * *places;
    const Buffer buffer = make_buffer(std::move(several));
    const Expr turn = floor_mod(loops_.back(), *places) * node.buffer->shape[0];
    buffered_[node.buffer.get()] = {buffer, turn};
    Annotations notes = node.annotations;
    notes.erase(std::string(kDoubleBufferNote));
    hoisted_.emplace_back(buffer, node.body, std::move(notes));
    return visit(node.body);
  }

  Expr visit_load(const Load& node, const Expr& self) override {
    const auto found = buffered_.find(node.buffer.get());
    if (found == buffered_.end()) return Mutator::visit_load(node, self);
    return load(found->second.buffer, moved(node.indices, found->second.turn));
  }
  Stmt visit_store(const Store& node, const Stmt& self) override {
    const auto found = buffered_.find(node.buffer.get());
    if (found == buffered_.end()) return Mutator::visit_store(node, self);
    return store(found->second.buffer, moved(node.indices, found->second.turn), visit(node.value));
  }
  Expr visit_view(const View& node, const Expr& self) override {
    const auto found = buffered_.find(node.buffer.get());
    if (found == buffered_.end()) return Mutator::visit_view(node, self);
    std::vector<Range> box = node.box;
    box[0].min = box[0].min + found->second.turn;
    return Expr(std::make_shared<View>(found->second.buffer, std::move(box), node.touch));
  }

 private:
  struct Buffered {
    Buffer buffer;
    Expr turn;  // added to the first index
  };

  std::vector<Expr> moved(const std::vector<Expr>& indices, const Expr& turn) {
    std::vector<Expr> result = visit(indices);
    result[0] = result[0] + turn;
    return result;
  }

  std::vector<Var> loops_;         // the innermost around, if its iterations run one after another
  std::vector<Allocate> hoisted_;  // to be put around it
  std::unordered_map<const BufferNode*, Buffered> buffered_;
};

}  // namespace

PrimFunc double_buffer(PrimFunc function) {
  function.body = DoubleBuffer().visit(function.body);
  return function;
}

}  // namespace vantage::passes
