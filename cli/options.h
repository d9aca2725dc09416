// Options that several subcommands share.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/device/accelerator.h"
#include "hw/fpga/board.h"
#include "hw/fpga/part.h"
#include "hw/isa/config.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace vantage::cli {

// --config: a JSON file, or the name of one in configs/accelerators.
struct ConfigOption {
  std::string text;

  // What is returned is for commands to which no configuration means something else than VTA's default.
  CLI::Option* add_to(CLI::App& app);
  bool given() const { return !text.empty(); }
  // VTA's default configuration when the option was not given.
  isa::Config load() const;
};

// A configuration by file or by name; throws Error that suggests a near name.
std::filesystem::path config_file(const std::string& file_or_name);
isa::Config load_config(const std::string& file_or_name);

// --memory.
struct MemoryOption {
  std::string text;  // a JSON file, or a name from configs/memory

  // `what` says whose memory it is, or what for.
  CLI::Option* add_to(CLI::App& app, const std::string& what);
  bool given() const { return !text.empty(); }
  // M64 when the option was not given.
  MemoryTiming load(int clock_mhz) const;
};

// --target, --memory, --trace, --vcd and --device-log: a device and what it is told.
struct TargetOptions {
  explicit TargetOptions(std::string default_uri) : uri(std::move(default_uri)) {}

  std::string uri;
  MemoryOption memory;
  std::string trace, vcd;
  bool device_log = false;

  // `also`: what else the command takes for a target, at the end of the option's line.
  void add_to(CLI::App& app, const std::string& also = {});
  // Opens the device, with a line of progress on a terminal when that takes long.
  // `observer`: AcceleratorOptions::observer.
  std::unique_ptr<driver::Accelerator> open(const isa::Config& config,
                                            std::function<void(const sim::RecordedRun&)> observer = nullptr) const;

  bool is_remote() const { return uri.starts_with("rpc:") || uri.starts_with("rpcs:"); }

  // What a server's lines go to: standard error with --device-log, else nothing.
  std::function<void(const std::string&)> log() const;

  // The memory that the device is opened with, given or its default; nothing where it takes none, or a server chooses.
  std::optional<MemoryTiming> memory_setting(const isa::Config& config) const;
  // Its name, for reports; empty where the device takes none.
  std::string memory_name(const isa::Config& config) const;
};

// Where the project's boards are described.
std::filesystem::path boards_folder();

// A board by file or by name; throws Error that suggests a near name.
fpga::Board load_board(const std::string& file_or_name);
// A part by file or by name, or that of a board by its name.
fpga::Part load_part(const std::string& file_or_name);

// Says on stderr that a configuration's clock is one that no board has, or more than static timing gave of it, where
// the cache has that.
void warn_of_clock(const isa::Config& config);
// The same, for a board that is known; as it is said, if it is.
void warn_of_clock(double clock_mhz, const fpga::Board& board);
// What warn_of_clock() says.
std::optional<std::string> clock_warning(const isa::Config& config);

// The configuration at the clock that static timing allows its core on the boards that it is for, in whole MHz,
// rounded down. Synthesizes it, with progress, where the cache has no result. Throws Error where no delays of such a
// board's family are known.
isa::Config at_clock_of_timing(const isa::Config& config);

// Memory settings by file or by name, as a core at this clock sees them; throws Error that suggests a near name.
MemoryTiming load_memory(const std::string& file_or_name, int clock_mhz);

// Options that name what a command writes: throws Error when two of them that were given name the same.
void require_different(const std::vector<std::pair<std::string, std::string>>& options);

// Throws Error where a list of names has one twice, or an empty one.
void require_distinct(const std::string& option, const std::vector<std::string>& names);

// A check for options that take a whole number: digits only, in [min, max]. (The argument parser alone would let -1
// become a very large number.)
CLI::Validator whole_number(uint64_t min, uint64_t max);

// The same for one that may be negative.
CLI::Validator integer(int64_t min, int64_t max);

// The same for one that takes any number.
CLI::Validator number(double min, double max);

// A check that the option's value is not empty, as an unset shell variable would make it.
CLI::Validator not_empty();

// --json
void add_json_flag(CLI::App& app, bool& json);

}  // namespace vantage::cli
