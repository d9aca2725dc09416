// Instructions as text, both directions. Grammar: docs/assembly.md. Every program round-trips:
// assemble(disassemble(p)) == p.
#pragma once

#include <string>
#include <string_view>

#include "hw/spec/insn.h"
#include "hw/spec/program.h"

namespace vantage {

// One instruction on one line, its DRAM address absolute: "load.inp sram=0 dram=256 y=1 x=16 stride=16 push=next".
std::string disassemble(const isa::Insn& insn);

// A whole program: configuration, tensors, micro-ops, instructions.
std::string disassemble(const Program& program);

// Throws Error "source:line: ..." at the first line that is wrong.
Program assemble(std::string_view text, std::string_view source);

}  // namespace vantage
