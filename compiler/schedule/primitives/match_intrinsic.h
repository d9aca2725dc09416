// Whether a nest of a function computes what an intrinsic is declared to compute, and on what.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/schedule/block_nest.h"
#include "compiler/schedule/tensor_intrinsic.h"
#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// Where a parameter of an intrinsic lies in a function: the element of `buffer` that is its first. The parameter's
// dimensions are the last ones of the buffer.
struct Place {
  Buffer buffer;
  std::vector<Expr> base;
};
using Places = std::map<const ir::BufferNode*, Place>;

// The places of the parameters of the intrinsic's implementation. Throws Error, naming the block and the first thing
// that differs, when the two do not compute the same.
Places match_intrinsic(const TensorIntrinsic& intrinsic, const BlockNest& target);

}  // namespace vantage::schedule
