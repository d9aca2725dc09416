// Programs as text, both directions. Grammar: docs/assembly.md. Every program round-trips:
// assemble(disassemble(p)) == p.
#pragma once

#include <string>
#include <string_view>

#include "hw/program/program.h"

namespace vantage {

// A whole program: configuration, tensors, micro-ops, instructions.
std::string disassemble(const Program& program);
// One of its instructions, without the end of the line: "load.inp   sram=0 dram=A+16 y=1 x=16 stride=16 push=next".
std::string disassemble(const Program& program, size_t insn);

// Throws Error "source:line: ..." at the first line that is wrong.
Program assemble(std::string_view text, std::string_view source);

}  // namespace vantage
