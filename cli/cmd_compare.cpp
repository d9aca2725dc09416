#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/stop.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/conv_options.h"
#include "cli/energy_option.h"
#include "cli/gemm_options.h"
#include "cli/gpu_target.h"
#include "cli/idle_options.h"
#include "cli/known_values.h"
#include "cli/measurement_text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "driver/open/open.h"
#include "workload/measure.h"

namespace vantage::cli {

using workload::Comparison;
using workload::Measurement;
using workload::Workload;

namespace {

// Accelerators, and the processors and GPUs beside them.
std::vector<std::string> known_targets() {
  std::vector<std::string> known = target_names()();
  for (const auto& kind : driver::compared_processors()) known.push_back(kind.uri);
  for (const auto& kind : driver::compared_gpus()) known.push_back(kind.uri);
  return known;
}

// What all workloads share.
struct CompareArguments {
  ConfigOption config;
  MemoryOption memory;
  EnergyOption energy;
  std::vector<std::string> targets = {"systemc:", "cpu:", "openblas:", "onednn:"};
  int threads = 0;
  int repeat = 10;
  double min_ms = 20;
  uint64_t seed = 1;
  bool timing = false;
  bool json = false, csv = false;

  // What the schedules of accelerators are chosen for.
  MemoryTiming memory_of(const isa::Config& accelerator) const { return memory.load(accelerator.clock_mhz()); }

  void add_to(CLI::App& app) {
    config.add_to(app);
    memory.add_to(app, "memory of the simulated accelerators")->default_str("m64");
    app.add_option("--targets", targets, "devices, separated by commas; `vantage targets` lists them")
        ->type_name("TARGET")
        ->check(such_as(known_targets))
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--threads", threads, "threads of processors; 0: as many as there are cores")
        ->check(whole_number(0, 1024))
        ->capture_default_str();
    app.add_option("--repeat", repeat, "samples on processors and GPUs; the median counts")
        ->check(whole_number(1, 100000))
        ->capture_default_str();
    app.add_option("--min-ms", min_ms, "least time of a sample, in milliseconds")
        ->check(number(0, 1e5))
        ->capture_default_str();
    app.add_option("--seed", seed, "seed of the random operands")
        ->check(whole_number(0, UINT64_MAX))
        ->capture_default_str();
    energy.add_to(app);
    app.add_flag("--timing", timing,
                 "simulated accelerators once more at the clock that static timing allows; synthesizes the core where "
                 "that was not done before (minutes)");
    auto* as_json = app.add_flag("--json", json, "print JSON (docs/json.md)");
    app.add_flag("--csv", csv, "print comma-separated values")->excludes(as_json);
  }
};

using ChooseMapping = std::function<ops::VtaConv2dMapping(const Conv2dShape&)>;

bool is_accelerator(const std::string& uri) {
  return driver::accelerator_kind_of(uri) != nullptr;
}

// Whether a device is our core in a simulator, which runs at any clock and with any memory: the published ones are what
// they are.
bool is_our_core(const std::string& uri) {
  const auto* kind = driver::accelerator_kind_of(uri);
  return kind != nullptr && kind->has_memory;
}

bool is_processor(const std::string& uri) {
  return !is_accelerator(uri) && !is_gpu(uri);
}

bool is_timed_here(const std::string& uri) {
  return !is_accelerator(uri);
}

void require_known(const std::vector<std::string>& targets) {
  require_distinct("--targets", targets);
  const std::vector<std::string> known = known_targets();
  for (const std::string& uri : targets) {
    if (is_gpu(uri) || is_accelerator(uri) || std::find(known.begin(), known.end(), uri) != known.end()) continue;
    fail("target '{}' is no device{}", uri, did_you_mean(uri, known));
  }
}

// What is said of devices of a kind is refused where none of them is compared. `of_accelerators`: of the workload's.
void require_meaning(const CLI::App& command, const CompareArguments& a,
                     const std::vector<std::string>& of_accelerators) {
  require_known(a.targets);
  const std::string targets = fmt::format("{}", fmt::join(a.targets, ","));
  const auto refuse_without = [&](bool (*is_meant)(const std::string&), const char* whom,
                                  const std::vector<std::string>& options) {
    if (std::any_of(a.targets.begin(), a.targets.end(), is_meant)) return;
    refuse_options(command, options, fmt::format("is for {}, and --targets {} has none", whom, targets));
  };
  refuse_without(is_our_core, "simulated accelerators", {"--memory", "--timing"});
  refuse_without(is_accelerator, "accelerators", {"--config", "--energy"});
  refuse_without(is_accelerator, "accelerators", of_accelerators);
  refuse_without(is_processor, "processors", {"--threads"});
  refuse_without(is_timed_here, "processors and GPUs", {"--repeat", "--min-ms"});
}

// All targets are looked at before the first runs.
void check_targets(const CompareArguments& a, const Workload& compared) {
  const DType dtype = compared.dtype;
  for (const std::string& uri : a.targets) {
    if (is_gpu(uri)) {
      require_gpu(uri);
      continue;
    }
    if (is_accelerator(uri) && dtype != kInt8) {
      fail("target '{}': accelerators multiply integers, not {}; use --dtype int8, or leave it out of --targets", uri,
           name(dtype));
    }
    if (uri == "cpu:" && dtype.is_narrow_float() && !compared.is_matmul) {
      fail(
          "target '{}': the compiler's convolutions on processors are of float32 and int8, not of {}; leave it out of "
          "--targets",
          uri, name(dtype));
    }
  }
}

Measurement measure(const Comparison& comparison, const std::string& uri, const isa::Config& config,
                    const CompareArguments& a, const ChooseMapping& tiling) {
  const driver::TimeOptions time{.number = 1, .repeat = a.repeat, .min_ms = a.min_ms};
  if (const auto* kind = driver::accelerator_kind_of(uri)) {
    TargetOptions target(uri);
    if (kind->has_memory) target.memory = a.memory;
    Measurement row =
        workload::measure_on_accelerator(comparison, *target.open(config), tiling, target.memory_setting(config));
    row.energy = a.energy.energy_of(config, *row.run);
    return row;
  }
  if (is_gpu(uri)) return measure_on_gpu_target(comparison, uri, time);
  if (uri == "cpu:") return workload::measure_on_cpu(comparison, *driver::Processor::open(uri, a.threads), time);
  return workload::measure_on_library(comparison, *driver::Library::open(uri, a.threads), time);
}

int compare(const Workload& compared, CompareArguments a, const ChooseMapping& tiling) {
  check_targets(a, compared);
  a.energy.load();
  const workload::Operands operands = random_operands(compared, a.seed);
  const workload::Reference expected = [&] {
    Progress progress("reference rows", static_cast<uint64_t>(compared.shape.batch * compared.shape.out_height()));
    return reference(compared, operands, [&](uint64_t rows) { progress.advance(rows); });
  }();
  const isa::Config config = a.config.load();
  const bool at_timing = a.timing && std::any_of(a.targets.begin(), a.targets.end(), is_our_core);
  const std::optional<isa::Config> timed = at_timing ? std::optional(at_clock_of_timing(config)) : std::nullopt;
  std::vector<Measurement> rows;
  bool some_failed = false;
  for (const std::string& uri : a.targets) {
    const Comparison comparison{compared, operands, expected};
    try {
      rows.push_back(measure(comparison, uri, config, a, tiling));
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      // It faulted, say, which ended the process that held it; the other devices go on.
      if (!is_gpu(uri)) throw;
      print_failure(error);
      some_failed = true;
    }
    if (timed && is_our_core(uri)) rows.push_back(measure(comparison, uri, *timed, a, tiling));
  }
  if (rows.empty()) return 2;
  if (a.json) {
    print_out("{}\n", json_text(to_json(rows, a.energy.technology())));
  } else {
    print_out("{}", a.csv ? csv(rows, a.energy.technology()) : table(rows) + energy_table(rows, a.energy.technology()));
  }
  if (std::any_of(rows.begin(), rows.end(), [](const Measurement& row) { return row.cycles.has_value(); })) {
    warn_of_clock(config);
  }
  bool ok = true;
  for (const Measurement& row : rows) {
    if (row.ok()) continue;
    ok = false;
    print_error("error: the result of {} is wrong: {}\n", row.target, row.difference);
  }
  return some_failed ? 2 : ok ? 0 : 1;
}

struct MatmulArguments : CompareArguments {
  GemmOptions gemm;
  std::string dtype;
};

int compare_matmul(const CLI::App& command, const MatmulArguments& a, bool blocked) {
  // What follows the sums is the accelerators' alone, too.
  std::vector<std::string> of_accelerators = GemmOptions::mapping_options();
  of_accelerators.insert(of_accelerators.end(), {"--bias", "--shift"});
  require_meaning(command, a, of_accelerators);
  const isa::Config config = a.config.load();
  a.gemm.check_sizes();
  const ops::Epilogue epilogue = a.gemm.epilogue(config);
  Workload workload;
  workload.name = fmt::format("{} {}x{}x{}", blocked ? "gemm" : "matmul", a.gemm.m, a.gemm.k, a.gemm.n);
  workload.shape = as_conv2d(a.gemm.shape());
  workload.is_matmul = true;
  workload.dtype = DType::parse(a.dtype);
  workload.epilogue = epilogue;
  return compare(workload, a, [&](const Conv2dShape& shape) {
    workload::MappingRequest request = a.gemm.request(config, a.memory_of(config));
    request.shape = shape;
    return (blocked ? a.gemm.find(request) : workload::find_mapping(request, std::nullopt)).mapping;
  });
}

struct ConvArguments : CompareArguments {
  ConvOptions conv;
  std::string dtype = "int8";
};

int compare_conv(const CLI::App& command, const ConvArguments& a) {
  require_meaning(command, a, ConvOptions::mapping_options());
  if (a.dtype != "int8") {
    refuse_options(command, {"--shift", "--no-bias"}, fmt::format("is for integers, and --dtype is {}", a.dtype));
  }
  const isa::Config config = a.config.load();
  const workload::MappingRequest request = a.conv.request(command, config, a.memory_of(config));
  if (!request.shape.is_plain()) {
    fail("processors and their libraries are compared on convolutions of one stride and one pad, without dilation");
  }
  const ops::Layer layer{request.shape, request.epilogue, a.conv.find(request).mapping};
  Workload workload;
  const Conv2dShape& s = layer.shape;
  workload.name = a.conv.layer.empty() ? fmt::format("conv {}x{}x{}x{} to {}, {}x{}, stride {}, pad {}", s.batch,
                                                     s.in_channels, s.height, s.width, s.out_channels, s.kernel_h,
                                                     s.kernel_w, to_string(s.stride), to_string(s.pad))
                                       : "conv " + a.conv.layer;
  workload.shape = layer.shape;
  workload.dtype = DType::parse(a.dtype);
  workload.epilogue = layer.epilogue;
  return compare(workload, a, [&](const Conv2dShape&) { return layer.mapping; });
}

void add_matmul(CLI::App& parent, int& status) {
  auto a = std::make_shared<MatmulArguments>();
  a->gemm.m = 1024;
  a->dtype = "float32";
  a->targets = {"cpu:", "openblas:", "onednn:"};
  CLI::App* command = parent.add_subcommand("matmul", "matrix product: C = A . B");
  a->add_to(*command);
  a->gemm.add_sizes_to(*command);
  command->add_option("--dtype", a->dtype, "what is multiplied")
      ->type_name("TYPE")
      ->check(one_of({"float32", "float16", "bfloat16", "int8"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  vantage compare matmul\n"
      "  vantage compare matmul --m 256 --n 256 --k 256 --targets cpu: --threads 1\n"
      "  vantage compare matmul --m 256 --n 256 --k 256 --dtype int8 --csv\n"
      "  # where there is a GPU of NVIDIA's\n"
      "  vantage compare matmul --dtype float16 --targets cuda:,cublas:");
  command->callback([a, command, &status] { status = compare_matmul(*command, *a, false); });
}

void add_gemm(CLI::App& parent, int& status) {
  auto a = std::make_shared<MatmulArguments>();
  a->dtype = "int8";
  CLI::App* command = parent.add_subcommand("gemm", "matrix multiply of bytes, as `run gemm` has it");
  a->add_to(*command);
  a->gemm.add_to(*command, false);
  command->footer(
      "Examples:\n"
      "  vantage compare gemm\n"
      "  vantage compare gemm --m 64 --blocks --config 32x32 --json");
  command->callback([a, command, &status] { status = compare_matmul(*command, *a, true); });
}

void add_conv(CLI::App& parent, int& status) {
  auto a = std::make_shared<ConvArguments>();
  CLI::App* command = parent.add_subcommand("conv", "2D convolution");
  a->add_to(*command);
  a->conv.add_to(*command, false);
  command->add_option("--dtype", a->dtype, "what is multiplied")
      ->type_name("TYPE")
      ->check(one_of({"int8", "float32", "float16", "bfloat16"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  vantage compare conv --layer C2\n"
      "  vantage compare conv --layer C9 --config 32x32 --targets systemc:,cpu: --csv\n"
      "  vantage compare conv --layer C2 --targets systemc:,published: --timing\n"
      "  vantage compare conv --layer C2 --targets systemc:,fsim: --energy 45nm\n"
      "  vantage compare conv --layer C5 --dtype float32 --targets cpu:,onednn:\n"
      "  # where there is a GPU of NVIDIA's\n"
      "  vantage compare conv --layer C5 --dtype float16 --targets cuda:,cudnn:");
  command->callback([a, command, &status] { status = compare_conv(*command, *a); });
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("compare", kCompare);
  command->footer(
      "Examples:\n"
      "  vantage compare conv --layer C2\n"
      "  vantage compare designs default 32x32 --workloads resnet18\n"
      "  vantage compare gemm --m 64 --targets systemc:,cpu:\n"
      "  vantage compare matmul --dtype float32 --threads 1");
  add_conv(*command, status);
  add_compare_designs(*command, status);
  add_gemm(*command, status);
  add_matmul(*command, status);
}

}  // namespace vantage::cli
