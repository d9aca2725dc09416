// The IR's text (docs/language.md, "Grammar") read back: what printer.h prints of a function is a function again that
// prints the same.
//
// What a text does not say is lost: which reducer a reduction folds with, unless it is one of sum, prod, min, max, all
// and any of one value; and names of buffers with dots, which print as underscores.
//
// Thread safety: functions without state.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/prim_func.h"

namespace vantage::ir {

// What a target's calls touch: by their name, of each region among their arguments.
using CallTouches = std::map<std::string, std::vector<Touch>, std::less<>>;

// Throws Error for what is no function: source, line and column, what was expected there, and what is there. What a
// function must keep to beyond its text, verify.h says. REQUIRES: nothing of `text`; nesting is limited.
PrimFunc parse_function(std::string_view text, std::string_view source, const CallTouches& touches = {});

}  // namespace vantage::ir
