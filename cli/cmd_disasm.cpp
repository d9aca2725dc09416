#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/program_source.h"
#include "hw/isa/codec.h"
#include "hw/isa/disassemble.h"
#include "hw/program/assembly.h"
#include "hw/program/recover.h"

namespace vantage::cli {

namespace {

struct DisasmArguments {
  std::string path;
};

// Of a bundle with bits that are no instruction: these stay visible as comments, and all addresses are absolute.
std::string disassemble_damaged(const Bundle& bundle) {
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

bool is_whole(const Bundle& bundle) {
  const isa::Codec codec(bundle.config);
  const std::vector<isa::Words> insns = bundle.insns();
  return std::all_of(insns.begin(), insns.end(),
                     [&](const isa::Words& words) { return codec.decode(words).insn.has_value(); });
}

int run_disasm(const DisasmArguments& a) {
  const auto source = load_program_source(a.path);
  const auto* bundle = std::get_if<Bundle>(&source);
  if (bundle == nullptr) {
    print_out("{}", disassemble(std::get<Program>(source)));
  } else if (is_whole(*bundle)) {
    print_out("{}", disassemble(recover_program(*bundle).program));
  } else {
    print_error("warning: {}: not all of its instructions are any; those that are none stand as comments\n", a.path);
    print_out("{}", disassemble_damaged(*bundle));
  }
  return 0;
}

}  // namespace

void add_disasm(CLI::App& app, int& status) {
  auto a = std::make_shared<DisasmArguments>();
  CLI::App* command = app.add_subcommand("disasm", "a program file or a bundle as assembly text");
  command->add_option("program", a->path, "a program file, or a bundle's directory")->type_name("FILE|DIR")->required();
  command->footer(
      "Examples:\n"
      "  vantage run gemm --record run.bundle\n"
      "  vantage disasm run.bundle\n"
      "  vantage disasm run.bundle > gemm.s && vantage asm gemm.s\n"
      "  vantage disasm gemm.vta");
  command->callback([a, &status] { status = run_disasm(*a); });
}

}  // namespace vantage::cli
