#include "compiler/passes/compact_buffers.h"

#include <optional>
#include <unordered_map>

#include "compiler/ir/regions.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::passes {

using namespace ir;

namespace {

// Where the smaller buffer begins in the old one.
struct Compacted {
  Buffer buffer;
  std::vector<Expr> origin;
};

class Compact final : public Mutator {
 public:
  explicit Compact(const PrimFunc& function) { analyzer_.bind_sizes(function); }
  using Mutator::visit;

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    analyzer_.bind(node.var, {node.min, node.extent});
    const bool sharing = is_sharing(node);
    outer_.push_back(node.var);
    if (sharing) threads_.push_back(node.var);
    const Stmt result = Mutator::visit_for(node, self);
    outer_.pop_back();
    if (sharing) threads_.pop_back();
    return result;
  }

  Stmt visit_allocate(const Allocate& node, const Stmt&) override {
    if (smaller_.count(node.buffer.get()) == 0) compact_all(node);
    const Buffer smaller = smaller_.extract(node.buffer.get()).mapped();
    const Stmt body = visit(node.body);
    return make_stmt(Allocate(smaller, body, node.annotations));
  }

  Expr visit_load(const Load& node, const Expr& self) override {
    const auto found = compacted_.find(node.buffer.get());
    if (found == compacted_.end()) return Mutator::visit_load(node, self);
    return load(found->second.buffer, moved(node.indices, found->second));
  }
  Stmt visit_store(const Store& node, const Stmt& self) override {
    const auto found = compacted_.find(node.buffer.get());
    if (found == compacted_.end()) return Mutator::visit_store(node, self);
    return store(found->second.buffer, moved(node.indices, found->second), visit(node.value));
  }
  Expr visit_view(const View& node, const Expr& self) override {
    const auto found = compacted_.find(node.buffer.get());
    if (found == compacted_.end()) return Mutator::visit_view(node, self);
    std::vector<Range> box;
    for (size_t d = 0; d < node.box.size(); ++d) {
      box.push_back({visit(node.box[d].min) - found->second.origin[d], visit(node.box[d].extent)});
    }
    return Expr(std::make_shared<View>(found->second.buffer, std::move(box), node.touch));
  }

 private:
  std::vector<Expr> moved(const std::vector<Expr>& indices, const Compacted& to) {
    std::vector<Expr> result;
    for (size_t d = 0; d < indices.size(); ++d) result.push_back(visit(indices[d]) - to.origin[d]);
    return result;
  }

  // The buffers that are allocated one right inside the other, by one look at what they are for.
  void compact_all(const Allocate& first) {
    std::vector<Buffer> buffers = {first.buffer};
    const Allocate* last = &first;
    while (const auto* next = last->body.as<Allocate>()) {
      buffers.push_back(next->buffer);
      last = next;
    }
    Analyzer inner = analyzer_;
    const Regions touched = regions(last->body, inner, buffers);
    for (const Buffer& buffer : buffers) {
      std::optional<std::vector<Range>> box;
      for (const auto* list : {&touched.reads, &touched.writes}) {
        for (const BufferRegion& region : *list) {
          if (region.buffer == buffer) box = box ? hull(*box, region.box, inner) : region.box;
        }
      }
      if (box && is_shared(buffer->scope)) sweep(*box, inner, *buffer);
      smaller_[buffer.get()] = box ? compact(buffer, *box, inner) : buffer;
    }
  }

  // What all threads of a block touch of what they share.
  void sweep(std::vector<Range>& box, Analyzer& inner, const BufferNode& buffer) {
    for (size_t d = 0; d < box.size(); ++d) {
      box[d] = swept(box[d], threads_, inner).value_or(Range{make_zero(box[d].min.dtype()), buffer.shape[d]});
    }
  }

  // Sizes must not move with loops outside; where one does, its largest value is taken.
  Buffer compact(const Buffer& buffer, const std::vector<Range>& box, Analyzer& inner) {
    BufferNode node = *buffer;
    Compacted result;
    bool changed = false;
    for (size_t d = 0; d < box.size(); ++d) {
      const Expr extent = inner.upper_bound(box[d].extent, outer_);
      // Where no iteration touches it (a recurrence of no steps), a buffer still has a size.
      const bool fits = extent.defined() && inner.prove(extent >= 1) && inner.prove(extent <= buffer->shape[d]);
      changed = changed || (fits && (!is_int(box[d].min, 0) || inner.prove(extent < buffer->shape[d])));
      result.origin.push_back(fits ? box[d].min : make_zero(box[d].min.dtype()));
      node.shape[d] = fits ? extent : buffer->shape[d];
    }
    compacted_.erase(buffer.get());  // as it was at another place where it is allocated
    if (!changed) return buffer;
    node.strides.clear();
    result.buffer = make_buffer(std::move(node));
    compacted_.emplace(buffer.get(), result);
    return result.buffer;
  }

  Analyzer analyzer_;
  std::vector<Var> outer_;    // the loops around
  std::vector<Var> threads_;  // those of them that the threads of a block run together
  std::unordered_map<const BufferNode*, Buffer>
      smaller_;  // what each of a chain becomes; taken out where it is allocated
  std::unordered_map<const BufferNode*, Compacted> compacted_;
};

}  // namespace

PrimFunc compact_buffers(PrimFunc function) {
  function.body = Compact(function).visit(function.body);
  return function;
}

}  // namespace vantage::passes
