// A perfect nest of loops over whole elements, around one store: the form in which transfers and ALU operations are
// found.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/tir/arith/analyzer.h"
#include "compiler/tir/prim_func.h"

namespace vantage::compiler {

// On a loop: what the nest makes, by the user's name, where it is made in another buffer's place.
inline constexpr std::string_view kMakesNote = "makes";

// The loops of a perfect nest, outermost first, and what stands inside.
struct LoopNest {
  std::vector<tir::For> loops;
  tir::Stmt body;
};
LoopNest peel(const tir::Stmt& stmt);
tir::Stmt wrap(const std::vector<tir::For>& loops, tir::Stmt body);

// An index as base + sum of step * loop, over some loops of a nest. Nothing when it has another form, or a loop's
// bounds are not from 0.
struct AffineIndex {
  tir::Expr base;
  std::vector<int64_t> steps;  // one per loop
};
std::optional<AffineIndex> affine_index(const tir::Expr& index, const std::vector<tir::For>& loops);

// Takes from `loops` those that run over the lanes of an element, given the index into them; false unless they run
// over all `lanes` exactly once, in order.
bool take_lane_loops(const tir::Expr& lane_index, int64_t lanes, std::vector<tir::For>& loops);

}  // namespace vantage::compiler
