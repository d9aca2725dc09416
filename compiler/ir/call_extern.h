// Calls of functions that are the user's own: known by name here, and given where a function runs, to the interpreter
// as InterpreterOptions::externs, to compiled code as native::Externals.
//
//   Expr e = call_pure_extern(kFloat32, "my_gelu", {load(x, {i})});
//   Stmt s = call_extern("sort_rows", {reads(x), writes(y)});
//
// Their names are those of C functions: letters, digits and underscores. (Instructions of a target have a dot in
// theirs.)
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/stmt.h"

namespace vantage::ir {

// How the two are written.
inline constexpr std::string_view kCallExtern = "call_extern";
inline constexpr std::string_view kCallPureExtern = "call_pure_extern";

// A box of a buffer as an argument: what the function reads, overwrites, or both. All of it without a box. A buffer
// without dimensions is one element.
Expr reads(const Buffer& buffer, std::vector<Range> box = {});
Expr writes(const Buffer& buffer, std::vector<Range> box = {});
Expr updates(const Buffer& buffer, std::vector<Range> box = {});

// The value of a function without effects: the same for the same arguments, so it may be called more often than is
// written, or less. Arguments are values, and boxes that it reads. Throws Error for a name that is none, a result
// without a type, and a box that is written.
Expr call_pure_extern(DType result, std::string name, std::vector<Expr> arguments);

// A call for its effect, which is on the boxes that it writes, and on nothing else of the function. Throws Error for a
// name that is none.
Stmt call_extern(std::string name, std::vector<Expr> arguments);

// Whether a call is one of these.
bool is_extern(const Call& call);

}  // namespace vantage::ir
