// Runs a random program on the oracle and on a machine and compares memory and counters. A failure shrinks itself to
// fewer instructions and is saved as a replay bundle.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/machine.h"
#include "tests/support/random_program.h"

namespace vantage::test {

using MakeMachine = std::function<std::unique_ptr<sim::Machine>(const spec::Config&)>;

// What differs between the oracle and the machine for this program, or nothing.
std::optional<std::string> difference(const RandomProgram& program, const MakeMachine& make,
                                      std::optional<uint64_t> interleaving_seed);

// The same, but a failure is shrunk and saved below build/*/failures; the message names the bundle.
std::optional<std::string> check_program(const RandomProgram& program, const MakeMachine& make, const std::string& name,
                                         std::optional<uint64_t> interleaving_seed = std::nullopt);

}  // namespace vantage::test
