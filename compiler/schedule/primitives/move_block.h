// What compute_at and reverse_compute_at share: a block gets new loops over a part of its axes, inside another loop.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// Of one axis, what is to be computed; nothing: its whole domain.
using AxisRanges = std::vector<std::optional<ir::Range>>;

// What must hold of the loops around `target` and of itself for any of these blocks inside it to run, whatever the
// variables in `moving` are. `analyzer` learns the loops inside of it.
std::vector<Expr> common_guards(const PrimFunc& function, const Path& target, const std::vector<Stmt>& blocks,
                                const std::vector<Var>& moving, ir::Analyzer& analyzer);

enum class Extents : uint8_t { kLargest, kExact };

// The block under loops of its own, one per axis, that run over `ranges` (expressions in what `analyzer` knows as outer
// loops), with a predicate where they may leave the axis' domain. Extents must not move with loops: the largest is
// taken, and the predicate leaves out what is too much if that must not be touched. `guards`, which the analyzer knows
// to hold, become part of the predicate, and so do `conditions` on the block's axes (conditions.h); what guarded the
// block's old loops goes with them.
Stmt new_nest(const Block& block, const AxisRanges& ranges, const std::vector<Var>& outer,
              const std::vector<Expr>& guards, const std::vector<Expr>& conditions, Extents extents,
              ir::Analyzer& analyzer);

// Error unless block and loop are in one scope and the block is not already inside the loop.
void check_movable(const Path& block, const Path& loop, std::string_view primitive);

// The statements directly inside a loop.
std::vector<Stmt> statements(const For& loop);
bool contains(const Stmt& stmt, const Stmt& wanted);

}  // namespace vantage::schedule
