#include <CLI/CLI.hpp>

#include <fmt/ranges.h>

#include <random>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tensor/npy.h"
#include "cli/commands.h"
#include "cli/energy_option.h"
#include "cli/idle_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/program_source.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/report_options.h"
#include "cli/what_if.h"
#include "driver/device/loaded_program.h"
#include "driver/open/open.h"
#include "hw/program/link.h"
#include "hw/program/recover.h"
#include "report/layers.h"
#include "workload/program_tensors.h"
#include "workload/run_program.h"

namespace vantage::cli {

namespace {

struct ProgramArguments {
  std::string path;
  std::vector<std::string> inputs, outputs;  // NAME=FILE
  std::optional<uint64_t> random;
  TargetOptions target{"systemc:"};
  std::string record;
  EnergyOption energy;
  ReportOptions html;
  bool list = false, what_if = false, json = false;
};

std::string describe(const ProgramTensor& tensor, const isa::Config& config) {
  return fmt::format("{}[{}]", name(workload::dtype_of(tensor, config)),
                     fmt::join(workload::shape_of(tensor, config), ", "));
}

// The files by the names of the tensors that they are given for. Throws Error for what is no NAME=FILE, for a tensor
// that the program has not or has for something else, and for one that is named twice.
std::map<std::string, std::string> files_by_tensor(const Program& program, const char* option, TensorRole role,
                                                   const std::vector<std::string>& given) {
  std::map<std::string, std::string> files;
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      fail("{} is '{}', expected NAME=FILE.npy", option, text);
    }
    const std::string tensor = text.substr(0, equals);
    const ProgramTensor& found = program.tensors[program.tensor_index(tensor)];
    if (found.role != role) {
      fail("{} {}: the tensor is an {} of the program; use {}", option, text, name(found.role),
           found.role == TensorRole::kInput ? "--in" : "--out");
    }
    if (!files.emplace(tensor, text.substr(equals + 1)).second) fail("{} names the tensor {} twice", option, tensor);
  }
  return files;
}

// A program, and the bundle that it came in, if it did.
struct Source {
  Program program;
  std::optional<Bundle> bundle;
  std::vector<Bytes> addresses;  // of the tensors in the bundle's memory
};

Source load_source(const std::string& path) {
  auto loaded = load_program_source(path);
  if (auto* program = std::get_if<Program>(&loaded)) return {std::move(*program), {}, {}};
  auto& bundle = std::get<Bundle>(loaded);
  RecoveredProgram recovered = recover_program(bundle);
  return {std::move(recovered.program), std::move(bundle), std::move(recovered.tensors)};
}

using Contents = std::vector<std::byte>;

// Any bits are values, but those of micro-ops are indices.
Contents random_contents(size_t bytes, std::mt19937_64& random) {
  Contents contents(bytes);
  for (std::byte& byte : contents) byte = static_cast<std::byte>(random());
  return contents;
}

// What every input begins with: its file, or what a bundle recorded, or random values. Throws Error that lists those
// that have none.
std::map<std::string, Contents> read_inputs(const Source& source, const std::map<std::string, std::string>& files,
                                            std::optional<uint64_t> seed) {
  std::mt19937_64 random(seed.value_or(0));
  bool is_open = false, any_may_be_random = false;
  const Program& program = source.program;
  std::map<std::string, Contents> inputs;
  std::string missing;
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.role != TensorRole::kInput) continue;
    const auto file = files.find(tensor.name);
    if (file != files.end()) {
      inputs[tensor.name] = workload::pack(tensor, program.config, read_npy(file->second), file->second);
      continue;
    }
    if (source.bundle) {
      const uint32_t index = program.tensor_index(tensor.name);
      const std::string recorded = source.bundle->initial_bytes(source.addresses[index], program.symbol_size(index));
      const auto bytes = as_bytes(recorded);
      inputs[tensor.name] = {bytes.begin(), bytes.end()};
      continue;
    }
    is_open = true;
    const bool may_be_random = tensor.memory != isa::Memory::kUop;
    any_may_be_random = any_may_be_random || may_be_random;
    if (seed && may_be_random) {
      inputs[tensor.name] = random_contents(program.symbol_size(program.tensor_index(tensor.name)).count(), random);
      continue;
    }
    missing += fmt::format("{}{}=FILE.npy ({}{})", missing.empty() ? "" : ", ", tensor.name,
                           describe(tensor, program.config), may_be_random ? "" : " of micro-ops");
  }
  if (!missing.empty()) {
    fail("inputs without values: give --in {}{}", missing, any_may_be_random && !seed ? ", or --random SEED" : "");
  }
  const bool has_inputs =
      std::ranges::any_of(program.tensors, [](const ProgramTensor& t) { return t.role == TensorRole::kInput; });
  if (seed && has_inputs && !is_open) fail("--random: all inputs have values; leave it out");
  return inputs;
}

Json tensor_list(const Program& program) {
  Json list = Json::array();
  for (const ProgramTensor& tensor : program.tensors) {
    list.push_back({{"name", tensor.name},
                    {"role", name(tensor.role)},
                    {"memory", isa::name(tensor.memory)},
                    {"dtype", name(workload::dtype_of(tensor, program.config))},
                    {"shape", workload::shape_of(tensor, program.config)}});
  }
  return list;
}

int list_tensors(const Program& program, bool json) {
  if (json) {
    print_out("{}\n", json_text(tensor_list(program)));
    return 0;
  }
  for (const ProgramTensor& tensor : program.tensors) {
    print_out("{:<6} {:<12} {:<4} {}\n", name(tensor.role), tensor.name, isa::name(tensor.memory),
              describe(tensor, program.config));
  }
  return 0;
}

void write_page(const ProgramArguments& a, const std::string& title, const Program& program,
                const driver::RunResult& result, const Json& energy, const std::optional<report::WhatIfs>& what_ifs) {
#if VANTAGE_HAS_TIME
  if (!a.html.wanted()) return;
  report::Report page;
  page.title = title;
  page.target = a.target.uri;
  page.memory = a.target.memory_name(program.config);
  report::set_accelerator(page, program.config, a.target.memory_setting(program.config),
                          sim::clock_mhz(program.config, result));
  page.layers = {report::layer_of(title, program.config, result, nullptr)};
  page.layers[0].least = workload::least_traffic(program);
  page.bottleneck = page.layers[0].bottleneck;
  page.energy = energy;
  page.what_ifs = what_ifs;
  a.html.write(std::move(page), a.json);
#else
  (void)a, (void)title, (void)program, (void)result, (void)energy, (void)what_ifs;
#endif
}

int run_program(ProgramArguments a) {
  const Source source = load_source(a.path);
  const Program& program = source.program;
  if (a.list) return list_tensors(program, a.json);

  const auto inputs = files_by_tensor(program, "--in", TensorRole::kInput, a.inputs);
  const auto outputs = files_by_tensor(program, "--out", TensorRole::kOutput, a.outputs);
  std::vector<std::pair<std::string, std::string>> written = {
      {"--record", a.record}, {"--trace", a.target.trace}, {"--vcd", a.target.vcd}, {"--html", a.html.file()}};
  for (const auto& [tensor, file] : outputs) {
    require_writable(file);
    written.emplace_back("--out " + tensor, file);
  }
  require_different(written);
  a.html.check();
  a.energy.load();
  if (!a.record.empty()) require_new_directory(a.record);
  // Of what has a fixed place in memory nobody knows what lies there.
  driver::require_relocated(program);
  // Before values are made for tensors that no device could hold
  if (const auto fault = fault_of_size(program)) fail("{}: {}", a.path, *fault);

  const auto values = read_inputs(source, inputs, a.random);
#if VANTAGE_HAS_TIME
  if (a.what_if) what_if_memory(a.target, program.config);
#endif
  std::map<std::string, std::span<const std::byte>> bytes;
  for (const auto& [tensor, packed] : values) bytes[tensor] = packed;
  const auto device = a.target.open(program.config, a.html.observer(program.config));
  const std::string title = source.bundle ? source.bundle->name : std::filesystem::path(a.path).stem().string();
  workload::ProgramRunOptions options;
  if (!a.record.empty()) options.record = title;
  const auto run = [&] {
    Progress progress("instructions", program.insns.size());
    options.run.progress = [&](uint64_t retired, uint64_t total) { progress.advance(retired, total); };
    return workload::run_program(*device, program, a.path, bytes, options);
  }();
  device->finish_trace();
  if (run.bundle) save_bundle(*run.bundle, a.record);
  for (const auto& [tensor, file] : outputs) {
    const ProgramTensor& declared = program.tensors[program.tensor_index(tensor)];
    write_npy(file, workload::unpack(declared, program.config, run.outputs.at(tensor)));
  }
  print_warnings(run.result);
  if (run.result.cycles) warn_of_clock(program.config);
  const RunFacts facts{.memory = a.target.memory_name(program.config),
                       .energy = a.energy.report(program.config, run.result, a.target.uri, std::nullopt)};
  std::optional<report::WhatIfs> what_ifs;
#if VANTAGE_HAS_TIME
  if (a.what_if) {
    what_ifs = memory_what_ifs(run.result.cycles->count(), what_if_memory(a.target, program.config),
                               [&](const MemoryTiming& memory) {
                                 driver::AcceleratorOptions other;
                                 other.memory = memory;
                                 const auto again = driver::open_accelerator(a.target.uri, program.config, other);
                                 return workload::run_program(*again, program, a.path, bytes).result.cycles->count();
                               });
  }
#endif
  if (a.json) {
    Json json = report_json(true, a.target.uri, program.config, run.result, facts);
    json["workload"] = {{"name", "program"}, {"program", title}, {"tensors", tensor_list(program)}};
#if VANTAGE_HAS_TIME
    if (what_ifs) json["what_ifs"] = report::to_json(*what_ifs);
#endif
    print_out("{}\n", json_text(json));
    write_page(a, title, program, run.result, facts.energy.json, what_ifs);
    return 0;
  }
  print_out("program {}\n{}{} instructions, {} micro-ops\n{}", title,
            setup_line(a.target.uri, program.config, run.result, facts), program.insns.size(), program.uops.size(),
            run_table(program.config, run.result, facts));
#if VANTAGE_HAS_TIME
  if (what_ifs) print_out("\n{}", what_if_text(*what_ifs));
#endif
  for (const auto& [tensor, file] : outputs) print_out("{}: {}\n", tensor, file);
  write_page(a, title, program, run.result, facts.energy.json, what_ifs);
  return 0;
}

}  // namespace

void add_run_program(CLI::App& run, int& status) {
  auto a = std::make_shared<ProgramArguments>();
  CLI::App* program = run.add_subcommand("program", "a program of one's own, with tensors from files");
  program
      ->add_option("program", a->path, "a program file, assembly text, a bundle's directory, or - for standard input")
      ->type_name("FILE|DIR")
      ->required();
  program->add_option("--in", a->inputs, "NAME=FILE.npy: what the input tensor NAME begins with; every input wants one")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->take_all();
  program->add_option("--random", a->random, "random values of this seed for inputs that have none otherwise")
      ->type_name("SEED")
      ->check(whole_number(0, UINT64_MAX));
  program->add_option("--out", a->outputs, "NAME=FILE.npy: where the output tensor NAME is written")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->take_all();
  program->add_flag("--list", a->list, "run nothing; list the program's tensors, their types and shapes");
  a->target.add_to(*program);
  program->add_option("--record", a->record, "write the run as a replay bundle into this new directory")
      ->type_name("DIR")
      ->check(not_empty());
  a->energy.add_to(*program);
  a->html.add_to(*program);
#if VANTAGE_HAS_TIME
  add_what_if_flag(*program, a->what_if, "faster memories");
#endif
  add_json_flag(*program, a->json);
  program->footer(
      "An array has one value for every lane, [elements][rows][columns]; any shape with as many values in that order "
      "will do. The inputs of a bundle have the values that it recorded, unless --in gives others. The result is not "
      "checked. `vantage run PROGRAM` means the same where PROGRAM is a file.\n"
      "Examples:\n"
      "  vantage run gemm --m 16 --k 16 --n 16 --record run.bundle\n"
      "  vantage run program run.bundle --list\n"
      "  vantage run program run.bundle --out C=c.npy\n"
      "  # assembled by hand, with a result as an input\n"
      "  vantage disasm run.bundle > a.s && vantage asm a.s -o a.vta\n"
      "  vantage run a.vta --in A=c.npy --in W=c.npy --out C=d.npy");
  program->callback([a, program, &status] {
    if (a->list) refuse_other_options(*program, {"--list", "--json"}, "is for a run, and --list runs nothing");
    status = run_program(*a);
  });
}

}  // namespace vantage::cli
