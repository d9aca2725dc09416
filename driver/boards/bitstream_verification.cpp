#include "driver/boards/bitstream_verification.h"

#include <utility>

#include "base/error.h"

namespace vantage::boards {

namespace {

// What is wrong with it; empty: nothing that the entry could tell.
std::string mismatch(const BitstreamEntry& entry, const Bitstream& bitstream) {
  if (entry.sha256 && *entry.sha256 != bitstream.sha256) {
    return fmt::format("its SHA-256 is {}, expected {}", bitstream.sha256, *entry.sha256);
  }
  if (entry.bytes && entry.bytes->count() != bitstream.contents.size()) {
    return fmt::format("it has {} bytes, expected {}", bitstream.contents.size(), entry.bytes->count());
  }
  if (!same_part(bitstream.file.part, entry.part)) {
    return fmt::format("it is for part {}, expected {}", bitstream.file.part, entry.part);
  }
  return {};
}

}  // namespace

std::string_view name(BitstreamState state) {
  switch (state) {
    case BitstreamState::kAbsent: return "absent";
    case BitstreamState::kVerified: return "verified";
    case BitstreamState::kUnverified: return "unverified";
    case BitstreamState::kDamaged: return "damaged";
  }
  return "?";
}

BitstreamCheck verify_bitstream(const BitstreamEntry& entry, std::string contents) {
  try {
    Bitstream bitstream = make_bitstream(entry.name, std::move(contents));
    if (const std::string wrong = mismatch(entry, bitstream); !wrong.empty()) {
      return {BitstreamState::kDamaged, wrong, {}};
    }
    bitstream.configuration = entry.configuration;
    bitstream.config = entry.config;
    bitstream.register_map = entry.register_map;
    bitstream.clock_mhz = entry.clock_mhz;
    bitstream.verified = entry.sha256.has_value();
    if (bitstream.verified) return {BitstreamState::kVerified, "", std::move(bitstream)};
    std::string text = fmt::format("the manifest has no hash to compare with; it is {}", bitstream.sha256);
    return {BitstreamState::kUnverified, std::move(text), std::move(bitstream)};
  } catch (const Error& error) {
    return {BitstreamState::kDamaged, error.what(), {}};
  }
}

}  // namespace vantage::boards
