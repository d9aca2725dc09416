#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/json.h"
#include "hw/isa/disassemble.h"
#include "hw/program/assembly.h"

namespace vantage {

using namespace isa;

std::string disassemble(const Program& program) {
  std::string text = fmt::format("; {}\n.config {}\n", program.config.name(), program.config.to_json().dump());
  auto out = std::back_inserter(text);
  for (const ProgramTensor& tensor : program.tensors) {
    fmt::format_to(out, ".tensor {} {} {} {}\n", tensor.name, name(tensor.memory), tensor.elements, name(tensor.role));
  }
  for (size_t i = 0; i < program.uops.size(); ++i) {
    const MicroOp& uop = program.uops[i];
    fmt::format_to(out, "{:<40} ; {}\n", fmt::format(".uop dst={} src={} wgt={}", uop.dst, uop.src, uop.wgt), i);
  }
  for (size_t i = 0; i < program.insns.size(); ++i) {
    fmt::format_to(out, "{:<100} ; {}\n", disassemble(program, i), i);
  }
  return text;
}

std::string disassemble(const Program& program, size_t insn) {
  const Transfer* t = transfer(program.insns[insn]);
  if (t == nullptr) return isa::disassemble(program.insns[insn]);
  const auto relocation = std::lower_bound(program.relocations.begin(), program.relocations.end(), insn,
                                           [](const Relocation& r, size_t index) { return r.insn < index; });
  if (relocation == program.relocations.end() || relocation->insn != insn) return isa::disassemble(program.insns[insn]);
  return isa::disassemble(program.insns[insn],
                          fmt::format("{}+{}", program.symbol_name(relocation->symbol), t->dram_base));
}

}  // namespace vantage
