#include "compiler/backend/cuda/lower.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "compiler/backend/cuda/passes/insert_barriers.h"
#include "compiler/backend/cuda/passes/interleave_virtual_threads.h"
#include "compiler/backend/cuda/passes/merge_thread_loops.h"
#include "compiler/backend/cuda/passes/order_products.h"
#include "compiler/backend/cuda/passes/pipeline_copies.h"
#include "compiler/backend/cuda/passes/take_box_copies.h"
#include "compiler/backend/cuda/register_loops.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"
#include "compiler/passes/align_storage.h"
#include "compiler/passes/bound_loops.h"
#include "compiler/passes/compact_buffers.h"
#include "compiler/passes/double_buffer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "compiler/passes/simplify.h"

namespace vantage::cuda {

namespace {

ir::PrimFunc bound_loops_but_registers(ir::PrimFunc function) {
  return passes::bound_loops_except(std::move(function), picks_registers);
}

// Refuses memories that a GPU has not: a slip in a text, or what a schedule means for another target.
class RequireMemories final : public ir::Visitor {
 public:
  using Visitor::visit;

 protected:
  void visit_load(const ir::Load& node) override {
    require(node.buffer);
    Visitor::visit_load(node);
  }
  void visit_store(const ir::Store& node) override {
    require(node.buffer);
    Visitor::visit_store(node);
  }
  void visit_view(const ir::View& node) override {
    require(node.buffer);
    Visitor::visit_view(node);
  }

 private:
  static void require(const ir::Buffer& buffer) {
    static const std::vector<std::string> kKnown = {"global",
                                                    "local",
                                                    "shared",
                                                    std::string(ir::kSwizzledScope),
                                                    std::string(ir::kWarpScope),
                                                    std::string(ir::kWarpgroupScope)};
    if (std::ranges::find(kKnown, buffer->scope) != kKnown.end()) return;
    fail("{} is in memory of scope '{}', which a GPU has not{}", buffer->name, buffer->scope,
         did_you_mean(buffer->scope, kKnown));
  }
};

}  // namespace

const std::vector<passes::Pass>& pass_list() {
  static const std::vector<passes::Pass> kPasses = {
      {"plan_allocations", "buffers around what uses them", passes::plan_allocations},
      {"compact_buffers", "buffers as small as what is touched", passes::compact_buffers},
      {"align_storage", "strides that storage_align asks for", passes::align_storage},
      {"lower_blocks", "blocks to plain loops", passes::lower_blocks},
      {"interleave_virtual_threads", "virtual threads side by side in one", interleave_virtual_threads},
      {"merge_thread_loops", "one loop for each index of threads, around all of a kernel", merge_thread_loops},
      {"simplify", "indices simplified, guards decided", passes::simplify},
      {"take_box_copies", "loops that fill swizzled memory to copies of boxes", take_box_copies},
      {"order_products", "products of warpgroups beside the threads", order_products},
      {"double_buffer", "several places, used in turn", passes::double_buffer},
      {"pipeline_copies", "fetches ahead of their use", pipeline_copies},
      {"insert_barriers", "threads wait for each other where they share elements", insert_barriers},
      {"bound_loops", "guards to bounds of loops", bound_loops_but_registers},
      {"simplify", "indices simplified again", passes::simplify},
  };
  return kPasses;
}

ir::PrimFunc lower(ir::PrimFunc scheduled, const passes::Observer& observer) {
  for (const ir::Buffer& buffer : scheduled.buffers()) {
    if (buffer->scope == "global") continue;
    fail("the parameter {} is in memory of scope '{}', expected 'global'", buffer->name, buffer->scope);
  }
  RequireMemories().visit(scheduled.body);
  return passes::run_passes(std::move(scheduled), pass_list(), observer);
}

}  // namespace vantage::cuda
