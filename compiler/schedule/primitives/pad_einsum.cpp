#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/ir/zero_else.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/element_nest.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/reducer_values.h"

namespace vantage::schedule {

namespace {

// An axis of the sum, with how long it becomes.
struct PaddedAxis {
  Var var;
  ir::AxisKind kind = ir::AxisKind::kSpatial;
  int64_t extent = 0, padded = 0;
  bool grows() const { return padded != extent; }
};

// What a tensor is read or written at: the axis of each dimension that becomes longer.
using Dimensions = std::vector<std::optional<PaddedAxis>>;

bool grows_any(const Dimensions& dimensions) {
  return std::ranges::any_of(dimensions, [](const auto& axis) { return axis.has_value(); });
}

class PadEinsum {
 public:
  PadEinsum(const PrimFunc& function, std::string name, const std::vector<int64_t>& padding)
      : function_(function), name_(std::move(name)), path_(path_to_block(function, name_)), block_(block_at(path_)) {
    require_alone();
    require_sum();
    add_axes(padding);
  }

  PrimFunc run() && {
    const ReductionParts parts = reduction_parts(block_);
    require_products(parts.values.front());
    PrimFunc result = function_;
    result_ = &result;
    const Buffer sums = parts.buffers.front();
    const Dimensions of_sums = dimensions_of(sums, parts.indices);
    // Each dimension of the sums has an axis of its own, or they could not be cut out again.
    const std::vector<int> positions = output_axes(block_, sums, kPrimitive);

    std::vector<Stmt> nests;
    Block einsum = block_;
    if (grows_any(of_sums)) padded_ = {{sums, padded_buffer(sums, of_sums)}};
    Loads loads(*this, nests);
    einsum.body = loads.visit(block_.body);
    einsum.init = loads.visit(block_.init);
    for (size_t i = 0; i < axes_.size(); ++i) einsum.axes[i].domain.extent = length(axes_[i].var, axes_[i].padded);
    nests.push_back(around(einsum));
    if (!padded_.empty()) {
      const Buffer& larger = padded_.front().second;
      std::vector<Expr> shape;
      for (size_t d = 0; d < positions.size(); ++d) {
        const int position = positions[d];
        shape.push_back(position < 0 ? ir::make_int(sums->shape[d].dtype(), 1)
                                     : block_.axes[static_cast<size_t>(position)].domain.extent);
      }
      nests.push_back(element_nest(unique_block_name(result, larger->name), shape, [&](const auto& indices) {
        return ir::store(sums, indices, ir::load(larger, indices));
      }));
    }
    replace(result, outermost(), ir::seq(std::move(nests)));
    return result;
  }

 private:
  static constexpr std::string_view kPrimitive = "pad_einsum";
  static constexpr int64_t kMostPadding = std::numeric_limits<int32_t>::max();

  // Reads of what becomes longer go to tensors that are filled up.
  class Loads final : public ir::Mutator {
   public:
    using Mutator::visit;
    Loads(PadEinsum& of, std::vector<Stmt>& nests) : of_(of), nests_(nests) {}

   private:
    Expr visit_load(const ir::Load& node, const Expr& self) override {
      if (Buffer sums = of_.in_place_of(node.buffer)) return ir::load(sums, node.indices);
      const Dimensions dimensions = of_.dimensions_of(node.buffer, node.indices);
      if (!grows_any(dimensions)) return self;
      return ir::load(of_.filled_up(node.buffer, dimensions, nests_), node.indices);
    }
    Buffer visit_buffer(const Buffer& buffer) override {
      Buffer sums = of_.in_place_of(buffer);
      return sums ? sums : buffer;
    }
    PadEinsum& of_;
    std::vector<Stmt>& nests_;
  };

  static Expr length(const Var& axis, int64_t number) { return ir::make_int(axis.dtype(), number); }
  Stmt outermost() const { return path_[path_.front().kind() == ir::StmtKind::kSeq ? 1 : 0]; }

  // The block stands in nothing but a loop for each of its axes, which are as when it was made.
  void require_alone() {
    require_outermost(path_, kPrimitive);
    const std::vector<Stmt> loops = loops_of(path_);
    bool is_plain = loops.size() == block_.axes.size() && ir::is_int(block_.predicate, 1);
    Stmt inner = path_.back();
    for (size_t i = loops.size(); is_plain && i-- > 0;) {
      const For& loop = *loops[i].as<For>();
      is_plain = loop.loop == ir::ForKind::kSerial && loop.body.same_as(inner) && ir::is_int(loop.min, 0);
      inner = loops[i];
    }
    for (size_t i = 0; is_plain && i < loops.size(); ++i) {
      const ir::Axis& axis = block_.axes[i];
      is_plain = std::ranges::any_of(loops, [&](const Stmt& loop) {
        return Var::of(block_.bindings[i]).same_as(loop.as<For>()->var) && ir::is_int(axis.domain.min, 0) &&
               ir::structural_equal(loop.as<For>()->extent, axis.domain.extent);
      });
    }
    if (is_plain) return;
    fail(
        "{}: the block {} is not in one loop for each of its axes, with nothing else in them; {} it before its loops "
        "are changed",
        kPrimitive, name_, kPrimitive);
  }

  void require_sum() const {
    const ir::Reducer* reducer = block_.reducer.get();
    const auto* sum = reducer == nullptr || reducer->result.size() != 1 ? nullptr : reducer->result[0].as<ir::Binary>();
    if (!block_.init || sum == nullptr || sum->op != ir::BinaryOp::kAdd) {
      fail("{}: the block {} is no sum with its initial value; expected one that adds up products", kPrimitive, name_);
    }
    const auto* init = block_.init.as<ir::Store>();
    if (init == nullptr || ir::reads_memory(init->value)) {
      fail("{}: the block {} begins from what it reads", kPrimitive, name_);
    }
    if (writers(function_, path_, single_output(block_, kPrimitive)).size() != 1) {
      fail("{}: other blocks than {} write {} as well", kPrimitive, name_, single_output(block_, kPrimitive)->name);
    }
  }

  void add_axes(const std::vector<int64_t>& padding) {
    if (padding.size() != block_.axes.size()) {
      fail("{}: the block {} has {} axes, and {} paddings are given", kPrimitive, name_, block_.axes.size(),
           padding.size());
    }
    for (size_t i = 0; i < padding.size(); ++i) {
      const ir::Axis& axis = block_.axes[i];
      const int64_t* extent = ir::as_int(axis.domain.extent);
      if (padding[i] < 1 || padding[i] > kMostPadding) {
        fail("{}: a padding of {}; an axis becomes a multiple of 1 to {}", kPrimitive, padding[i], kMostPadding);
      }
      if (extent == nullptr) {
        fail("{}: the axis {} of the block {} has {} values; expected a number", kPrimitive, axis.var.name(), name_,
             ir::to_text(axis.domain.extent));
      }
      if (axis.kind == ir::AxisKind::kOrdered) {
        fail("{}: the axis {} of the block {} is one of a recurrence", kPrimitive, axis.var.name(), name_);
      }
      axes_.push_back({axis.var, axis.kind, *extent, round_up(*extent, padding[i])});
    }
  }

  // Where an axis of the sum has gone beyond its end, each factor is zero, so that nothing is added.
  void require_products(const Expr& value) const {
    if (const auto* of = value.as<ir::Cast>()) return require_products(of->value);
    const ir::Select* choice = ir::zero_else(value);
    if (choice != nullptr && !ir::reads_memory(choice->condition)) return require_products(choice->if_true);
    if (const auto* product = value.as<ir::Binary>(); product != nullptr && product->op == ir::BinaryOp::kMul) {
      require_products(product->a);
      return require_products(product->b);
    }
    const auto* factor = value.as<ir::Load>();
    if (factor == nullptr) {
      fail("{}: the block {} adds up '{}'; expected products of what it reads", kPrimitive, name_, ir::to_text(value));
    }
    for (const PaddedAxis& axis : axes_) {
      if (!axis.grows() || axis.kind != ir::AxisKind::kReduce) continue;
      if (std::ranges::any_of(factor->indices, [&](const Expr& index) { return index.same_as(axis.var); })) continue;
      fail(
          "{}: {} is not read at {}, and what it has there need not be finite; expected {} among the indices of all "
          "factors of the block {}",
          kPrimitive, factor->buffer->name, axis.var.name(), axis.var.name(), name_);
    }
  }

  Dimensions dimensions_of(const Buffer& buffer, const std::vector<Expr>& indices) const {
    Dimensions result(indices.size());
    for (const PaddedAxis& axis : axes_) {
      if (!axis.grows()) continue;
      for (size_t d = 0; d < indices.size(); ++d) {
        if (!ir::uses_var(indices[d], axis.var)) continue;
        if (!indices[d].same_as(axis.var)) {
          fail("{}: {} is at '{}', which moves with {}; expected that axis alone, or a padding of 1", kPrimitive,
               buffer->name, ir::to_text(indices[d]), axis.var.name());
        }
        result[d] = axis;
      }
    }
    return result;
  }

  Buffer padded_buffer(const Buffer& buffer, const Dimensions& dimensions) {
    std::vector<Expr> shape = buffer->shape;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (dimensions[d]) shape[d] = ir::make_int(shape[d].dtype(), dimensions[d]->padded);
    }
    const Buffer larger = ir::make_buffer(unique_buffer_name(*result_, buffer->name + "_pad"), std::move(shape),
                                          buffer->dtype, buffer->scope);
    result_->allocations.push_back(larger);
    return larger;
  }

  // A copy with zeros behind the ends of the axes.
  Buffer filled_up(const Buffer& buffer, const Dimensions& dimensions, std::vector<Stmt>& nests) {
    const Buffer larger = padded_buffer(buffer, dimensions);
    nests.push_back(element_nest(unique_block_name(*result_, larger->name), larger->shape, [&](const auto& indices) {
      Expr inside = true;
      for (size_t d = 0; d < indices.size(); ++d) {
        if (dimensions[d]) inside = inside && indices[d] < ir::make_int(indices[d].dtype(), dimensions[d]->extent);
      }
      return ir::store(larger, indices,
                       ir::if_then_else(inside, ir::load(buffer, indices), ir::make_zero(buffer->dtype)));
    }));
    return larger;
  }

  Buffer in_place_of(const Buffer& buffer) const {
    return !padded_.empty() && padded_.front().first == buffer ? padded_.front().second : Buffer();
  }

  // The block's loops, as long as its axes are now.
  Stmt around(const Block& einsum) const {
    Stmt nest = make_stmt(Block(einsum));
    const std::vector<Stmt> loops = loops_of(path_);
    for (size_t l = loops.size(); l-- > 0;) {
      For loop = *loops[l].as<For>();
      for (size_t i = 0; i < axes_.size(); ++i) {
        if (Var::of(block_.bindings[i]).same_as(loop.var)) loop.extent = length(loop.var, axes_[i].padded);
      }
      loop.body = nest;
      nest = make_stmt(std::move(loop));
    }
    return nest;
  }

  const PrimFunc& function_;
  const std::string name_;
  const Path path_;
  const Block& block_;
  std::vector<PaddedAxis> axes_;
  PrimFunc* result_ = nullptr;
  std::vector<std::pair<Buffer, Buffer>> padded_;  // the sums and what is in their place, if they grow
};

}  // namespace

void pad_einsum(PrimFunc& function, const std::string& name, const std::vector<int64_t>& padding) {
  function = PadEinsum(function, name, padding).run();
}

}  // namespace vantage::schedule
