#include "hw/isa/config.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/math.h"
#include "hw/isa/layout.h"

namespace vantage::isa {

using isa::Memory;

const std::vector<ConfigKey>& config_keys() {
  using K = ConfigKeys;
  static const std::vector<ConfigKey> kKeys = {
      {"TARGET",
       nullptr,
       &K::target,
       0,
       0,
       0,
       true,
       "where it runs: sim, tsim or a board",
       "",
       {"sim", "tsim", "pynq", "ultra96", "zcu104", "de10nano", "intelfocl"}},
      {"HW_VER", nullptr, &K::hw_ver, 0, 0, 0, true, "VTA's hardware version", "", {"0.0.1", "0.0.2"}},
      {"LOG_INP_WIDTH", &K::log_inp_width, nullptr, 3, 0, 4, true, "log2 of the bits of an input element", "bits"},
      {"LOG_WGT_WIDTH", &K::log_wgt_width, nullptr, 3, 0, 4, true, "log2 of the bits of a weight element", "bits"},
      {"LOG_ACC_WIDTH", &K::log_acc_width, nullptr, 5, 4, 5, true, "log2 of the bits of an accumulator element",
       "bits"},
      {"LOG_BATCH", &K::log_batch, nullptr, 0, 0, 8, true, "log2 of the rows of the GEMM tile", "rows"},
      {"LOG_BLOCK", &K::log_block, nullptr, 4, 0, 8, true, "log2 of the GEMM tile's depth and columns", "lanes"},
      {"LOG_UOP_BUFF_SIZE", &K::log_uop_buff_size, nullptr, 15, 2, 24, true, "log2 of the micro-op scratchpad in bytes",
       "bytes"},
      {"LOG_INP_BUFF_SIZE", &K::log_inp_buff_size, nullptr, 15, 0, 24, true, "log2 of the input scratchpad in bytes",
       "bytes"},
      {"LOG_WGT_BUFF_SIZE", &K::log_wgt_buff_size, nullptr, 18, 0, 24, true, "log2 of the weight scratchpad in bytes",
       "bytes"},
      {"LOG_ACC_BUFF_SIZE", &K::log_acc_buff_size, nullptr, 17, 0, 24, true,
       "log2 of the accumulator scratchpad in bytes", "bytes"},
      {"LOG_BLOCK_IN", &K::log_block_in, nullptr, 4, 0, 8, false, "log2 of the tile's depth; default LOG_BLOCK",
       "lanes"},
      {"LOG_BLOCK_OUT", &K::log_block_out, nullptr, 4, 0, 8, false, "log2 of the tile's columns; default LOG_BLOCK",
       "lanes"},
      {"LOG_BUS_WIDTH", &K::log_bus_width, nullptr, 6, 6, kMaxLogBusWidth, false,
       "log2 of the memory bus's data bits; default 6", "bits"},
      {"CLOCK_MHZ", &K::clock_mhz, nullptr, 100, 1, 5000, false, "clock frequency in MHz; default 100", ""},
  };
  return kKeys;
}

Config Config::load(const std::filesystem::path& path) {
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(path, kLimit), path.string());
}

Config Config::parse(std::string_view json_text, std::string_view source) {
  return from_json(parse_json(json_text, source), source);
}

Config Config::vta_default() {
  ConfigKeys keys{};
  for (const ConfigKey& key : config_keys()) {
    if (key.number != nullptr) keys.*key.number = key.vta_default;
  }
  keys.target = "sim";
  keys.hw_ver = "0.0.2";
  return Config(std::move(keys));
}

Json Config::to_json() const {
  Json json = Json::object();
  for (const ConfigKey& key : config_keys()) {
    if (key.text != nullptr) {
      json[key.name] = keys_.*key.text;
    } else {
      json[key.name] = keys_.*key.number;
    }
  }
  return json;
}

int Config::lane_bits(Memory memory) const {
  switch (memory) {
    case Memory::kUop: return kMicroOpBits;
    case Memory::kWgt: return wgt_bits();
    case Memory::kInp: return inp_bits();
    case Memory::kAcc: return acc_bits();
    case Memory::kOut: return out_bits();
    case Memory::kAcc8: return 8;
  }
  VANTAGE_CHECK(false);
  return 0;
}

Bytes Config::element_size(Memory memory) const {
  uint64_t lanes = 0;
  switch (memory) {
    case Memory::kUop: lanes = 1; break;
    case Memory::kWgt: lanes = static_cast<uint64_t>(block_out()) * block_in(); break;
    case Memory::kInp: lanes = static_cast<uint64_t>(batch()) * block_in(); break;
    case Memory::kAcc:
    case Memory::kOut:
    case Memory::kAcc8: lanes = static_cast<uint64_t>(batch()) * block_out(); break;
  }
  return Bytes(lanes * static_cast<uint64_t>(lane_bits(memory)) / 8);
}

Bytes Config::scratchpad_size(Memory memory) const {
  const auto power = [](int log) { return Bytes(uint64_t{1} << log); };
  switch (memory) {
    case Memory::kUop: return power(keys_.log_uop_buff_size);
    case Memory::kWgt: return power(keys_.log_wgt_buff_size);
    case Memory::kInp: return power(keys_.log_inp_buff_size);
    case Memory::kAcc:
    case Memory::kAcc8: return power(keys_.log_acc_buff_size);
    case Memory::kOut: return power(keys_.log_acc_buff_size + keys_.log_inp_width - keys_.log_acc_width);
  }
  VANTAGE_CHECK(false);
  return {};
}

Elements Config::depth(Memory memory) const {
  const Memory stored_as = memory == Memory::kAcc8 ? Memory::kAcc : memory;
  return Elements(scratchpad_size(stored_as) / element_size(stored_as));
}

int Config::index_bits(Memory memory) const {
  return log2_ceil(depth(memory).count());
}

std::string Config::name() const {
  const std::string block =
      block_in() == block_out() ? fmt::format("{}", block_in()) : fmt::format("{}x{}", block_in(), block_out());
  return fmt::format("{}x{}_i{}w{}a{}_{}_{}_{}_{}", batch(), block, inp_bits(), wgt_bits(), acc_bits(),
                     keys_.log_uop_buff_size, keys_.log_inp_buff_size, keys_.log_wgt_buff_size,
                     keys_.log_acc_buff_size);
}

bool ConfigKey::is_hardware() const {
  return number != nullptr && name != "CLOCK_MHZ" && name != "LOG_BLOCK";
}

std::string hardware_difference(const Config& one, const Config& other) {
  for (const ConfigKey& key : config_keys()) {
    if (!key.is_hardware()) continue;
    const int a = one.keys().*key.number, b = other.keys().*key.number;
    if (a != b) return fmt::format("{} is {}, not {}", key.name, a, b);
  }
  return "";
}

std::string difference(const Config& one, const Config& other) {
  const Json a = one.to_json(), b = other.to_json();
  for (const auto& [key, value] : a.items()) {
    if (!b.contains(key)) return fmt::format("{} is {}, not left out", key, value.dump());
    if (b.at(key) != value) return fmt::format("{} is {}, not {}", key, value.dump(), b.at(key).dump());
  }
  for (const auto& [key, value] : b.items()) {
    if (!a.contains(key)) return fmt::format("{} is left out, not {}", key, value.dump());
  }
  return "";
}

}  // namespace vantage::isa
