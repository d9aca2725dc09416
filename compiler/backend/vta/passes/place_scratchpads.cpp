#include "compiler/backend/vta/passes/place_scratchpads.h"

#include <array>

#include "base/error.h"
#include "compiler/backend/vta/scopes.h"
#include "compiler/ir/visitor.h"

namespace vantage::vta {

using namespace ir;

namespace {

class PlaceScratchpads final : public Mutator {
 public:
  explicit PlaceScratchpads(const isa::Config& config) : config_(config) {
    for (isa::Memory memory : {isa::Memory::kInp, isa::Memory::kWgt, isa::Memory::kAcc}) {
      space(memory) = {0, static_cast<int64_t>(config.depth(memory).count()), 0};
    }
  }
  using Mutator::visit;
  Expr visit(const Expr& expr) override { return expr; }

 protected:
  Stmt visit_for(const For& node, const Stmt& self) override {
    if (node.loop != ForKind::kVirtualThread) return Mutator::visit_for(node, self);
    const int64_t* count = as_int(node.extent);
    if (count == nullptr || *count < 1) {
      fail("the virtual threads of the loop {} have no constant number", node.var.name());
    }
    if (threads_ > 1 || inside_threads_) {
      fail("the loop {} has virtual threads inside of virtual threads; fuse the loops", node.var.name());
    }
    const auto before = spaces_;
    for (Space& s : spaces_) {
      s.step = (s.end - s.next) / *count;
      s.end = s.next + s.step;
    }
    threads_ = *count;
    inside_threads_ = true;
    Stmt result = Mutator::visit_for(node, self);
    inside_threads_ = false;
    threads_ = 1;
    spaces_ = before;
    return result;
  }

  Stmt visit_allocate(const Allocate& node, const Stmt&) override {
    const isa::Memory memory = *scratchpad_of(node.buffer->scope);
    Space& s = space(memory);
    const int64_t needed = *as_int(node.buffer->shape[0]);
    if (s.next + needed > s.end) {
      const std::string shared = threads_ > 1 ? fmt::format(" of one of {} virtual threads", threads_) : std::string();
      fail("{} needs {} elements of {}, where {} are left{}; {} holds {} in all: compute it in smaller pieces",
           node.buffer->name, needed, node.buffer->scope, s.end - s.next, shared, node.buffer->scope,
           config_.depth(memory).count());
    }
    Annotations notes = node.annotations;
    notes[std::string(kBaseNote)] = make_int(kIndex, s.next);
    if (inside_threads_) notes[std::string(kThreadStepNote)] = make_int(kIndex, s.step);
    s.next += needed;
    const Stmt body = visit(node.body);
    space(memory).next -= needed;
    return make_stmt(Allocate(node.buffer, body, std::move(notes)));
  }

 private:
  struct Space {
    int64_t next = 0, end = 0, step = 0;
  };
  Space& space(isa::Memory memory) {
    return spaces_[memory == isa::Memory::kInp ? 0 : memory == isa::Memory::kWgt ? 1 : 2];
  }

  const isa::Config& config_;
  std::array<Space, 3> spaces_;
  int64_t threads_ = 1;
  bool inside_threads_ = false;
};

}  // namespace

PrimFunc place_scratchpads(PrimFunc function, const isa::Config& config) {
  function.body = PlaceScratchpads(config).visit(function.body);
  return function;
}

}  // namespace vantage::vta
