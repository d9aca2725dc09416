// The memory types of isa.md section 2: which scratchpad a LOAD or STORE addresses and in which element.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vantage::isa {

enum class Memory : uint8_t {
  kUop = 0,
  kWgt = 1,
  kInp = 2,
  kAcc = 3,
  kOut = 4,   // the accumulator scratchpad seen through the store stage: lanes cut to OUT_WIDTH
  kAcc8 = 5,  // the accumulator scratchpad, loaded from 8-bit lanes in DRAM
};

inline constexpr std::array kAllMemories = {Memory::kUop, Memory::kWgt, Memory::kInp,
                                            Memory::kAcc, Memory::kOut, Memory::kAcc8};

// The lower-case name used in assembly, program files and messages ("uop", "acc8").
std::string_view name(Memory memory);
// All of them for a message, each with `prefix` before it: "uop, wgt, inp, acc, out or acc8".
std::string memory_names(std::string_view prefix = {});
std::optional<Memory> memory_from_name(std::string_view text);

}  // namespace vantage::isa
