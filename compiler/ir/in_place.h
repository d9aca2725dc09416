// Parameters that may be the same memory: what a function reads of one as it writes another.
#pragma once

#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

struct InPlace {
  Buffer written, read;
};

// Notes in the function's annotations, for passes and targets, which pairs of parameters may be one: those where an
// element of what is read matters for the same element of what is written alone, both of one size and one behind the
// other. Of a function as it is defined: each block runs once for each of its elements. Schedules keep that.
void note_in_place(PrimFunc& function);

// What a function's annotations say. Throws Error for such a note that names no two parameters.
std::vector<InPlace> noted_in_place(const PrimFunc& function);

}  // namespace vantage::ir
