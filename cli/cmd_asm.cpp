#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "hw/program/assembly.h"

namespace vantage::cli {

namespace {

struct AsmArguments {
  std::string input;
  std::string output;
};

int run_asm(const AsmArguments& a) {
  constexpr Bytes kLimit{1 << 30};
  const Program program = assemble(read_file(a.input, kLimit), a.input);
  const auto path = std::filesystem::path(a.input).replace_extension(".vta");
  const std::string output = a.output.empty() ? path.string() : a.output;
  if (output == a.input) fail("{}: the program would overwrite its own text; name another file with -o", a.input);
  write_file(output, serialize(program));
  print_out("{}: {} instructions, {} micro-ops, {} tensors for {}\n", output, program.insns.size(), program.uops.size(),
            program.tensors.size(), program.config.name());
  return 0;
}

}  // namespace

void add_asm(CLI::App& app, int& status) {
  auto a = std::make_shared<AsmArguments>();
  CLI::App* command = app.add_subcommand("asm", "assembly text to a program file");
  command->add_option("input", a->input, "assembly text (docs/assembly.md)")->required();
  command->add_option("-o,--output", a->output, "program file to write (default: the input's name, ending in .vta)")
      ->check(not_empty());
  command->footer(
      "Example:\n"
      "  vantage disasm tests/data/bundles/gemm_16x64x32 > gemm.s && vantage asm gemm.s -o gemm.vta");
  command->callback([a, &status] { status = run_asm(*a); });
}

}  // namespace vantage::cli
