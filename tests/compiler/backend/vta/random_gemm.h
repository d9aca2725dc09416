// Random schedules of a matrix multiply, step by step rather than from a template.
#pragma once

#include <random>

#include "compiler/schedule/schedule.h"
#include "hw/isa/config.h"

namespace vantage::test {

// C = clip((A . B) >> shift) in tiles, some of the stages left out at random.
ir::PrimFunc random_matmul(std::mt19937_64& random, const isa::Config& config);

// A schedule of it that the VTA can run if it fits: loops split and ordered at random, each stage and copy computed at
// one loop or another, in one place or two, with virtual threads or without.
schedule::Schedule random_matmul_schedule(const ir::PrimFunc& matmul, std::mt19937_64& random,
                                          const isa::Config& config);

}  // namespace vantage::test
