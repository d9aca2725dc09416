#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "frontend/models/models.h"

namespace vantage::cli {

void add_run(CLI::App& app, int& status) {
  CLI::App* run = app.add_subcommand("run", "build a workload, run it on a device and check its result");
  run->footer(
      "Examples:\n"
      "  vantage run gemm --m 64 --k 300 --n 70 --bias\n"
      "  vantage run conv --layer C2\n"
      "  vantage run conv --layer C2 --energy 45nm\n"
      "  vantage run elementwise --size 100000 --op add --shift 1\n"
      "  vantage run mlp --config 32x32 --json\n"
      "  # a program of one's own; `vantage run program --help` says more\n"
      "  vantage run gemm --m 16 --k 16 --n 16 --record run.bundle\n"
      "  vantage disasm run.bundle > a.s && vantage asm a.s -o a.vta\n"
      "  vantage run a.vta --list\n"
      "  # a network in an ONNX file, and one that was compiled into one file\n"
      "  vantage run net.onnx --input x.npy --output y.npy\n"
      "  vantage compile lenet -o lenet.tar\n"
      "  vantage run lenet.tar --input digit.npy --output logits.npy");
  add_run_conv(*run, status);
  add_run_elementwise(*run, status);
  add_run_gemm(*run, status);
  add_run_mlp(*run, status);
  for (const models::Model& model : models::models()) {
    if (model.name == "mlp") continue;  // with trained weights: cmd_run_mlp.cpp
    const std::string meaning = "a network: " + model.meaning;
    if constexpr (VANTAGE_HAS_PROCESSOR) {
      add_run_model(*run, model.name, meaning, status);
    } else if constexpr (VANTAGE_HAS_TIME) {
      add_left_out(*run, model.name, meaning, "run ");
    }
  }
  if constexpr (VANTAGE_HAS_PROCESSOR) {
    add_run_onnx(*run, status);
  } else if constexpr (VANTAGE_HAS_TIME) {
    add_left_out(*run, "onnx", kRunOnnx, "run ");
  }
  add_run_program(*run, status);
  add_run_archive(*run, status);
}

}  // namespace vantage::cli
