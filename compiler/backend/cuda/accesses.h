// What the threads of a kernel touch, one element or box at a time, and whether two of them may touch the same.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/ir/stmt.h"

namespace vantage::cuda {

struct BoundVar {
  ir::Var var;
  ir::Range range;
};

// The element at `indices`, whatever `inner` are within their ranges, where all `conditions` hold. Other variables are
// fixed.
struct Access {
  ir::Buffer buffer;
  bool is_write = false;
  bool is_update = false;  // a write of what the same element was before and something else
  std::vector<ir::Expr> indices;
  std::vector<ir::Expr> conditions;
  std::vector<BoundVar> inner;
  // Of what a warp's threads do together: which of them stands for all. Between two such accesses it is the one that
  // makes them; to others any of the warp may be (by_warp of compiler/ir/intrinsics.h).
  std::vector<ir::Expr> of_warp = {};
};

// All that a statement without blocks touches. Loops inside it become `inner` (those bound to an index of threads do
// not), variables that it defines their values.
std::vector<Access> accesses_of(const ir::Stmt& stmt);

// The same accesses from outside of a loop or of a definition.
void leave(std::vector<Access>& accesses, size_t from, const BoundVar& loop);
void leave(std::vector<Access>& accesses, size_t from, const ir::Var& defined, const ir::Expr& value);

// The two as touch_apart is to see them.
std::pair<Access, Access> as_pair(Access a, Access b);

// Whether two threads that touch `a` and `b` certainly touch different elements, unless they agree in all indices of
// `threads`. Variables that are neither `inner` nor in `threads` are the same for both; `fixed` says what they are.
// False means "not known".
bool touch_apart(const Access& a, const Access& b, const std::vector<BoundVar>& threads,
                 const std::vector<BoundVar>& fixed);
// The same by trying all values, which decides every case where these are known and not too many; it takes longer, a
// microsecond or two for a value. `budget`: as many as may still be tried, of which this takes what it tries.
bool tried_apart(const Access& a, const Access& b, const std::vector<BoundVar>& threads,
                 const std::vector<BoundVar>& fixed, int64_t& budget);

}  // namespace vantage::cuda
