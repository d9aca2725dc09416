// What every function must keep to, wherever it comes from: a front end, a schedule step, a pass.
//
// Names. A variable or buffer is defined once (by a parameter, an allocation, a loop, an axis, a let) and used only
// inside of what defines it. Variables that stand alone as a size or stride of a parameter are defined by it; axes may
// be used in the domains of the axes after them, the predicate, the initialisation and the body of their block. Blocks
// have names of their own.
//
// Types. Operands, indices, bounds, conditions and values have the types that the constructors of expr.h and stmt.h
// ask for, also in nodes that were made without them; literals are values of their type; nothing is divided by a
// literal zero. A GPU loop has one of the tags blockIdx.x, .y, .z, threadIdx.x, .y, .z, other loops have none.
//
// What follows is looked at only where all of that is right.
//
// Blocks. An axis with more than one instance is spatial only if every element that the block writes depends on it
// (what is written under a condition on the axis is taken to be fine), and reduce only if none does. Buffers allocated
// inside of the block do not count. An initialisation needs a reduce axis.
//
// Bounds. Indices are inside their buffer, boxes of views too, bindings inside the domain of their axis. What the
// analyzer proves from ranges and conditions is fine. What it does not prove is wrong only if there is a witness:
// iterations of the loops around, all inside their ranges, with every condition around (If, block predicate, Select,
// the left-hand side of `and` and `or`) true for them, for which the index is outside. The search for one looks at all
// iterations up to 512, else at corners of the ranges and climbs from there, so it may miss some; what it finds is
// real. Where sizes or other parameters matter, all of them unknown here, there must be a witness for each of six
// samples: all 16, all 1, all 2, all 80640 (which many tile sizes divide), ascending and descending primes. So `A[i +
// 1]` for i in [0, n) is wrong in a buffer of n elements, and `A[i]` in one of m is not. What a load decides is left to
// run time: an index with a load in it, one under a condition that depends on a load, one in a loop whose range does.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

// What is wrong, one line each, in order of occurrence; empty when nothing is.
std::vector<std::string> verify(const PrimFunc& function);

// Throws Error with the first of these.
void require_valid(const PrimFunc& function);

}  // namespace vantage::ir
