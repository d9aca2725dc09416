// Programs as text, both directions. Grammar: docs/assembly.md. Every program round-trips:
// assemble(disassemble(p)) == p.
#pragma once

#include <string>
#include <string_view>

#include "hw/program/program.h"

namespace vantage {

// A whole program: configuration, tensors, micro-ops, instructions.
std::string disassemble(const Program& program);

// Throws Error "source:line: ..." at the first line that is wrong.
Program assemble(std::string_view text, std::string_view source);

}  // namespace vantage
