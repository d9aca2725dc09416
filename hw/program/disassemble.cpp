#include <fmt/format.h>

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
  auto relocation = program.relocations.begin();
  for (size_t i = 0; i < program.insns.size(); ++i) {
    const Transfer* t = transfer(program.insns[i]);
    std::string dram = t == nullptr ? "" : fmt::format("{}", t->dram_base);
    if (relocation != program.relocations.end() && relocation->insn == i) {
      dram = fmt::format("{}+{}", program.symbol_name(relocation->symbol), t->dram_base);
      ++relocation;
    }
    fmt::format_to(out, "{:<100} ; {}\n", isa::disassemble(program.insns[i], dram), i);
  }
  return text;
}

}  // namespace vantage
