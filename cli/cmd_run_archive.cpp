#include <CLI/CLI.hpp>
#include <random>

#include "base/error.h"
#include "base/installation.h"
#include "base/json.h"
#include "base/tensor/npy.h"
#include "base/tensor/random.h"
#include "cli/commands.h"
#include "cli/energy_option.h"
#include "cli/idle_options.h"
#include "cli/network_report.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report_options.h"
#include "cli/tensor_files.h"
#include "cli/what_if.h"
#include "driver/open/open.h"
#include "driver/runtime/executor.h"
#include "network/archive.h"

namespace vantage::cli {

namespace {

struct ArchiveArguments {
  std::string path;
  TensorFiles files;
  std::optional<uint64_t> random;
  ConfigOption config;
  TargetOptions target{"systemc:"};
  std::string processor = "cpu:";
  bool processor_given = false;
  uint64_t repeat = 0;
  EnergyOption energy;
  ReportOptions html;
  bool layers = false, what_if = false, json = false;
};

// Values for all inputs: from files, or random ones. Throws Error that lists the inputs that have neither.
NetworkInputs complete_inputs(const ArchiveArguments& a, const Network& network) {
  NetworkInputs inputs = a.files.read_inputs(network);
  std::mt19937_64 random(a.random.value_or(0));
  std::string missing;
  bool is_open = network.inputs.empty();
  for (const size_t number : network.inputs) {
    const auto& [name, type] = std::tie(network.tensors[number].name, network.tensors[number].type);
    if (inputs.contains(name)) continue;
    is_open = true;
    if (a.random) {
      Tensor value(type.dtype, type.shape);
      fill(value, random);
      inputs.emplace(name, std::move(value));
    } else {
      missing += fmt::format("{}{}=FILE.npy ({})", missing.empty() ? "" : ", ", name, describe(type));
    }
  }
  if (!missing.empty()) fail("inputs without values: give --input {}, or --random SEED", missing);
  if (a.random && !is_open) fail("--random: all inputs of {} have values; leave it out", a.path);
  return inputs;
}

// Whether a target is this machine's processor or a GPU, which then has all of a network.
bool runs_functions(const std::string& uri) {
  return uri.starts_with("cuda:") || uri.starts_with("cpu:");
}

// Where functions run: as --processor says, or --target where that has all of the network. A network that was compiled
// for GPUs alone needs neither.
std::string place_of_functions(const ArchiveArguments& a, const ModelArchive& archive) {
  if (!archive.network.programs.empty()) return a.processor;
  if (runs_functions(a.target.uri)) return a.target.uri;
  const bool is_for_gpus = !archive.gpu_code.empty() && archive.code.empty();
  return is_for_gpus && !a.processor_given ? "cuda:" : a.processor;
}

// With the archive's code for it.
std::unique_ptr<driver::FunctionDevice> open_functions_of(const ArchiveArguments& a, const ModelArchive& archive,
                                                          const std::string& uri) {
  const bool is_gpu = uri.starts_with("cuda:");
  auto functions =
      driver::open_functions(uri, a.target.log(), is_gpu ? installed_helper("vantage-gpu") : std::filesystem::path());
  if (is_gpu) {
    functions->load_programs(archive.gpu_code_for(functions->architecture(), a.path));
  } else if (const native::LibraryImage* image = archive.code_for(functions->architecture(), a.path)) {
    functions->load_library(*image, a.path, archive.network.functions);
  }
  return functions;
}

// Where nothing runs on an accelerator, --target is at most what has all of it.
void require_meaning(const CLI::App& command, const ArchiveArguments& a, const Network& network) {
  if (!network.programs.empty()) return;
  std::vector<std::string> of_accelerators = {"--memory", "--trace", "--vcd"};
  if (!runs_functions(a.target.uri)) of_accelerators.emplace_back("--target");
  refuse_options(command, of_accelerators, fmt::format("is for accelerators, and nothing of {} runs on one", a.path));
}

int run_archive(const CLI::App& command, ArchiveArguments a) {
  const ModelArchive archive = load_model(a.path);
  const auto network = std::make_shared<const Network>(archive.network);
  if (a.config.given()) {
    const isa::Config config = a.config.load();
    if (network->config && !(config == *network->config)) {
      fail("{}: is compiled for {}, but --config is {}: its {}; compile the model for that one, or leave --config out",
           a.path, network->config->name(), config.name(), isa::difference(config, *network->config));
    }
  }
  require_meaning(command, a, *network);
  const auto outputs = a.files.files_of_outputs(*network);
  std::vector<std::pair<std::string, std::string>> written = {
      {"--trace", a.target.trace}, {"--vcd", a.target.vcd}, {"--html", a.html.file()}};
  for (const auto& [name, file] : outputs) written.emplace_back("--output " + name, file);
  require_different(written);
  a.html.check();
  a.energy.load();
  const NetworkInputs inputs = complete_inputs(a, *network);
  for (const auto& [name, value] : inputs) {
    if (!network->programs.empty()) require_finite("the input " + name, value);
  }
#if VANTAGE_HAS_TIME
  if (a.what_if && network->programs.empty())
    fail("--what-if: {} has no programs of an accelerator; leave it out", a.path);
  if (a.what_if) what_if_memory(a.target, *network->config);
#endif

  const std::string functions_on = place_of_functions(a, archive);
  const auto processor = open_functions_of(a, archive, functions_on);
  // What a server has to say may be that of --processor's.
  TargetOptions target = a.target;
  target.device_log = a.target.device_log && (a.target.is_remote() || !functions_on.starts_with("rpc"));
  const auto device =
      network->programs.empty() ? nullptr : target.open(*network->config, a.html.observer(*network->config));
  driver::NetworkExecutor executor(network, *processor, device.get());
  const workload::NetworkMeasurement measured = [&] {
    Progress progress("steps", network->steps.size());
    return workload::measure_network(executor, inputs, [&](size_t n) { progress.advance(n); });
  }();
  if (device) device->finish_trace();
  a.html.stop();
  std::optional<driver::Timing> timing;
  if (a.repeat > 0) timing = executor.time({.number = 1, .repeat = static_cast<int>(a.repeat)});
  for (const auto& [name, file] : outputs) write_npy(file, executor.output(name));

  if (device && measured.has_cycles) warn_of_clock(*network->config);
  NetworkReport report{*network, a.target,    measured, energy_report(a.energy, *network, a.target.uri, measured),
                       {},       functions_on};
#if VANTAGE_HAS_TIME
  if (a.what_if) {
    const auto run = [&](const MemoryTiming& memory) {
      driver::AcceleratorOptions options;
      options.memory = memory;
      const auto other = driver::open_accelerator(a.target.uri, *network->config, options);
      driver::NetworkExecutor again(network, *processor, other.get());
      return workload::measure_network(again, inputs).accelerator_cycles.count();
    };
    report.what_ifs =
        memory_what_ifs(measured.accelerator_cycles.count(), what_if_memory(a.target, *network->config), run);
  }
#endif
  if (a.json) {
    Json json = report.json();
    json["ok"] = true;
    if (timing) report.add(*timing, json);
    print_out("{}\n", json_text(json));
    report.write(a.html, true);
    return 0;
  }
  print_out("{}", report.text(a.layers));
  if (timing) print_out("{}", report.text(*timing));
  for (const auto& [name, file] : outputs) print_out("{}: {}\n", name, file);
  report.write(a.html, false);
  return 0;
}

}  // namespace

void add_run_archive(CLI::App& run, int& status) {
  auto a = std::make_shared<ArchiveArguments>();
  CLI::App* command = run.add_subcommand("archive", "a network that `vantage compile` made a file of");
  command->add_option("archive", a->path, "the file")->required()->type_name("FILE.tar");
  a->files.add_to(*command);
  command->add_option("--random", a->random, "random values of this seed for inputs that have no file")
      ->type_name("SEED")
      ->check(whole_number(0, UINT64_MAX));
  a->config.add_to(*command)
      ->description(
          "refuse the file unless it is compiled for this accelerator: a JSON file, or a name from "
          "configs/accelerators")
      ->default_str("");
  a->target.add_to(*command, "; or cuda:, all of a network that was compiled for GPUs");
  CLI::Option* processor =
      command
          ->add_option(
              "--processor", a->processor,
              "where the rest runs: cpu:, this machine's processor, or rpc://HOST:PORT/cpu, a server's that takes "
              "code")
          ->type_name("TARGET")
          ->check(not_empty())
          ->capture_default_str();
  command->add_flag("--layers", a->layers, "show every step");
  a->energy.add_to(*command);
  a->html.add_to(*command);
#if VANTAGE_HAS_TIME
  add_what_if_flag(*command, a->what_if, "faster memories");
#endif
  command->add_option("--repeat", a->repeat, "also run it so often, and say how long a run takes")
      ->check(whole_number(1, 1'000'000));
  add_json_flag(*command, a->json);
  command->footer(
      "The file says what accelerator it is for. Its bytes are verified before anything runs. `vantage run FILE.tar` "
      "means the same.\n"
      "Examples:\n"
      "  vantage compile lenet -o lenet.tar\n"
      "  vantage run lenet.tar --input digit.npy --output logits.npy\n"
      "  vantage run archive lenet.tar --random 1 --layers --target fsim:\n"
      "  # functions on another machine, whose server takes code\n"
      "  vantage run r18.tar --random 1 --processor rpc://board:9091/cpu\n"
      "  vantage compile resnet18 --target cuda: -o gpu.tar\n"
      "  vantage run gpu.tar --random 1 --repeat 100");
  command->callback([a, command, processor, &status] {
    a->processor_given = processor->count() > 0;
    status = run_archive(*command, *a);
  });
}

}  // namespace vantage::cli
