// Random kernels as a person might write them: conditions, loops, variables and memory of a thread's own around stores.
#pragma once

#include <random>
#include <string>

namespace vantage::test {

// The parameters and the body of a function of A [8, 16], which it reads, B [8, 16], of which each thread has a row,
// and C [4], of which one thread writes each element, all int32. Numbers stay small.
std::string random_kernel_text(std::mt19937_64& random);

}  // namespace vantage::test
