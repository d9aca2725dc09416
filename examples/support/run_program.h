// What the tutorials share: running a program on a device with tensors by name.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/tensor/tensor.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/prim_func.h"
#include "hw/program/program.h"
#include "sim/machine.h"

namespace vantage::examples {

using Tensors = std::map<std::string, vantage::Tensor>;

// Runs a program on a fresh device ("fsim:", "systemc:"), copying its inputs from and its outputs to the arrays of
// their names. Elements must have 8 bits or more. Throws Error when the run does not end well.
sim::RunResult run_program(const Program& program, Tensors& tensors, const std::string& uri);

// What the reference interpreter makes of these inputs, with a target's calls as `externs` defines them.
Tensors interpreted(const ir::PrimFunc& function, Tensors tensors,
                    const decltype(ir::InterpreterOptions::externs)& externs = {});

// Runs the program on `uri`, prints the counters and, when all tensors are then as expected, `success`. The exit
// status: 0, or 1.
int check_and_report(const Program& program, Tensors tensors, const Tensors& expected, const std::string& uri,
                     const std::string& success);

// Random values for a function's parameters, small enough for sums to stay interesting.
Tensors random_tensors(const ir::PrimFunc& function, int64_t low, int64_t high);

}  // namespace vantage::examples
