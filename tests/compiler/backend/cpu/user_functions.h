// Functions as users write them, for compiled code and the interpreter to call.
#pragma once

#include "native/externals.h"

namespace vantage::test {

float gelu(float x) noexcept;
// Every element of `out` is made of all elements of `in`, their places and a number; both are of int32.
void stir(const DLTensor* in, int32_t number, DLTensor* out) noexcept;

// These two, and others: "mix", "is_odd", "narrow" and "twice" of numbers of every type, "accumulate", which changes a
// box, and "sum_of", which gives the sum of one.
native::Externals user_functions();

}  // namespace vantage::test
