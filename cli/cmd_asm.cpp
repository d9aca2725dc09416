#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/program_source.h"
#include "hw/program/assembly.h"

namespace vantage::cli {

namespace {

struct AsmArguments {
  std::string input;
  std::string output;
};

int run_asm(const AsmArguments& a) {
  const bool is_stream = a.input == "-";
  if (is_stream && a.output.empty())
    fail("text from standard input has no name; say with -o what the program is called");
  const std::string source = is_stream ? "standard input" : a.input;
  const Program program = assemble(is_stream ? read_standard_input() : read_file(a.input, kLargestProgram), source);
  const auto path = std::filesystem::path(a.input).replace_extension(".vta");
  const std::string output = a.output.empty() ? path.string() : a.output;
  if (!is_stream) require_other_file("--output", output, a.input);
  write_file(output, serialize(program));
  print_out("{}: {} instructions, {} micro-ops, {} tensors for {}\n", output, program.insns.size(), program.uops.size(),
            program.tensors.size(), program.config.name());
  return 0;
}

}  // namespace

void add_asm(CLI::App& app, int& status) {
  auto a = std::make_shared<AsmArguments>();
  CLI::App* command = app.add_subcommand("asm", "assembly text to a program file");
  command->add_option("input", a->input, "assembly text (docs/assembly.md), or - for what comes on standard input")
      ->type_name("FILE")
      ->required();
  command->add_option("-o,--output", a->output, "program file to write; without it the input's name, ending in .vta")
      ->type_name("FILE")
      ->check(not_empty());
  command->footer(
      "Examples:\n"
      "  vantage run gemm --record run.bundle\n"
      "  vantage disasm run.bundle > gemm.s && vantage asm gemm.s\n"
      "  vantage disasm run.bundle | vantage asm - -o gemm.vta");
  command->callback([a, &status] { status = run_asm(*a); });
}

}  // namespace vantage::cli
