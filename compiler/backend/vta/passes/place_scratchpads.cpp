#include "compiler/backend/vta/passes/place_scratchpads.h"

#include <algorithm>
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
      space(memory) = {0, 0, static_cast<int64_t>(config.depth(memory).count()), 0};
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
      s.used = s.next;
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
    // Behind the sums of the statement before, which are still being stored, if there is room.
    const int64_t before = s.next;
    const bool apart = memory == isa::Memory::kAcc && s.used + most_needed(node, memory) <= s.end;
    if (apart) s.next = std::max(s.next, s.used);
    Annotations notes = node.annotations;
    notes[std::string(kBaseNote)] = make_int(kIndex, s.next);
    if (inside_threads_) notes[std::string(kThreadStepNote)] = make_int(kIndex, s.step);
    s.next += needed;
    s.used = s.next;
    const Stmt body = visit(node.body);
    Space& after = space(memory);
    after.used = after.next;
    after.next = before;
    return make_stmt(Allocate(node.buffer, body, std::move(notes)));
  }

 private:
  struct Space {
    int64_t next = 0;  // free from there to `end`
    int64_t used = 0;  // up to there by the statement before; what it used is free, too
    int64_t end = 0, step = 0;
  };
  // Elements of a memory that an allocation takes with all inside of it.
  static int64_t most_needed(const Allocate& node, isa::Memory memory) {
    struct Search final : Visitor {
      using Visitor::visit;
      isa::Memory memory = isa::Memory::kInp;
      int64_t now = 0, most = 0;
      void visit(const Expr&) override {}
      void visit_allocate(const Allocate& node) override {
        const bool counts = scratchpad_of(node.buffer->scope) == memory;
        const int64_t size = counts ? *as_int(node.buffer->shape[0]) : 0;
        now += size;
        most = std::max(most, now);
        Visitor::visit_allocate(node);
        now -= size;
      }
    } search;
    search.memory = memory;
    search.visit_allocate(node);
    return search.most;
  }
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
