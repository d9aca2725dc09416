// An accelerator's configuration: VTA's own JSON keys, validated. A Config is an immutable value that only parsing
// makes, so holding one means that it is sound: every element fits its scratchpad, every instruction fits 128 bits
// and every micro-op fits 32. All numbers are runtime values. Source of every formula: docs/isa.md section 1.
//
// Thread safety: const access from any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/units.h"
#include "hw/isa/memory_type.h"

namespace vantage::isa {

// The values as written in JSON, all base-2 logarithms except CLOCK_MHZ and the strings. Not yet validated.
struct ConfigKeys {
  std::string target;
  std::string hw_ver;
  int log_inp_width;
  int log_wgt_width;
  int log_acc_width;
  int log_batch;
  int log_block;
  int log_block_in;
  int log_block_out;
  int log_uop_buff_size;
  int log_inp_buff_size;
  int log_wgt_buff_size;
  int log_acc_buff_size;
  int log_bus_width;
  int clock_mhz;

  bool operator==(const ConfigKeys&) const = default;
};

// One row of the table of keys: the only place where a key, its default and its range are written.
struct ConfigKey {
  std::string name;
  int ConfigKeys::*number;        // null for the two strings
  std::string ConfigKeys::*text;  // null for numbers
  int vta_default;                // the value in VTA's default configuration
  int min, max;                   // inclusive
  bool required;                  // the optional ones have documented defaults
  std::string meaning;            // one line, for --help, messages and docs
  std::string unit;               // what 2 to the power of the value counts; empty for values that are no logarithms
  std::vector<std::string_view> known = {};  // of strings, all that there are

  // Whether a core depends on it. LOG_BLOCK only says the same as the keys of both sides of a tile.
  bool is_hardware() const;
};
const std::vector<ConfigKey>& config_keys();

// The widest beat of the memory bus: what buffers that serve every configuration have room for.
inline constexpr int kMaxLogBusWidth = 9;
inline constexpr Bytes kMaxBeat{(uint64_t{1} << kMaxLogBusWidth) / 8};

class Config {
 public:
  // Each throws Error naming `source`, the key, the value and what would be right.
  static Config load(const std::filesystem::path& path);
  static Config parse(std::string_view json_text, std::string_view source);
  static Config from_json(const Json& json, std::string_view source);

  // Of values that are there already. REQUIRES: each is in its range (config_keys()), and the two keys of a tile's
  // depth agree.
  static Config from_keys(ConfigKeys keys, std::string_view source);

  // VTA's default configuration, 1x16_i8w8a32_15_15_18_17.
  static Config vta_default();

  // Every key with its value, optional ones included; from_json(to_json()) gives an equal Config.
  Json to_json() const;

  const ConfigKeys& keys() const { return keys_; }

  int inp_bits() const { return 1 << keys_.log_inp_width; }
  int wgt_bits() const { return 1 << keys_.log_wgt_width; }
  int acc_bits() const { return 1 << keys_.log_acc_width; }
  int out_bits() const { return inp_bits(); }
  // Of a lane in DRAM of an element of `memory`.
  int lane_bits(Memory memory) const;
  int batch() const { return 1 << keys_.log_batch; }                                   // rows of the GEMM tile
  int block_in() const { return 1 << keys_.log_block_in; }                             // its depth (the reduction)
  int block_out() const { return 1 << keys_.log_block_out; }                           // its columns
  Bytes bus_width() const { return Bytes(uint64_t{1} << (keys_.log_bus_width - 3)); }  // per beat and direction
  int clock_mhz() const { return keys_.clock_mhz; }

  // Size in DRAM of one element of `memory` (an 8-bit lane each for ACC8).
  Bytes element_size(isa::Memory memory) const;
  // Number of elements that the scratchpad behind `memory` holds (ACC, ACC8 and OUT share one).
  Elements depth(isa::Memory memory) const;
  // Size of that scratchpad in bytes.
  Bytes scratchpad_size(isa::Memory memory) const;
  // log2 of the depth: the width of an index into that scratchpad.
  int index_bits(isa::Memory memory) const;

  // The configuration string, also the bitstream's name: 1x16_i8w8a32_15_15_18_17. A tile that is not square
  // spells both sides: 1x16x32_... (BATCH x BLOCK_IN x BLOCK_OUT).
  std::string name() const;

  bool operator==(const Config& other) const { return keys_ == other.keys_; }

 private:
  explicit Config(ConfigKeys keys) : keys_(std::move(keys)) {}
  void validate(std::string_view source) const;

  ConfigKeys keys_;
};

// The first key in which two differ, "CLOCK_MHZ is 100, not 142"; empty where they are the same.
std::string difference(const Config& one, const Config& other);
// The same of those keys that the core itself depends on: not TARGET, HW_VER and CLOCK_MHZ.
std::string hardware_difference(const Config& one, const Config& other);

}  // namespace vantage::isa
