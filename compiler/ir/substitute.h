// Replacing variables and buffers in trees.
#pragma once

#include <functional>
#include <unordered_map>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

using VarMap = std::unordered_map<const VarNode*, Expr>;
using BufferMap = std::unordered_map<const BufferNode*, Buffer>;

// Every variable in the map becomes its value, every buffer its replacement (of the same rank).
Expr substitute(const Expr& expr, const VarMap& vars, const BufferMap& buffers = {});
Stmt substitute(const Stmt& stmt, const VarMap& vars, const BufferMap& buffers = {});
Range substitute(const Range& range, const VarMap& vars);

// A copy whose loops, axes, lets and allocations have variables and buffers of their own.
Stmt fresh_copy(const Stmt& stmt);

// Whether a variable occurs, or any for which `wanted` is true.
bool uses_var(const Expr& expr, const Var& var);
bool uses_var(const Expr& expr, const std::function<bool(const VarNode*)>& wanted);
bool uses_var(const Stmt& stmt, const Var& var);
// What a block's predicate says of loops alone, and not of the block's axes.
Expr predicate_of_loops(const Block& block);

}  // namespace vantage::ir
