// Under what conditions a block runs, whatever says so: its predicate, loops over a part of an axis, bindings.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

enum class Concern : uint8_t { kAllAxes, kReduction };

// What must hold for a block to run at certain values of its axes, of these and of what is defined by the first
// `around` nodes of the path: nothing that the axes' domains say already. `concern`: only of conditions that let steps
// of the reduction out. Error, beginning with `primitive`, where this cannot be said of the axes.
std::vector<Expr> conditions_on_axes(const PrimFunc& function, const Path& path, size_t around, Concern concern,
                                     std::string_view primitive);

// Of such conditions, what they say of the first step of the reduction, which makes the initial value: those that let
// steps out, at the beginning of the reduction's axes; not those that hold there.
std::vector<Expr> at_first_step(const Block& block, const std::vector<Expr>& conditions, ir::Analyzer& analyzer);

// Adds conditions on the block's axes to its predicate, at its bindings as they are; not what is known to hold.
void add_conditions(Block& block, const std::vector<Expr>& conditions, ir::Analyzer& analyzer);

// Whether a sum of variables certainly leaves out values between its smallest and its largest; `extent_of` says how
// many values a variable takes, null where that is not known.
bool has_gaps(const Expr& sum, const std::function<const int64_t*(const Var&)>& extent_of);

}  // namespace vantage::schedule
