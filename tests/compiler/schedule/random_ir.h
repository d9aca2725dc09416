// Random functions as texts of the IR, with what tensor expressions never make.
#pragma once

#include <random>
#include <string>

namespace vantage::test {

// A few nests and statements one after another on small tensors of int32: blocks under conditions and in loops over a
// part of their axes, steps of recurrences that store to one place, updates in place and partial writes, statements in
// no block, lets and allocations around blocks, and writes to what an earlier block reads.
std::string random_ir_text(std::mt19937_64& random);

}  // namespace vantage::test
