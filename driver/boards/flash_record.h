// What is in the FPGA, as the one who put it there noted: a core from elsewhere cannot say so itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "driver/boards/system.h"
#include "hw/isa/config.h"

namespace vantage::boards {

struct FlashRecord {
  std::string name;   // of the bitstream
  std::string board;  // its description's name
  isa::Config config = isa::Config::vta_default();
  std::string register_map;  // a name in configs/boards/register_maps
  std::string sha256;        // of the .bit file; empty: not known
  double clock_mhz = 0;      // that it has

  Json to_json() const;
  // Throws Error, beginning with `source`.
  static FlashRecord from_json(const Json& json, std::string_view source);
};

// Of what was flashed since the board was started: the file lies where a restart forgets it, as the FPGA does. None
// when nothing was. Throws Error for a file that is no record.
std::optional<FlashRecord> read_flash_record(System& system);
void write_flash_record(System& system, const FlashRecord& record);
// Nothing is known any longer. Throws Error.
void forget_flash_record(System& system);

}  // namespace vantage::boards
