#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "base/cache.h"
#include "base/error.h"
#include "base/file.h"
#include "base/installation.h"
#include "base/json.h"
#include "base/one_line.h"
#include "base/settings.h"
#include "base/suggest.h"
#include "cli/known_values.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "driver/boards/board_files.h"
#include "driver/open/open.h"
#include "hw/fpga/clock_limit.h"
#include "hw/fpga/synthesis.h"

namespace vantage::cli {

namespace fs = std::filesystem;

CLI::Option* ConfigOption::add_to(CLI::App& app) {
  return app.add_option("--config", text, "accelerator: a JSON file, or a name from configs/accelerators")
      ->type_name("NAME|FILE")
      ->check(such_as(configuration_names()))
      ->default_str("default");
}

isa::Config ConfigOption::load() const {
  return given() ? load_config(text) : isa::Config::vta_default();
}

namespace {

fs::path configs() {
  return data_folder() / "configs";
}

}  // namespace

fs::path config_file(const std::string& file_or_name) {
  return find_settings(file_or_name, configs() / "accelerators", "configuration");
}

isa::Config load_config(const std::string& file_or_name) {
  return isa::Config::load(config_file(file_or_name));
}

fs::path boards_folder() {
  return configs() / "boards";
}

fpga::Board load_board(const std::string& file_or_name) {
  return boards::load_board(boards_folder(), file_or_name);
}

fpga::Part load_part(const std::string& file_or_name) {
  const auto folder = configs() / "parts";
  const auto is_in = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), file_or_name) != names.end();
  };
  const bool is_part = is_in(settings_in(folder));
  if (!is_part && is_in(board_names()())) return fpga::Part::of_board(load_board(file_or_name));
  if (!is_part && !fs::exists(file_or_name)) {
    fail("{}: no such file, and no part or board of that name{}", file_or_name,
         did_you_mean(file_or_name, part_and_board_names()()));
  }
  return fpga::Part::load(find_settings(file_or_name, folder, "part"));
}

namespace {

std::vector<fpga::Board> all_boards() {
  std::vector<fpga::Board> boards;
  for (const std::string& name : settings_in(boards_folder())) boards.push_back(load_board(name));
  return boards;
}

// What an earlier `synth` found says of the configuration's clock, if there was one. A user without a cache has none.
std::optional<std::string> timing_warning(const isa::Config& config, const std::vector<fpga::Board>& boards) {
  const auto delays = fpga::delays_for(config, boards);
  if (!delays) return std::nullopt;
  try {
    const auto kept = fpga::kept_synthesis(config, delays->family, default_cache());
    if (kept && kept->timing) return fpga::clock_warning(config, *kept->timing, *delays);
  } catch (const Error&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> clock_warning(const isa::Config& config) {
  const std::vector<fpga::Board> boards = all_boards();
  auto warning = fpga::clock_warning(config, boards);
  return warning ? warning : timing_warning(config, boards);
}

void warn_of_clock(const isa::Config& config) {
  if (const auto warning = clock_warning(config)) print_error("warning: {}\n", *warning);
}

void warn_of_clock(double clock_mhz, const fpga::Board& board) {
  if (const auto warning = fpga::clock_warning(clock_mhz, board)) print_error("warning: {}\n", *warning);
}

isa::Config at_clock_of_timing(const isa::Config& config) {
  const auto delays = fpga::delays_for(config, all_boards());
  if (!delays) {
    fail(
        "--timing: no delays are known of the boards that TARGET {} names; leave it out, or compare a configuration "
        "for one of the family xc7",
        config.keys().target);
  }
  const fpga::Synthesis core = fpga::synthesize(config, delays->family, {default_cache(), false, build_progress()});
  Json keys = config.to_json();
  keys["CLOCK_MHZ"] = static_cast<int>(fpga::reached_mhz(core.timing.value(), *delays));
  return isa::Config::from_json(keys, config.name());
}

MemoryTiming load_memory(const std::string& file_or_name, int clock_mhz) {
  return MemoryTiming::load(find_settings(file_or_name, configs() / "memory", "memory setting"), clock_mhz);
}

void require_different(const std::vector<std::pair<std::string, std::string>>& options) {
  for (auto a = options.begin(); a != options.end(); ++a) {
    for (auto b = a + 1; b != options.end(); ++b) {
      if (a->second.empty() || b->second.empty()) continue;
      if (fs::weakly_canonical(fs::absolute(a->second)) == fs::weakly_canonical(fs::absolute(b->second))) {
        fail("{} and {} both name {}; give each its own", a->first, b->first, a->second);
      }
    }
  }
}

void require_distinct(const std::string& option, const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) fail("{} has an empty name between commas; leave it out", option);
    if (std::find(names.begin(), name, *name) != name) fail("{} has {} twice; leave one out", option, *name);
  }
}

namespace {

template <typename T>
CLI::Validator within(const char* what, T min, T max) {
  const auto check = [what, min, max](std::string& text) -> std::string {
    T value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool ok = error == std::errc() && end == text.data() + text.size() && value >= min && value <= max;
    return ok ? "" : fmt::format("'{}' is not a {} from {} to {}", text, what, min, max);
  };
  return {check, max == std::numeric_limits<T>::max() ? "" : fmt::format("{}..{}", min, max)};
}

}  // namespace

CLI::Validator whole_number(uint64_t min, uint64_t max) {
  return within("whole number", min, max);
}

CLI::Validator integer(int64_t min, int64_t max) {
  return within("whole number", min, max);
}

CLI::Validator number(double min, double max) {
  return within("number", min, max);
}

CLI::Validator not_empty() {
  return {[](std::string& text) -> std::string { return text.empty() ? "the value is empty" : ""; }, ""};
}

CLI::Option* MemoryOption::add_to(CLI::App& app, const std::string& what) {
  return app.add_option("--memory", text, what + ": a JSON file, or a name from configs/memory")
      ->type_name("NAME|FILE")
      ->check(such_as(memory_names()));
}

MemoryTiming MemoryOption::load(int clock_mhz) const {
  return given() ? load_memory(text, clock_mhz) : MemoryTiming{};
}

void TargetOptions::add_to(CLI::App& app, const std::string& also) {
  std::string kinds;
  for (const auto& kind : driver::accelerator_kinds()) {
    kinds += (kinds.empty() ? "" : ", ") + kind.scheme + ":" + kind.rest;
  }
  app.add_option("--target", uri, "device to run on: " + kinds + also)
      ->type_name("TARGET")
      ->check(such_as(target_names()))
      ->capture_default_str();
  memory.add_to(app, "memory of a target that has time")->default_str("m64");
  app.add_option("--trace", trace,
                 "record what happens inside: a timeline for ui.perfetto.dev (.json), or waves of rtl: (.fst)")
      ->type_name("FILE")
      ->check(not_empty());
  app.add_flag("--device-log", device_log, "print on standard error what the server of an rpc: target has to say");
  app.add_option("--vcd", vcd, "record queues, engines and the bus as waves (.vcd)")
      ->type_name("FILE")
      ->check(not_empty());
}

std::unique_ptr<driver::Accelerator> TargetOptions::open(const isa::Config& config,
                                                         std::function<void(const sim::RecordedRun&)> observer) const {
  driver::AcceleratorOptions options;
  options.observer = std::move(observer);
  if (memory.given()) options.memory = memory.load(config.clock_mhz());
  if (device_log && !is_remote()) fail("--device-log: target '{}' is no server's device; leave it out", uri);
  if (!trace.empty()) {
    require_new_file(trace);
    options.trace = trace;
  }
  if (!vcd.empty()) {
    require_new_file(vcd);
    options.vcd = vcd;
  }
  options.boards = boards_folder();
  options.progress = build_progress();
  options.log = log();
  return driver::open_accelerator(uri, config, options);
}

std::function<void(const std::string&)> TargetOptions::log() const {
  if (!device_log) return nullptr;
  return [](const std::string& line) { print_error("device: {}\n", one_line(line)); };
}

std::optional<MemoryTiming> TargetOptions::memory_setting(const isa::Config& config) const {
  const driver::AcceleratorKind* kind = driver::accelerator_kind_of(uri);
  if (kind == nullptr || !kind->has_memory) return std::nullopt;
  if (memory.given()) return memory.load(config.clock_mhz());
  if (!kind->rest.empty()) return std::nullopt;  // far away
  return MemoryTiming{};
}

std::string TargetOptions::memory_name(const isa::Config& config) const {
  const driver::AcceleratorKind* kind = driver::accelerator_kind_of(uri);
  if (kind == nullptr || !kind->has_memory) return "";
  const auto setting = memory_setting(config);
  return setting ? setting->name : "of the server's choice";
}

void add_json_flag(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "print one JSON object instead of text (docs/json.md)");
}

}  // namespace vantage::cli
