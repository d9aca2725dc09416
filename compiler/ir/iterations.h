// Whether a loop's iterations may be done side by side: one statement after the other, each for all of them.
//
// Thread safety: a function without state.
#pragma once

#include "compiler/ir/stmt.h"

namespace vantage::ir {

// Whether none of a loop's iterations sees or changes what another one stores. False means "not known". Calls that
// touch boxes are taken to be apart.
bool iterations_apart(const For& loop);

}  // namespace vantage::ir
