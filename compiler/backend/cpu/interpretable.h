// The user's functions for the interpreter, so that one definition serves both.
#pragma once

#include "compiler/ir/interpreter/interpreter.h"
#include "native/externals.h"

namespace vantage::cpu {

// For InterpreterOptions::externs. Boxes are passed as copies without gaps. A call throws Error when its arguments are
// not what the function takes.
//
// Thread safety: the result may be called from several threads at once if the functions may.
decltype(ir::InterpreterOptions::externs) interpretable(const native::Externals& externals);

}  // namespace vantage::cpu
