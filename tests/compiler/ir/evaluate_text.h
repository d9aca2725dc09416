// The value of a printed integer expression.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace vantage::test {

// Reads with Python's precedences and associativity, and nothing but the text; `values` are those of variables. Both
// sides of `and` and `or` and all of a T.if_then_else are evaluated. Throws Error where the text is no expression, has
// a chain of comparisons, or divides by zero ("a division by zero").
int64_t evaluate_text(const std::string& text, const std::map<std::string, int64_t>& values);

}  // namespace vantage::test
