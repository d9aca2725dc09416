// Text in the manner of TVMScript, for people and for tests: the same tree always prints the same. Variables and
// buffers that share a name are told apart by a suffix.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

std::string to_text(const Expr& expr);
std::string to_text(const Range& range);  // "min:max" with max not included, or "min" alone
std::string to_text(const BufferRegion& region);
std::string to_text(const Stmt& stmt);
std::string to_text(const PrimFunc& function);

// A function's text, where its statements are in it (lines are counted from 1), and as what its variables are printed.
struct Listing {
  std::string text;
  std::unordered_map<const StmtNode*, int> lines;
  std::unordered_map<const VarNode*, std::string> names;
};
Listing listing(const PrimFunc& function);

// How an operation is written: "+", "//", "min".
std::string_view symbol(BinaryOp op);

}  // namespace vantage::ir
