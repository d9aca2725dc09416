// Who touches memory in which order, statements in no block included: whether what a block computes may be computed
// later or earlier.
#pragma once

#include <string>
#include <string_view>
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

// What may run between two places.
struct Between {
  Path around;              // all that is around both
  std::vector<Stmt> stmts;  // of what is inside of that: from the statement with the one to that with the other
  const For* loop;          // the outermost loop of the scope that is around both; null: none
};
// Of a statement and others; Error, beginning with `primitive`, when one of them does not stand behind it.
Between between(const PrimFunc& function, const Path& first, const std::vector<Path>& others,
                std::string_view primitive);

// Error where a block could not be computed where it is read, at `others`: something writes what it reads in between,
// or what it makes in one iteration of a loop around is read in another one.
void require_same_later(const PrimFunc& function, const Path& block, const std::vector<Path>& others,
                        const Buffer& made, std::string_view primitive);

// Error where a block that reads what `producer` makes in a loop around both could not be computed with it: it may read
// what another iteration has made.
void require_made_anew(const PrimFunc& function, const Path& producer, const Path& reader, const Buffer& made,
                       std::string_view primitive);

// Error where a block could not be computed as soon as `producer`, a block or a loop before it, is: something else than
// `made_there` that it reads is written in between, or what it writes is touched.
void require_same_earlier(const PrimFunc& function, const Path& block, const Path& producer,
                          const std::vector<Buffer>& made_there, std::string_view primitive);

// A loop, a let or an allocation among the nodes of a path (not its last one) from this one on that a statement uses;
// empty: none.
std::string used_of(const Stmt& stmt, const Path& path, size_t from);

// Error where a block uses a loop, a let or an allocation around it that is not around `place`, or runs only under a
// condition that is not; with `both`, also where `place` is under one that the block is not under.
void require_defined_at(const Path& block, const Path& place, std::string_view primitive, bool both = false);

}  // namespace vantage::schedule
