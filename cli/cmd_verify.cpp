#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/program_source.h"
#include "hw/program/verifier.h"

namespace vantage::cli {

namespace {

struct VerifyArguments {
  std::string path;
  bool json = false;
};

std::vector<Diagnostic> diagnose(const Program& program) {
  return verify(program, {});
}
std::vector<Diagnostic> diagnose(const Bundle& bundle) {
  return bundle.verify();
}

std::vector<Diagnostic> diagnose(const std::string& path) try {
  return std::visit([](const auto& source) { return diagnose(source); }, load_program_source(path));
} catch (const NoInstruction& e) {
  return {{Diagnostic::Severity::kError, e.insn(), e.what()}};
}

int run_verify(const VerifyArguments& a) {
  const auto diagnostics = diagnose(a.path);
  const bool ok = !has_errors(diagnostics);
  if (a.json) {
    Json list = Json::array();
    for (const Diagnostic& d : diagnostics) {
      list.push_back({{"severity", d.severity == Diagnostic::Severity::kError ? "error" : "warning"},
                      {"insn", d.insn ? Json(*d.insn) : Json()},
                      {"text", d.text}});
    }
    print_out("{}\n", json_text(Json({{"ok", ok}, {"diagnostics", std::move(list)}})));
  } else {
    print_error("{}", to_text(diagnostics));
    if (ok) print_out("{}: sound\n", a.path);
  }
  return ok ? 0 : 1;
}

}  // namespace

void add_verify(CLI::App& app, int& status) {
  auto a = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "find everything illegal in a program before it runs");
  command->add_option("program", a->path, "a program file, assembly text, or a bundle's directory")
      ->type_name("FILE|DIR")
      ->required();
  add_json_flag(*command, a->json);
  command->footer(
      "Exit status: 0 sound, 1 illegal, 2 no program.\n"
      "Examples:\n"
      "  vantage run gemm --record run.bundle\n"
      "  vantage verify run.bundle\n"
      "  vantage verify run.bundle --json");
  command->callback([a, &status] { status = run_verify(*a); });
}

}  // namespace vantage::cli
