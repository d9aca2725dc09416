// Whether what a block computes may be computed later or earlier: what runs in between, what is defined there.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/schedule/tree.h"

namespace vantage::schedule {

// What may run between two places.
struct Between {
  Path around;              // all that is around both
  std::vector<Stmt> stmts;  // of what is inside of that: from the statement with the one to that with the other
  const For* loop;          // the outermost loop of the scope that is around both; null: none
};
// Of a statement and others; Error, beginning with `primitive`, when one of them does not stand behind it.
Between between(const Path& first, const std::vector<Path>& others, std::string_view primitive);

// Error where a block could not be computed where it is read, at `others`: something writes what it reads in between,
// or what it makes in one iteration of a loop around is read in another one.
void require_same_later(const PrimFunc& function, const Path& block, const std::vector<Path>& others,
                        const Buffer& made, std::string_view primitive);

// Error where a block that reads what `producer` makes in a loop around both could not be computed with it: it may read
// what another iteration has made.
void require_made_anew(const PrimFunc& function, const Path& producer, const Path& reader, const Buffer& made,
                       std::string_view primitive);

// Error where a block could not be computed as soon as `producer`, a block or a loop before it, is: something else than
// `makers`, the blocks that it moves to, writes what it reads in between, or what it writes is touched.
void require_same_earlier(const Path& block, const Path& producer, const std::vector<Stmt>& makers,
                          std::string_view primitive);

// Error where a block uses a loop, a let or an allocation around it that is not around `place`, or runs only under a
// condition that is not; with `both`, also where `place` is under one that the block is not under.
void require_defined_at(const Path& block, const Path& place, std::string_view primitive, bool both = false);

}  // namespace vantage::schedule
