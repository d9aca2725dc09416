// Whether the bytes of a .bit file are what a manifest promises.
//
// A bitstream is verified when its SHA-256 is the entry's, which is the manifest's or that of what was built here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/boards/bitstream.h"
#include "driver/boards/bitstream_entry.h"

namespace vantage::boards {

enum class BitstreamState {
  kAbsent,      // not on this machine
  kVerified,    // it is what the entry says
  kUnverified,  // it is a bitstream for its part, but no hash says which
  kDamaged,     // it is not what it should be
};
std::string_view name(BitstreamState state);  // "absent", "verified", ...

struct BitstreamCheck {
  BitstreamState state;
  std::string text;  // what is wrong; empty when it is verified
  // The bytes that were looked at, with all that the entry says of them: of those that are verified or unverified.
  std::optional<Bitstream> bitstream;
};

// `contents`: of a .bit file.
BitstreamCheck verify_bitstream(const BitstreamEntry& entry, std::string contents);

}  // namespace vantage::boards
