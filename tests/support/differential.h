// Runs a random program on the oracle and on a machine and compares memory and counters. A failure shrinks itself to
// fewer instructions and is saved as a replay bundle.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/machine.h"
#include "tests/support/random_program.h"

namespace vantage::test {

using MakeMachine = std::function<std::unique_ptr<sim::Machine>(const isa::Config&)>;

// What differs between the oracle and the machine for this program, or nothing. `result`, if given, is what the machine
// reports, with its retire records.
std::optional<std::string> difference(const RandomProgram& program, const MakeMachine& make,
                                      std::optional<uint64_t> interleaving_seed = std::nullopt,
                                      sim::RunResult* result = nullptr);

// What differs in time between two machines' reports of one program, or nothing: cycles, the stage table, retire
// records.
std::optional<std::string> time_difference(const sim::RunResult& expected, const sim::RunResult& got);

// The same for a program that both run, which must also agree with the oracle.
std::optional<std::string> time_difference(const RandomProgram& program, const MakeMachine& expected,
                                           const MakeMachine& got);

// What is wrong with a program on the machines at hand, or nothing.
using Check = std::function<std::optional<std::string>(const RandomProgram&)>;

// Checks; a failure is shrunk and saved below build/*/failures, and the message names the bundle.
std::optional<std::string> check_program(const RandomProgram& program, const Check& check, const std::string& name);

}  // namespace vantage::test
