#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/program_source.h"
#include "hw/isa/codec.h"
#include "hw/isa/disassemble.h"
#include "hw/program/assembly.h"

namespace vantage::cli {

namespace {

struct DisasmArguments {
  std::string path;
};

// A bundle's instructions have absolute addresses; bits that are no instruction stay visible as comments.
std::string disassemble(const Bundle& bundle) {
  std::string text =
      fmt::format("; {} {}\n.config {}\n", bundle.name, bundle.config.name(), bundle.config.to_json().dump());
  const isa::Codec codec(bundle.config);
  size_t index = 0;
  for (const isa::Words& words : bundle.insns()) {
    const isa::Decoded decoded = codec.decode(words);
    if (decoded.insn) {
      text += fmt::format("{:<100} ; {}\n", isa::disassemble(*decoded.insn), index);
    } else {
      text += fmt::format("; {}: 0x{:016x} 0x{:016x}: {}\n", index, words[0], words[1], decoded.error);
    }
    ++index;
  }
  return text;
}

int run_disasm(const DisasmArguments& a) {
  const auto source = load_program_source(a.path);
  const auto* program = std::get_if<Program>(&source);
  print_out("{}", program != nullptr ? vantage::disassemble(*program) : disassemble(std::get<Bundle>(source)));
  return 0;
}

}  // namespace

void add_disasm(CLI::App& app, int& status) {
  auto a = std::make_shared<DisasmArguments>();
  CLI::App* command = app.add_subcommand("disasm", "a program file or a bundle as assembly text");
  command->add_option("program", a->path, "a program file, or a bundle's directory")->required();
  command->footer(
      "Examples:\n"
      "  vantage disasm gemm.vta\n"
      "  vantage disasm tests/data/bundles/gemm_16x64x32");
  command->callback([a, &status] { status = run_disasm(*a); });
}

}  // namespace vantage::cli
