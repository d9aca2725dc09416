#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/gpu_code.h"
#include "cli/idle_options.h"
#include "cli/known_values.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/wrap.h"
#include "compiler/backend/cpu/library.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/network/processor_functions.h"
#include "network/archive.h"
#include "workload/processor_code.h"

namespace vantage::cli {

namespace {

struct CompileArguments {
  std::string model, output;
  ConfigOption config;
  MemoryOption memory;
  std::vector<std::string> processors{"host"};
  std::string target = "vta:";
  std::vector<std::string> architectures{"sm_90a"};
  ModelOptions options;
};

// The functions for each of the processors.
std::vector<native::LibraryImage> code_for(const std::vector<cpu::NamedTarget>& targets,
                                           const std::vector<ir::PrimFunc>& definitions) {
  std::vector<native::LibraryImage> code;
  for (const cpu::NamedTarget& target : targets) {
    const auto functions = network::schedule_functions(definitions, target.target, target.threads);
    const cpu::Object object = cpu::compile_object(functions, target.target, {.kept = workload::kept_processor_code()});
    code.push_back(cpu::link_library(object, target.target));
  }
  return code;
}

// A network's floats for GPUs, and for processors where some were named.
int compile_floats(const CompileArguments& a, bool processors_given) {
  require_new_file(a.output);
  require_distinct("--architecture", a.architectures);
  require_distinct("--processor", a.processors);
  const std::shared_ptr<const cuda::Nvrtc> nvrtc = load_nvrtc();
  std::vector<cpu::NamedTarget> targets;
  std::vector<std::string> kinds = a.architectures;
  if (processors_given) {
    for (const std::string& name : a.processors) targets.push_back(cpu::named_target(name));
    kinds.insert(kinds.end(), a.processors.begin(), a.processors.end());
  }
  const graph::Graph graph = graph::fuse_operators(a.options.floats_without_inputs(a.model));
  network::CompiledNetwork compiled = network::compile_network(graph, {.is_for_gpu = true});
  ModelArchive archive;
  for (const std::string& name : a.architectures) {
    if (compiled.definitions.empty()) break;
    archive.gpu_code.push_back(compile_gpu_code(compiled, cuda::find_architecture(name), *nvrtc));
  }
  archive.code = code_for(targets, compiled.definitions);
  archive.network = std::move(compiled.network);
  archive.graph = graph::to_text(graph);
  save_model(archive, a.output);
  print_out("{}", wrapped(fmt::format("{}: {}'s floats, with code for {}: {} steps, {} functions", a.output, a.model,
                                      fmt::join(kinds, " and "), archive.network.steps.size(),
                                      archive.network.functions.size()),
                          0));
  return 0;
}

// What is said of an accelerator, or of integers, means nothing for a GPU, and the other way round.
void require_meaning_for(const CLI::App& command, const CompileArguments& a) {
  const bool on_gpu = is_gpu_target(a.target);
  std::vector<std::string> others = a.options.integer_options;
  others.insert(others.end(), {"--config", "--memory", "--search", "--calibration"});
  if (!on_gpu) others = {"--architecture"};
  refuse_options(command, others,
                 on_gpu ? "is for accelerators and their integers (--target vta:), a GPU runs the network's floats"
                        : "is for GPUs (--target cuda:)");
}

int compile(const CompileArguments& a) {
  require_new_file(a.output);
  require_distinct("--processor", a.processors);
  const isa::Config config = a.config.load();
  const MemoryTiming memory = a.memory.load(config.clock_mhz());
  std::vector<cpu::NamedTarget> targets;
  for (const std::string& name : a.processors) targets.push_back(cpu::named_target(name));
  workload::PreparedNetwork prepared = a.options.prepare(a.model, config, memory).network;

  ModelArchive archive;
  archive.network = std::move(prepared.compiled.network);
  archive.graph = graph::to_text(prepared.parts.graph);
  archive.code = code_for(targets, prepared.compiled.definitions);
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
  command->add_option("--target", a->target, "vta:, an accelerator, or cuda:, the network's floats on GPUs")
      ->type_name("URI")
      ->check(one_of({"vta:", "cuda:"}))
      ->capture_default_str();
  std::vector<std::string> architectures;
  for (const cuda::Architecture& architecture : cuda::architectures()) architectures.push_back(architecture.name);
  command->add_option("--architecture", a->architectures, "of the GPUs that are compiled for")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(architectures))
      ->capture_default_str();
  CLI::Option* processors =
      command
          ->add_option("--processor", a->processors,
                       "whose code the accelerator's part is left to: host, amd64, arm64, armhf, or triples of LLVM's")
          ->type_name("NAMES")
          ->delimiter(',')
          ->allow_extra_args(false)
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
      "  vantage compile resnet18 --config pynq --processor armhf -o r18.tar\n"
      "  # for GPUs; none need be here, but NVIDIA's NVRTC\n"
      "  vantage compile vgg16 --target cuda: --architecture sm_80 -o gpu.tar");
  command->callback([a, command, processors, &status] {
    require_meaning_for(*command, *a);
    status = is_gpu_target(a->target) ? compile_floats(*a, processors->count() > 0) : compile(*a);
  });
}

}  // namespace vantage::cli
