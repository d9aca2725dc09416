// A bitstream with what is known of it.
#pragma once

#include <optional>
#include <string>

#include "base/units.h"
#include "driver/boards/bit_file.h"
#include "hw/isa/config.h"

namespace vantage::boards {

// Larger files are no bitstreams of any board here.
inline constexpr Bytes kLargestBitFile{uint64_t{64} << 20};

// The fastest clock that anything here may be told to have.
inline constexpr double kMostMegahertz = 1000;

struct Bitstream {
  std::string name;      // in the manifest, or the file's
  std::string contents;  // of the .bit file
  BitFile file;          // the same, parsed
  std::string sha256;
  std::string configuration;          // its string; empty: not known
  std::optional<isa::Config> config;  // all of it; none: not known
  std::string register_map = "vantage";
  double clock_mhz = 0;   // that it was made for; 0: not known
  bool verified = false;  // its hash is one that the manifest, or a build on this machine, gave
};

// From the bytes of a .bit file. Throws Error like parse_bit_file.
Bitstream make_bitstream(std::string name, std::string contents);

}  // namespace vantage::boards
