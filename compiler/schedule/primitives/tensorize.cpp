#include <algorithm>
#include <map>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/substitute.h"
#include "compiler/ir/visitor.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

// A nest of loops around one block, as loops and a body on the loops' variables. Loops of one iteration are gone.
struct Nest {
  std::vector<const For*> loops;
  const Block* block = nullptr;
  Stmt body;
};

Nest flatten(const Stmt& stmt) {
  Nest nest;
  ir::VarMap units;
  Stmt inner = stmt;
  while (const auto* loop = inner.as<For>()) {
    if (ir::is_int(loop->extent, 1)) {
      units[loop->var.get()] = loop->min;
    } else {
      nest.loops.push_back(loop);
    }
    inner = loop->body;
  }
  nest.block = inner.as<Block>();
  if (nest.block == nullptr) return nest;
  ir::VarMap axes;
  for (size_t i = 0; i < nest.block->axes.size(); ++i) {
    axes[nest.block->axes[i].var.get()] = ir::substitute(nest.block->bindings[i], units);
  }
  nest.body = ir::substitute(nest.block->body, axes);
  return nest;
}

// Where a parameter of the description lies in the function: the element of `buffer` that is its first.
struct Place {
  Buffer buffer;
  std::vector<Expr> base;
};

class Matcher {
 public:
  Matcher(const std::string& block, const std::string& intrinsic) : block_(block), intrinsic_(intrinsic) {}

  std::map<const ir::BufferNode*, Place> match(const Nest& description, const Nest& target) {
    if (description.loops.size() != target.loops.size()) {
      refuse(fmt::format("it has {} loops of more than one iteration, expected {}", target.loops.size(),
                         description.loops.size()));
    }
    for (size_t i = 0; i < target.loops.size(); ++i) {
      const For &wanted = *description.loops[i], &got = *target.loops[i];
      if (!ir::structural_equal(wanted.extent, got.extent)) {
        refuse(fmt::format("the loop {} has {} iterations, expected {}", got.var.name(), ir::to_text(got.extent),
                           ir::to_text(wanted.extent)));
      }
      loops_[wanted.var.get()] = got.var;
      inner_.push_back(got.var);
      analyzer_.bind(got.var, {got.min, got.extent});
    }
    const auto *wanted = description.body.as<ir::Store>(), *got = target.body.as<ir::Store>();
    if (wanted == nullptr || got == nullptr) refuse("its body is not one store");
    access(wanted->buffer, wanted->indices, got->buffer, got->indices);
    expr(wanted->value, got->value);
    return std::move(places_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    fail("tensorize: the block {} is not what {} computes: {}", block_, intrinsic_, why);
  }

  void access(const Buffer& wanted, const std::vector<Expr>& wanted_indices, const Buffer& got,
              const std::vector<Expr>& got_indices) {
    if (wanted->dtype != got->dtype) {
      refuse(fmt::format("{} holds {}, expected {}", got->name, name(got->dtype), name(wanted->dtype)));
    }
    if (wanted->scope != "global" && wanted->scope != got->scope) {
      refuse(fmt::format("{} is in '{}', expected '{}'; set_scope or cache it there", got->name, got->scope,
                         wanted->scope));
    }
    if (got_indices.size() < wanted_indices.size()) {
      refuse(fmt::format("{} has {} dimensions, expected at least {}", got->name, got->rank(), wanted->rank()));
    }
    const size_t leading = got_indices.size() - wanted_indices.size();
    const auto is_inner = [&](const ir::VarNode* v) {
      return std::any_of(inner_.begin(), inner_.end(), [&](const Var& i) { return i.get() == v; });
    };
    Place place{got, {}};
    for (size_t d = 0; d < got_indices.size(); ++d) {
      Expr base = got_indices[d];
      if (d >= leading) base = base - ir::substitute(wanted_indices[d - leading], loops_);
      base = analyzer_.simplify(base);
      if (ir::uses_var(base, is_inner)) {
        refuse(fmt::format("{} is indexed by '{}' in dimension {}, which does not move as {} does", got->name,
                           ir::to_text(got_indices[d]), d, wanted->name));
      }
      place.base.push_back(base);
    }
    const auto [known, is_new] = places_.emplace(wanted.get(), place);
    bool same = is_new || known->second.buffer == got;
    for (size_t d = 0; same && d < place.base.size(); ++d) {
      same = ir::structural_equal(known->second.base[d], place.base[d]);
    }
    if (!same) refuse(fmt::format("{} of {} stands for different things", wanted->name, intrinsic_));
  }

  void expr(const Expr& wanted, const Expr& got) {
    const auto differs = [&] {
      refuse(fmt::format("it has '{}', expected '{}'", ir::to_text(got), ir::to_text(wanted)));
    };
    if (wanted.kind() != got.kind() || wanted.dtype() != got.dtype()) differs();
    switch (wanted.kind()) {
      case ir::ExprKind::kLoad:
        return access(wanted.as<ir::Load>()->buffer, wanted.as<ir::Load>()->indices, got.as<ir::Load>()->buffer,
                      got.as<ir::Load>()->indices);
      case ir::ExprKind::kCast: return expr(wanted.as<ir::Cast>()->value, got.as<ir::Cast>()->value);
      case ir::ExprKind::kBinary: {
        const auto *a = wanted.as<ir::Binary>(), *b = got.as<ir::Binary>();
        if (a->op != b->op) differs();
        expr(a->a, b->a);
        return expr(a->b, b->b);
      }
      default:
        if (!ir::structural_equal(ir::substitute(wanted, loops_), got)) differs();
    }
  }

  const std::string& block_;
  const std::string& intrinsic_;
  ir::VarMap loops_;
  std::vector<Var> inner_;
  ir::Analyzer analyzer_;
  std::map<const ir::BufferNode*, Place> places_;
};

// The implementation on the function's buffers.
class PlaceBuffers final : public ir::Mutator {
 public:
  explicit PlaceBuffers(const std::map<const ir::BufferNode*, Place>& places) : places_(places) {}
  using Mutator::visit;

 protected:
  Expr visit_view(const ir::View& node, const Expr& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_view(node, self);
    const auto& [buffer, base] = found->second;
    std::vector<ir::Range> box;
    const size_t leading = base.size() - node.box.size();
    for (size_t d = 0; d < base.size(); ++d) {
      if (d < leading) {
        box.push_back({base[d], ir::make_int(base[d].dtype(), 1)});
      } else {
        box.push_back({base[d] + visit(node.box[d - leading].min), visit(node.box[d - leading].extent)});
      }
    }
    return Expr(std::make_shared<ir::View>(buffer, std::move(box), node.touch));
  }
  Expr visit_load(const ir::Load& node, const Expr& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_load(node, self);
    return ir::load(found->second.buffer, indices(found->second, node.indices));
  }
  Stmt visit_store(const ir::Store& node, const Stmt& self) override {
    const auto found = places_.find(node.buffer.get());
    if (found == places_.end()) return Mutator::visit_store(node, self);
    return ir::store(found->second.buffer, indices(found->second, node.indices), visit(node.value));
  }

 private:
  std::vector<Expr> indices(const Place& place, const std::vector<Expr>& given) {
    std::vector<Expr> result = place.base;
    const size_t leading = place.base.size() - given.size();
    for (size_t d = 0; d < given.size(); ++d) result[leading + d] = result[leading + d] + visit(given[d]);
    return result;
  }

  const std::map<const ir::BufferNode*, Place>& places_;
};

}  // namespace

void tensorize(PrimFunc& function, const std::string& name, const TensorIntrinsic& intrinsic) {
  const Path path = path_to_block(function, name);
  const Block& block = block_at(path);
  const Nest target = flatten(block.body);
  const Nest description = flatten(intrinsic.description().body);
  VANTAGE_CHECK(description.block != nullptr);
  if (target.block == nullptr) {
    fail("tensorize: the block {} holds no loops around one block; blockize the loops that {} replaces", name,
         intrinsic.name());
  }
  if (target.block->init) {
    fail("tensorize: the block {} initialises what it reduces, which {} does not; decompose_reduction first",
         target.block->name, intrinsic.name());
  }
  const auto places = Matcher(target.block->name, intrinsic.name()).match(description, target);
  // Parameters of the two functions correspond by position.
  std::map<const ir::BufferNode*, Place> by_implementation;
  const auto described = intrinsic.description().buffers(), implemented = intrinsic.implementation().buffers();
  for (size_t i = 0; i < described.size(); ++i) {
    by_implementation.emplace(implemented[i].get(), places.at(described[i].get()));
  }
  Block result = block;
  result.body = PlaceBuffers(by_implementation).visit(ir::fresh_copy(intrinsic.implementation().body));
  result.annotations["tensor_intrinsic"] = ir::make_string(intrinsic.name());
  replace(function, path.back(), make_stmt(std::move(result)));
}

}  // namespace vantage::schedule
