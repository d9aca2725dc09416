// Equality and hashing by structure: variables and buffers that a tree defines itself (loops, axes, lets, allocations,
// a function's parameters) match by position, free ones by identity. Names of variables do not matter; names of blocks,
// buffers and annotations do.
#pragma once

#include <cstddef>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

bool structural_equal(const Expr& a, const Expr& b);
bool structural_equal(const Stmt& a, const Stmt& b);
bool structural_equal(const PrimFunc& a, const PrimFunc& b);

// Equal trees have equal hashes. Not stable from run to run for trees with free variables.
size_t structural_hash(const Expr& expr);
size_t structural_hash(const Stmt& stmt);
size_t structural_hash(const PrimFunc& function);

}  // namespace vantage::ir
