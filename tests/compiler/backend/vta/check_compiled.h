// Whether a scheduled function keeps its meaning on the way to the VTA and on its machines.
#pragma once

#include <random>
#include <string>

#include "compiler/schedule/schedule.h"
#include "hw/isa/config.h"

namespace vantage::test {

struct CheckOptions {
  bool every_pass = false;                       // interpret the function after each pass, and run the operations that
                                                 // are left when the finishing passes end early
  std::vector<std::string> devices = {"fsim:"};  // that run the program; their cycles must agree
};

// Compares `scheduled` with `definition`, both interpreted, and what the compiled program makes on devices. What is
// wrong, in a few lines; empty when nothing is.
std::string check_compiled(const ir::PrimFunc& definition, const ir::PrimFunc& scheduled, const isa::Config& config,
                           std::mt19937_64& random, const CheckOptions& options = {});

}  // namespace vantage::test
