// Instructions as text, one on a line. Grammar: docs/assembly.md; whole programs: hw/program/assembly.h.
#pragma once

#include <string>
#include <string_view>

#include "hw/isa/insn.h"

namespace vantage::isa {

// With its DRAM address absolute: "load.inp sram=0 dram=256 y=1 x=16 stride=16 push=next".
std::string disassemble(const Insn& insn);

// The same with another text for the DRAM address of a LOAD or STORE: "A+256".
std::string disassemble(const Insn& insn, std::string_view dram);

}  // namespace vantage::isa
