// How a core's registers are used, as data (configs/boards/register_maps/*.json): where they lie, what is written to
// start a run, what shows that it has ended.
//
// The file is an object: `name` and `meaning` are texts that say what it is, and both are required; `registers` is
// "core" for the ones of hw/isa/register_map.h, or an object of names and offsets; `bytes` is the size of their window.
// `start`, `clear`, `interrupt` and `abort` are lists of writes [register, value], in order; a value is a number or one
// of insn_address, insn_count and memory_last. `idle`, `done` and `error` are conditions [register, bits]: all these
// bits are 1. `idle`, `error`, `clear`, `interrupt` and `abort` may be left out; `abort` needs `idle`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/units.h"

namespace vantage::boards {

struct RunProtocol {
  // What a run gives to a write.
  enum class Symbol { kInsnAddress, kInsnCount, kMemoryLast };
  struct Write {
    uint32_t offset;
    std::variant<uint32_t, Symbol> value;
  };
  struct Condition {
    uint32_t offset;
    uint32_t bits;
    bool holds(uint32_t value) const { return (value & bits) == bits; }
  };

  std::string name;
  std::string meaning;
  std::map<std::string, uint32_t> registers;  // offset by name, multiples of 4 below `bytes`
  Bytes bytes;                                // of the window
  // The core has hw/isa/register_map.h: it says what it is, checks what it runs, and counts.
  bool is_core = false;

  std::vector<Write> start;        // begins a run
  Condition done{};                // the run ended well
  std::optional<Condition> error;  // ... or not
  std::optional<Condition> idle;   // nothing runs
  std::vector<Write> clear;        // done and error are taken back
  std::vector<Write> interrupt;    // from then on, done and error raise it; empty: it never comes
  std::vector<Write> abort;        // ends a run that is under way; empty: it must end by itself

  // Each throws Error naming `source`, the key, the value and what would be right.
  static RunProtocol load(const std::filesystem::path& path);
  static RunProtocol parse(std::string_view json_text, std::string_view source);
};

}  // namespace vantage::boards
