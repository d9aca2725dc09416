#include "compiler/passes/align_storage.h"

#include <unordered_map>

#include "compiler/ir/visitor.h"
#include "compiler/passes/notes.h"

namespace vantage::passes {

using namespace ir;

namespace {

class AlignStorage final : public Mutator {
 public:
  using Mutator::visit;

 protected:
  Stmt visit_allocate(const Allocate& node, const Stmt& self) override {
    Annotations notes = node.annotations;
    const auto take = [&](std::string_view key) {
      const auto found = notes.find(std::string(key));
      if (found == notes.end()) return int64_t{0};
      const int64_t value = *as_int(found->second);
      notes.erase(found);
      return value;
    };
    const int64_t factor = take(kAlignFactorNote), offset = take(kAlignOffsetNote), axis = take(kAlignAxisNote);
    if (factor == 0) return Mutator::visit_allocate(node, self);
    BufferNode aligned = *node.buffer;
    aligned.strides.assign(aligned.rank(), {});
    Expr stride = 1;
    for (size_t d = aligned.rank(); d-- > 0;) {
      if (static_cast<int64_t>(d) == axis) stride = stride + floor_mod(Expr(offset) - stride, Expr(factor));
      aligned.strides[d] = stride;
      stride = stride * aligned.shape[d];
    }
    buffers_[node.buffer.get()] = make_buffer(std::move(aligned));
    return make_stmt(Allocate(buffers_[node.buffer.get()], visit(node.body), std::move(notes)));
  }
  Buffer visit_buffer(const Buffer& buffer) override {
    const auto found = buffers_.find(buffer.get());
    return found == buffers_.end() ? buffer : found->second;
  }

 private:
  std::unordered_map<const BufferNode*, Buffer> buffers_;
};

}  // namespace

PrimFunc align_storage(PrimFunc function) {
  function.body = AlignStorage().visit(function.body);
  return function;
}

}  // namespace vantage::passes
