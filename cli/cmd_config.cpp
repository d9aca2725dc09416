#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/wrap.h"
#include "hw/isa/layout.h"
#include "hw/memory/memory_timing.h"

namespace vantage::cli {

using isa::Config;
using isa::Memory;

namespace {

struct Row {
  std::string name;
  Json value;
  std::string meaning;
};

// Every number that follows from the keys, in the order of docs/isa.md section 1.
std::vector<Row> derived(const Config& config) {
  std::vector<Row> rows = {
      {"name", config.name(), "also the bitstream's name"},
      {"tile", fmt::format("{}x{}x{}", config.batch(), config.block_in(), config.block_out()),
       "GEMM tile: batch x depth x columns"},
      {"macs_per_step", config.batch() * config.block_in() * config.block_out(), "multiply-accumulates per GEMM step"},
      {"out_bits", config.out_bits(), "bits of an output lane"},
      {"bus_bytes_per_cycle", config.bus_width().count(), "each way"},
      {"bus_gbytes_per_s", 1e-3 * static_cast<double>(config.bus_width().count()) * config.clock_mhz(), "each way"},
      {"peak_gops", 2e-3 * config.batch() * config.block_in() * config.block_out() * config.clock_mhz(),
       "two operations per MAC"},
  };
  for (Memory memory : {Memory::kUop, Memory::kInp, Memory::kWgt, Memory::kAcc, Memory::kOut}) {
    const std::string name(isa::name(memory));
    rows.push_back({name + "_element_bytes", config.element_size(memory).count(), ""});
    rows.push_back({name + "_scratchpad_bytes", config.scratchpad_size(memory).count(), ""});
    rows.push_back({name + "_depth", config.depth(memory).count(), "elements"});
    rows.push_back({name + "_index_bits", config.index_bits(memory), ""});
  }
  const isa::Layout layout(config);
  for (isa::Format format : isa::kAllFormats) {
    int bits = 0;
    for (const isa::Field& field : layout.fields(format)) bits += field.width;
    rows.push_back({fmt::format("{}_bits", isa::name(format)), bits, fmt::format("of {}", isa::room(format))});
  }
  return rows;
}

Json layout_json(const Config& config) {
  const isa::Layout layout(config);
  Json formats = Json::object();
  for (isa::Format format : isa::kAllFormats) {
    Json fields = Json::array();
    for (const isa::Field& field : layout.fields(format)) {
      fields.push_back({{"name", field.name}, {"word", field.word}, {"lsb", field.lsb}, {"width", field.width}});
    }
    formats[std::string(isa::name(format))] = std::move(fields);
  }
  return formats;
}

std::string text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void print_row(const std::string& name, const std::string& value, const std::string& meaning) {
  const std::string head = fmt::format("  {:<22} {:>8}", name, value);
  if (meaning.empty()) return print_out("{}\n", head);
  print_out("{}  {}", head, wrapped(meaning, head.size() + 2));
}

void print_layout(const Config& config) {
  const isa::Layout layout(config);
  for (isa::Format format : isa::kAllFormats) {
    print_out("\n{} fields\n", isa::name(format));
    for (const isa::Field& field : layout.fields(format)) {
      print_out("  word {} bits {:>2}..{:<2} {}\n", field.word, field.lsb, field.lsb + field.width - 1, field.name);
    }
  }
}

// What a memory's times and rates amount to at the configuration's clock.
Json memory_json(const MemoryTiming& memory, const Config& config) {
  const int clock = config.clock_mhz();
  Json times = Json::object();
  for (const auto& time : memory.times()) {
    times[time.name] = {{"cycles", time.cycles.count()}, {"ns", nanoseconds(time.cycles, clock)}};
  }
  const double gigabytes = memory.gbytes_per_s(config.bus_width(), clock);
  Json json = {{"name", memory.name},
               {"clock_mhz", clock},
               {"times", std::move(times)},
               {"bytes_per_cycle", gigabytes * 1000 / clock},
               {"gbytes_per_s", gigabytes}};
  if (!memory.source.empty()) json["source"] = memory.source;
  return json;
}

// All digits of a whole number, four of others.
std::string rounded(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

void print_memory(const MemoryTiming& memory, const Config& config) {
  const Json json = memory_json(memory, config);
  print_out("\nmemory {} at {} MHz\n", memory.name, config.clock_mhz());
  if (!memory.source.empty()) print_out("  {}", wrapped(memory.source, 2));
  const auto line = [](const std::string& name, double core, const char* per_core, double absolute, const char* unit) {
    print_out("  {:<22} {:>12} {:<12} {:>8} {}\n", name, rounded(core), per_core, rounded(absolute), unit);
  };
  for (const auto& time : memory.times()) {
    line(time.name, static_cast<double>(time.cycles.count()), "cycles", nanoseconds(time.cycles, config.clock_mhz()),
         "ns");
  }
  line("bandwidth", json["bytes_per_cycle"].get<double>(), "bytes/cycle", json["gbytes_per_s"].get<double>(),
       "GB/s each way");
}

int show(const std::string& file, const MemoryOption& memory_option, bool fields, bool json) {
  const Config config = load_config(file);
  std::optional<MemoryTiming> memory;
  if (memory_option.given()) memory = memory_option.load(config.clock_mhz());
  warn_of_clock(config);
  if (json) {
    Json object = {{"keys", config.to_json()}};
    for (const Row& row : derived(config)) object["derived"][row.name] = row.value;
    if (memory) object["memory"] = memory_json(*memory, config);
    if (fields) object["fields"] = layout_json(config);
    print_out("{}\n", json_text(object));
    return 0;
  }
  print_out("keys\n");
  const Json keys = config.to_json();
  for (const isa::ConfigKey& key : isa::config_keys()) {
    print_row(key.name, text(keys[key.name]), key.meaning);
  }
  print_out("\nderived\n");
  for (const Row& row : derived(config)) {
    print_row(row.name, text(row.value), row.meaning);
  }
  if (memory) print_memory(*memory, config);
  if (fields) print_layout(config);
  return 0;
}

// A file that says nothing right is 1, one that cannot be read at all 2.
int check(const std::vector<std::string>& files, bool json) {
  int status = 0;
  Json results = Json::array();
  for (const std::string& file : files) {
    int if_wrong = 2;
    try {
      const std::filesystem::path path = config_file(file);
      const bool can_be_read = ::access(path.c_str(), R_OK) == 0 && !std::filesystem::is_directory(path);
      if (can_be_read) if_wrong = 1;
      const Config config = Config::load(path);
      results.push_back({{"file", file}, {"ok", true}, {"config", config.name()}});
      if (!json) print_out("{}: ok, {}\n", file, config.name());
      if (const auto warning = clock_warning(config)) {
        results.back()["warning"] = *warning;
        print_error("warning: {}: {}\n", file, *warning);
      }
    } catch (const Error& e) {
      results.push_back({{"file", file}, {"ok", false}, {"error", e.what()}});
      if (!json) print_error("error: {}\n", e.what());
      status = std::max(status, if_wrong);
    }
  }
  if (json) print_out("{}\n", json_text(results));
  return status;
}

int diff(const std::string& file_a, const std::string& file_b, bool json) {
  const Config a = load_config(file_a);
  const Config b = load_config(file_b);
  std::vector<Row> rows_a;
  std::vector<Row> rows_b;
  for (const auto& [config, rows] : {std::pair{&a, &rows_a}, {&b, &rows_b}}) {
    const Json keys = config->to_json();
    for (const auto& [key, value] : keys.items()) rows->push_back({key, value, ""});
    for (Row& row : derived(*config)) rows->push_back(std::move(row));
  }
  Json differences = Json::object();
  for (size_t i = 0; i < rows_a.size(); ++i) {
    if (rows_a[i].value != rows_b[i].value)
      differences[rows_a[i].name] = Json::array({rows_a[i].value, rows_b[i].value});
  }
  if (json) {
    print_out("{}\n", json_text(differences));
  } else if (differences.empty()) {
    print_out("{} and {} are the same accelerator\n", file_a, file_b);
  } else {
    print_out("{:<22} {:>26} {:>26}\n", "", file_a, file_b);
    for (const auto& [name, pair] : differences.items()) {
      print_out("{:<22} {:>26} {:>26}\n", name, text(pair[0]), text(pair[1]));
    }
  }
  return differences.empty() ? 0 : 1;
}

struct ConfigArguments {
  std::vector<std::string> files;
  std::string a, b;
  MemoryOption memory;
  bool fields = false;
  bool json = false;
};

}  // namespace

void add_config(CLI::App& app, int& status) {
  CLI::App* config = app.add_subcommand("config", "show, check and compare accelerator configurations");
  config->footer(
      "A configuration is a JSON file, or the name of one in configs/accelerators.\n"
      "Examples:\n"
      "  vantage config show pynq --fields\n"
      "  vantage config show pynq --memory pynq-ddr3\n"
      "  vantage config check pynq 8x8\n"
      "  vantage config diff default 32x32");
  auto a = std::make_shared<ConfigArguments>();

  CLI::App* show_command = config->add_subcommand("show", "every key and every number derived from it");
  show_command->add_option("file", a->a, "a JSON file, or a name from configs/accelerators")
      ->type_name("NAME|FILE")
      ->check(such_as(configuration_names()))
      ->required();
  show_command->add_flag("--fields", a->fields, "where every instruction field lies, too");
  a->memory.add_to(*show_command, "also what this memory amounts to at the clock");
  add_json_flag(*show_command, a->json);
  show_command->footer(
      "Examples:\n"
      "  vantage config show pynq\n"
      "  vantage config show pynq --memory pynq-ddr3\n"
      "  vantage config show pynq --fields --json");
  show_command->callback([a, &status] { status = show(a->a, a->memory, a->fields, a->json); });

  CLI::App* check_command = config->add_subcommand("check", "say what is wrong with configurations");
  check_command->add_option("files", a->files, "JSON files, or names from configs/accelerators")
      ->type_name("NAME|FILE")
      ->check(such_as(configuration_names()))
      ->required();
  add_json_flag(*check_command, a->json);
  check_command->footer(
      "Exit status: 0 all are right, 1 one is wrong.\n"
      "Examples:\n"
      "  vantage config check pynq 8x8\n"
      "  vantage config check pynq --json");
  check_command->callback([a, &status] { status = check(a->files, a->json); });

  CLI::App* diff_command = config->add_subcommand("diff", "what differs between two");
  for (const auto& [name, value, text] :
       {std::tuple{"a", &a->a, "one of them: a JSON file, or a name from configs/accelerators"},
        {"b", &a->b, "the other"}}) {
    diff_command->add_option(name, *value, text)
        ->type_name("NAME|FILE")
        ->check(such_as(configuration_names()))
        ->required();
  }
  add_json_flag(*diff_command, a->json);
  diff_command->footer(
      "Exit status: 0 they are the same accelerator, 1 something differs.\n"
      "Examples:\n"
      "  vantage config diff default 32x32\n"
      "  vantage config diff default pynq --json");
  diff_command->callback([a, &status] { status = diff(a->a, a->b, a->json); });
}

}  // namespace vantage::cli
