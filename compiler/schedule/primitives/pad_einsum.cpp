#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/math.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/ir/zero_else.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"
#include "compiler/schedule/reducer_values.h"
#include "compiler/schedule/spatial_nest.h"

namespace vantage::schedule {

namespace {

constexpr std::string_view kPrimitive = "pad_einsum";
// An axis becomes a multiple of a number up to this.
constexpr int64_t kMostPadding = 65536;

// An axis of the sum that becomes longer.
struct PaddedAxis {
  Var var;
  ir::AxisKind kind = ir::AxisKind::kSpatial;
  int64_t extent = 0, padded = 0;
};

// What a tensor is read or written at: the axis of each dimension that becomes longer.
using Dimensions = std::vector<const PaddedAxis*>;

bool grows(const Dimensions& dimensions) {
  return std::ranges::any_of(dimensions, [](const PaddedAxis* axis) { return axis != nullptr; });
}

// A block that adds up products, in nothing but a loop for each of its axes.
class Einsum {
 public:
  Einsum(const PrimFunc& function, const std::string& name, const std::vector<int64_t>& padding)
      : path_(path_to_block(function, name)), block_(block_at(path_)) {
    require_alone();
    add_axes(padding);
    require_sum(function);
    require_products(reduction_parts(block_).values.front());
  }

  const Path& path() const { return path_; }
  const Block& block() const { return block_; }
  // Those that become longer, by number.
  const std::map<size_t, PaddedAxis>& axes() const { return axes_; }

  Dimensions dimensions_of(const Buffer& buffer, const std::vector<Expr>& indices) const {
    Dimensions result(indices.size());
    for (const auto& [i, axis] : axes_) {
      for (size_t d = 0; d < indices.size(); ++d) {
        if (!ir::uses_var(indices[d], axis.var)) continue;
        if (!indices[d].same_as(axis.var)) {
          fail("{}: {} is at '{}', which moves with {}; expected that axis alone, or a padding of 1", kPrimitive,
               buffer->name, ir::to_text(indices[d]), axis.var.name());
        }
        result[d] = &axis;
      }
    }
    return result;
  }

 private:
  void require_alone() const {
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
        kPrimitive, block_.name, kPrimitive);
  }

  void add_axes(const std::vector<int64_t>& padding) {
    if (padding.size() != block_.axes.size()) {
      fail("{}: the block {} has {} axes, and {} paddings are given", kPrimitive, block_.name, block_.axes.size(),
           padding.size());
    }
    for (size_t i = 0; i < padding.size(); ++i) {
      const ir::Axis& axis = block_.axes[i];
      const int64_t* extent = ir::as_int(axis.domain.extent);
      if (padding[i] < 1 || padding[i] > kMostPadding) {
        fail("{}: a padding of {}; an axis becomes a multiple of 1 to {}", kPrimitive, padding[i], kMostPadding);
      }
      if (padding[i] == 1) continue;
      if (extent == nullptr) {
        fail("{}: the axis {} of the block {} has {} values; expected a number, or a padding of 1", kPrimitive,
             axis.var.name(), block_.name, ir::to_text(axis.domain.extent));
      }
      if (axis.kind == ir::AxisKind::kOrdered) {
        fail("{}: the axis {} of the block {} is one of a recurrence", kPrimitive, axis.var.name(), block_.name);
      }
      if (*extent % padding[i] != 0) axes_[i] = {axis.var, axis.kind, *extent, round_up(*extent, padding[i])};
    }
  }

  void require_sum(const PrimFunc& function) const {
    const ir::Reducer* reducer = block_.reducer.get();
    const auto* sum = reducer == nullptr || reducer->result.size() != 1 ? nullptr : reducer->result[0].as<ir::Binary>();
    if (!block_.init || sum == nullptr || sum->op != ir::BinaryOp::kAdd || !sum->a.same_as(reducer->lhs[0]) ||
        !sum->b.same_as(reducer->rhs[0])) {
      fail("{}: the block {} is no sum with its initial value; expected one that adds up products", kPrimitive,
           block_.name);
    }
    const auto* init = block_.init.as<ir::Store>();
    if (init == nullptr || ir::reads_memory(init->value)) {
      fail("{}: the block {} begins from what it reads", kPrimitive, block_.name);
    }
    require_value_everywhere(init->value);
    const Buffer sums = single_output(block_, kPrimitive);
    if (writers(function, path_, sums).size() != 1) {
      fail("{}: other blocks than {} write {} as well", kPrimitive, block_.name, sums->name);
    }
    // Each of its dimensions has an axis of its own, or what is wanted could not be cut out again.
    output_axes(block_, sums, kPrimitive);
  }

  // Where an axis of the sum has gone beyond its end each factor is zero, so that nothing is added.
  void require_products(const Expr& value) const {
    if (const auto* of = value.as<ir::Cast>()) return require_products(of->value);
    const ir::Select* choice = ir::zero_else(value);
    if (choice != nullptr && !ir::reads_memory(choice->condition)) {
      require_value_everywhere(choice->condition);
      return require_products(choice->if_true);
    }
    if (const auto* product = value.as<ir::Binary>(); product != nullptr && product->op == ir::BinaryOp::kMul) {
      require_products(product->a);
      return require_products(product->b);
    }
    const auto* factor = value.as<ir::Load>();
    if (factor == nullptr) {
      fail("{}: the block {} adds up '{}'; expected products of what it reads", kPrimitive, block_.name,
           ir::to_text(value));
    }
    for (const auto& [i, axis] : axes_) {
      if (axis.kind != ir::AxisKind::kReduce) continue;
      if (std::ranges::any_of(factor->indices, [&](const Expr& index) { return index.same_as(axis.var); })) continue;
      fail(
          "{}: {} is not read at {}, and what it has there need not be finite; expected {} among the indices of all "
          "factors of the block {}",
          kPrimitive, factor->buffer->name, axis.var.name(), axis.var.name(), block_.name);
    }
  }

  // Of what is computed beyond the ends of axes as well: it divides by nothing that may be zero there only.
  void require_value_everywhere(const Expr& expr) const {
    struct Search final : ir::Visitor {
      using Visitor::visit;
      std::vector<Expr> divisors;
      void visit_binary(const ir::Binary& node) override {
        switch (node.op) {
          case ir::BinaryOp::kFloorDiv:
          case ir::BinaryOp::kFloorMod:
          case ir::BinaryOp::kTruncDiv:
          case ir::BinaryOp::kTruncMod: divisors.push_back(node.b); break;
          default: break;
        }
        Visitor::visit_binary(node);
      }
    } search;
    search.visit(expr);
    for (const Expr& divisor : search.divisors) {
      for (const auto& [i, axis] : axes_) {
        if (!ir::uses_var(divisor, axis.var)) continue;
        fail("{}: the block {} divides by '{}', which may be zero beyond the end of {}", kPrimitive, block_.name,
             ir::to_text(divisor), axis.var.name());
      }
    }
  }

  const Path path_;
  const Block& block_;
  std::map<size_t, PaddedAxis> axes_;
};

// Makes the function with longer axes.
class Padder final : public ir::Mutator {
 public:
  using Mutator::visit;
  Padder(const PrimFunc& function, const Einsum& einsum) : result_(function), einsum_(einsum) {}

  PrimFunc run() && {
    const Block& block = einsum_.block();
    const Buffer sums = single_output(block, kPrimitive);
    const Dimensions dimensions = einsum_.dimensions_of(sums, single_store(block)->indices);
    if (grows(dimensions)) larger_ = {sums, padded_buffer(sums, dimensions)};
    Block longer = block;
    longer.body = visit(block.body);
    longer.init = visit(block.init);
    for (const auto& [i, axis] : einsum_.axes()) longer.axes[i].domain.extent = length(axis);
    replace(result_, outermost(), larger_.first ? ir::seq({around(longer), cut_out(sums)}) : around(longer));
    return std::move(result_);
  }

 private:
  static Expr length(const PaddedAxis& axis) { return ir::make_int(axis.var.dtype(), axis.padded); }
  Stmt outermost() const { return einsum_.path()[einsum_.path().front().kind() == ir::StmtKind::kSeq ? 1 : 0]; }
  void put_before(const Stmt& nest) { replace(result_, outermost(), ir::seq({nest, outermost()})); }

  Expr visit_load(const ir::Load& node, const Expr& self) override {
    if (node.buffer == larger_.first) return ir::load(larger_.second, node.indices);
    const Dimensions dimensions = einsum_.dimensions_of(node.buffer, node.indices);
    return grows(dimensions) ? ir::load(filled_up(node.buffer, dimensions), node.indices) : self;
  }
  Buffer visit_buffer(const Buffer& buffer) override { return buffer == larger_.first ? larger_.second : buffer; }

  Buffer padded_buffer(const Buffer& buffer, const Dimensions& dimensions) {
    std::vector<Expr> shape = buffer->shape;
    int64_t elements = 1;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (dimensions[d] != nullptr) shape[d] = ir::make_int(shape[d].dtype(), dimensions[d]->padded);
      const int64_t* size = ir::as_int(shape[d]);
      if (size != nullptr && __builtin_mul_overflow(elements, *size, &elements)) {
        fail("{}: {} would have more elements than can be counted", kPrimitive, buffer->name);
      }
    }
    const Buffer larger = ir::make_buffer(unique_buffer_name(result_, buffer->name + "_pad"), std::move(shape),
                                          buffer->dtype, buffer->scope);
    result_.allocations.push_back(larger);
    return larger;
  }

  // A copy with zeros behind the ends of the axes, and of the tensor, which may be shorter.
  Buffer filled_up(const Buffer& buffer, const Dimensions& dimensions) {
    Buffer& larger = filled_up_[{buffer.get(), dimensions}];
    if (larger) return larger;
    larger = padded_buffer(buffer, dimensions);
    put_before(spatial_nest(unique_block_name(result_, larger->name), larger->shape, [&](const auto& indices) {
      Expr inside = true;
      for (size_t d = 0; d < indices.size(); ++d) {
        if (dimensions[d] == nullptr) continue;
        const int64_t* size = ir::as_int(buffer->shape[d]);
        const int64_t extent = dimensions[d]->extent;
        const ir::DType type = indices[d].dtype();
        inside = inside && indices[d] < ir::make_int(type, size == nullptr ? extent : std::min(extent, *size));
        if (size == nullptr) inside = inside && indices[d] < buffer->shape[d];
      }
      return ir::store(larger, indices,
                       ir::if_then_else(inside, ir::load(buffer, indices), ir::make_zero(buffer->dtype)));
    }));
    return larger;
  }

  // The block's loops, as long as its axes are now.
  Stmt around(const Block& longer) const {
    Stmt nest = make_stmt(Block(longer));
    const std::vector<Stmt> loops = loops_of(einsum_.path());
    for (size_t l = loops.size(); l-- > 0;) {
      For loop = *loops[l].as<For>();
      for (const auto& [i, axis] : einsum_.axes()) {
        if (Var::of(longer.bindings[i]).same_as(loop.var)) loop.extent = ir::make_int(loop.var.dtype(), axis.padded);
      }
      loop.body = nest;
      nest = make_stmt(std::move(loop));
    }
    return nest;
  }

  // The sums that are wanted.
  Stmt cut_out(const Buffer& sums) {
    const Buffer& larger = larger_.second;
    std::vector<Expr> shape;
    for (const int axis : output_axes(einsum_.block(), sums, kPrimitive)) {
      shape.push_back(axis < 0 ? ir::make_int(sums->shape[shape.size()].dtype(), 1)
                               : einsum_.block().axes[static_cast<size_t>(axis)].domain.extent);
    }
    return spatial_nest(unique_block_name(result_, larger->name), shape,
                        [&](const auto& indices) { return ir::store(sums, indices, ir::load(larger, indices)); });
  }

  PrimFunc result_;
  const Einsum& einsum_;
  std::pair<Buffer, Buffer> larger_;  // the sums and what is in their place, if there are more
  std::map<std::pair<const ir::BufferNode*, Dimensions>, Buffer> filled_up_;
};

}  // namespace

void pad_einsum(PrimFunc& function, const std::string& name, const std::vector<int64_t>& padding) {
  const Einsum einsum(function, name, padding);
  if (!einsum.axes().empty()) function = Padder(function, einsum).run();
}

}  // namespace vantage::schedule
