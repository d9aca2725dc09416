#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/wrap.h"
#include "compiler/backend/cpu/library.h"
#include "compiler/graph/text.h"
#include "compiler/network/processor_functions.h"
#include "network/archive.h"

namespace vantage::cli {

namespace {

struct CompileArguments {
  std::string model, output;
  ConfigOption config;
  MemoryOption memory;
  std::vector<std::string> processors{"host"};
  ModelOptions options;
};

int compile(const CompileArguments& a) {
  require_new_file(a.output);
  const isa::Config config = a.config.load();
  const MemoryTiming memory = a.memory.load(config.clock_mhz());
  std::vector<cpu::NamedTarget> targets;
  for (const std::string& name : a.processors) targets.push_back(cpu::named_target(name));
  workload::PreparedNetwork prepared = a.options.prepare(a.model, config, memory).network;

  ModelArchive archive;
  archive.network = std::move(prepared.compiled.network);
  archive.graph = graph::to_text(prepared.parts.graph);
  for (const cpu::NamedTarget& target : targets) {
    archive.code.push_back(cpu::link_library(
        cpu::compile_object(network::schedule_functions(prepared.compiled.definitions, target.target, target.threads),
                            target.target),
        target.target));
  }
  save_model(archive, a.output);
  print_out("{}",
            wrapped(fmt::format("{}: {} for {}, with code for {}: {} steps, {} programs, {} functions", a.output,
                                a.model, config.name(), fmt::join(a.processors, " and "), archive.network.steps.size(),
                                archive.network.programs.size(), archive.network.functions.size()),
                    0));
  return 0;
}

}  // namespace

void add_compile(CLI::App& app, int& status) {
  auto a = std::make_shared<CompileArguments>();
  CLI::App* command = app.add_subcommand("compile", kCompile);
  command->add_option("model", a->model, "the network: one that is built in code, or an ONNX file")
      ->required()
      ->type_name("MODEL|FILE.onnx")
      ->check(such_as(model_names));
  command->add_option("-o,--output", a->output, "the file")->required()->type_name("FILE.tar")->check(not_empty());
  a->config.add_to(*command);
  a->memory.add_to(*command, "memory that layers are mapped for")->default_str("m64");
  command
      ->add_option("--processor", a->processors,
                   "whose code the accelerator's part is left to: host, amd64, arm64, armhf, or triples of LLVM's")
      ->type_name("NAMES")
      ->delimiter(',')
      ->check(such_as(cpu::target_names))
      ->capture_default_str();
  a->options.add_to(*command);
  a->options.add_weights_to(*command);
  a->options.add_file_options_to(*command);
  command->footer(
      "Scales are chosen by the digits of MNIST for lenet, by random inputs for other models.\n"
      "Examples:\n"
      "  vantage compile lenet -o lenet.tar\n"
      "  vantage run lenet.tar --input digit.npy --output logits.npy\n"
      "  vantage compile net.onnx --size batch=1 --calibration images.npy -o n.tar\n"
      "  # for a Zynq board, which runs it by itself\n"
      "  vantage compile resnet18 --config pynq --processor armhf -o r18.tar");
  command->callback([a, &status] { status = compile(*a); });
}

}  // namespace vantage::cli
