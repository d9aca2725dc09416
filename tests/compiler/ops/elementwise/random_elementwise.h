// Random straight lines of the ALU's operations.
#pragma once

#include <random>
#include <string>

#include "compiler/ops/elementwise/elementwise.h"

namespace vantage::test {

// Of up to a dozen steps, in which values are used several times; limits at the end, most often.
ops::Elementwise random_elementwise(std::mt19937_64& random, int64_t size);

// A line for each step.
std::string to_text(const ops::Elementwise& layer);

}  // namespace vantage::test
