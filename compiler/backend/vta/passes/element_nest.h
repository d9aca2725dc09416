// A perfect nest of loops over whole elements, around one store: the form in which transfers and ALU operations are
// found.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/ir/arith/analyzer.h"
#include "compiler/ir/prim_func.h"

namespace vantage::vta {

// On a loop: what the nest makes, by the user's name, where it is made in another buffer's place.
inline constexpr std::string_view kMakesNote = "makes";

// The loops of a perfect nest, outermost first, and what stands inside.
struct LoopNest {
  std::vector<ir::For> loops;
  ir::Stmt body;
};
LoopNest peel(const ir::Stmt& stmt);
ir::Stmt wrap(const std::vector<ir::For>& loops, ir::Stmt body);

// An index as base + sum of step * loop, over some loops of a nest. Nothing when it has another form, or a loop's
// bounds are not from 0.
struct AffineIndex {
  ir::Expr base;
  std::vector<int64_t> steps;  // one per loop
};
std::optional<AffineIndex> affine_index(const ir::Expr& index, const std::vector<ir::For>& loops);

// Takes from `loops` those that run over the lanes of an element, given the index into them; false unless they run
// over all `lanes` exactly once, in order.
bool take_lane_loops(const ir::Expr& lane_index, int64_t lanes, std::vector<ir::For>& loops);

}  // namespace vantage::vta
