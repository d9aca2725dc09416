// Who touches memory in which order, statements in no block included.
#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// A part of a scope that touches memory: an outermost block as a whole; a statement in no block; or a loop, a condition
// or a let, for what its own expressions read.
struct Access {
  Stmt stmt;
  std::vector<Buffer> reads, writes;  // with what a block only reads to reduce into it, and what its bindings read

  bool reads_any_of(const Buffer& buffer) const;
  bool writes_any_of(const Buffer& buffer) const;
};

// Of a statement and all below it, in order.
std::vector<Access> accesses(const Stmt& stmt);
// Of the function, or of the block that `path` (not its last node) goes through last.
std::vector<Access> accesses(const PrimFunc& function, const Path& path);
// "the block D", "the statement 'A[j] = 7'", "the condition 'A[0] > 3'".
std::string described(const Access& access);

// The length of what two paths have in common.
size_t common_length(const Path& a, const Path& b);

// A loop, a let or an allocation among the nodes of a path (not its last one) from this one on that a statement uses;
// empty: none.
std::string used_of(const Stmt& stmt, const Path& path, size_t from);

}  // namespace vantage::schedule
