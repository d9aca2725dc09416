// The subcommands. Each adds itself to the application and, when chosen, writes its exit status: 0 for success, 1 for
// a check that failed. A user's mistake is thrown as Error and becomes 2.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace vantage::cli {

// What the commands do that a build may leave out.
inline constexpr const char* kCompare = "one workload on several devices, checked, side by side: time, GOPS, roofline";
inline constexpr const char* kCompile = "compile a network into one file, which runs here and on other machines";
inline constexpr const char* kRunOnnx = "a network in an ONNX file";
inline constexpr const char* kExplain = "say what of a network the accelerator takes, and why not the rest";
inline constexpr const char* kExplore = "find the designs of a space that none beats, and prove it";
inline constexpr const char* kSweep = "measure all designs of a space on networks and layers, into a database";
inline constexpr const char* kServe = "offer devices to other machines: --target rpc://HOST:PORT";

// A command that this build leaves out: it has a place in the help, and says how it is had. `before`: the commands that
// it is below, each with a space behind it.
void add_left_out(CLI::App& app, const std::string& name, const std::string& what, const std::string& before = "");

// All that this build has, in the order of its help.
void add_commands(CLI::App& app, int& status);

void add_compare(CLI::App& app, int& status);
void add_compile(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_explore(CLI::App& app, int& status);
void add_completion(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_lower(CLI::App& app, int& status);
void add_man(CLI::App& app, int& status);
void add_replay(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_bitstream(CLI::App& app, int& status);
void add_board(CLI::App& app, int& status);
void add_config(CLI::App& app, int& status);
void add_verify(CLI::App& app, int& status);
void add_asm(CLI::App& app, int& status);
void add_disasm(CLI::App& app, int& status);
void add_flash(CLI::App& app, int& status);
void add_rtl(CLI::App& app, int& status);
void add_serve(CLI::App& app, int& status);
void add_sweep(CLI::App& app, int& status);
void add_synth(CLI::App& app, int& status);
void add_targets(CLI::App& app, int& status);
void add_validate(CLI::App& app, int& status);
void add_worker(CLI::App& app, int& status);

// Below `vantage compare`.
void add_compare_designs(CLI::App& compare, int& status);

// Below `vantage run`.
void add_run_archive(CLI::App& run, int& status);
void add_run_conv(CLI::App& run, int& status);
void add_run_elementwise(CLI::App& run, int& status);
void add_run_gemm(CLI::App& run, int& status);
void add_run_mlp(CLI::App& run, int& status);
void add_run_model(CLI::App& run, const std::string& model, const std::string& meaning, int& status);
void add_run_onnx(CLI::App& run, int& status);
void add_run_program(CLI::App& run, int& status);

}  // namespace vantage::cli
