// The core's AXI4-Lite registers. The one table: the RTL's package, the documentation, simulators and board drivers
// are generated from it or read it. 32-bit words; a 64-bit register is two, low word first.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace vantage::isa {

enum class Access : uint8_t { kRead, kWrite, kReadWrite };
std::string_view name(Access access);  // "RO", "WO", "RW"

struct Register {
  std::string_view name;
  uint32_t offset;  // bytes
  uint8_t bits;     // 32 or 64; of the latter, the high word is the one that went with the low word read last
  Access access;
  std::string_view meaning;
};

// What the core counts, in the order in which it hands its counters to the registers. Cleared when a run starts.
struct HardwareCounter {
  std::string_view name;
  std::string_view meaning;
};

// A bit that means something by itself.
struct RegisterBit {
  std::string_view reg;
  std::string_view name;
  uint8_t bit;
  std::string_view meaning;

  constexpr uint32_t mask() const { return uint32_t{1} << bit; }
};

inline constexpr RegisterBit kControlStart = {"CONTROL", "START", 0,
                                              "write 1 to start a run; ignored while one is under way"};
inline constexpr RegisterBit kControlAbort = {
    "CONTROL", "ABORT", 1,
    "write 1 to end the run that is under way, once the memory has answered what was asked of it"};
inline constexpr RegisterBit kStatusIdle = {"STATUS", "IDLE", 0, "no run is under way"};
inline constexpr RegisterBit kStatusRunning = {"STATUS", "RUNNING", 1, "a run is under way"};
inline constexpr RegisterBit kStatusDone = {
    "STATUS", "DONE", 2, "the last run has ended well; until the next start or until a 1 is written here"};
inline constexpr RegisterBit kStatusError = {
    "STATUS", "ERROR", 3, "the last run has failed; until the next start or until a 1 is written here"};
inline constexpr RegisterBit kIrqEnableEnd = {"IRQ_ENABLE", "END", 0,
                                              "raise the interrupt while DONE or ERROR of STATUS is set"};
inline constexpr std::array kRegisterBits = {kControlStart, kControlAbort, kStatusIdle,  kStatusRunning,
                                             kStatusDone,   kStatusError,  kIrqEnableEnd};

inline constexpr uint32_t kVersion = 0x56540002;  // "VT", interface 2

// Bits of a byte address in the memory that the core's port reaches, and in its registers' window.
inline constexpr int kAddressBits = 32;
inline constexpr int kRegisterAddressBits = 12;
// All that such an address names.
inline constexpr Bytes kAddressSpace{uint64_t{1} << kAddressBits};

inline constexpr std::array kControlRegisters = {
    Register{"CONTROL", 0x00, 32, Access::kWrite, "starts a run or ends it, by bits"},
    Register{"STATUS", 0x04, 32, Access::kReadWrite, "what the core does and how the last run ended, in bits"},
    Register{"VERSION", 0x08, 32, Access::kRead, "0x5654 in the upper half, the interface's version in the lower"},
    Register{"IRQ_ENABLE", 0x0c, 32, Access::kReadWrite, "when the interrupt is raised, in bits"},
    Register{"CONFIG_HASH", 0x10, 64, Access::kRead, "the hash of the configuration that the core was built for"},
    Register{"INSN_COUNT", 0x18, 32, Access::kReadWrite, "instructions of the program"},
    Register{"INSN_ADDRESS", 0x1c, 32, Access::kReadWrite, "byte address of the first, a multiple of 16"},
    Register{
        "MEMORY_LAST", 0x30, 32, Access::kReadWrite,
        "address of the last byte that loads and stores of runs started from now on may touch; 0xffffffff after reset"},
    Register{
        "WATCHDOG", 0x34, 32, Access::kReadWrite,
        "cycles that a run started from now on may take at most, else it ends with an error; 0, as after reset: any"},
    Register{"ERROR_CAUSE", 0x20, 32, Access::kRead, "why the last run failed; 0 when it did not"},
    Register{"ERROR_INSN", 0x24, 32, Access::kRead, "index of the instruction that failed, for causes that have one"},
    Register{"FREE_CYCLES", 0x28, 64, Access::kRead, "cycles since reset"},
};

inline constexpr uint32_t kCounterBase = 0x80;  // counter i is the 64-bit register at kCounterBase + 8 * i

inline constexpr std::array kHardwareCounters = {
    HardwareCounter{"CYCLES", "cycles from the start of the run to its end"},
    HardwareCounter{"LOAD_BUSY", "cycles in which the load stage wrote a beat or a zero element"},
    HardwareCounter{"LOAD_TOKEN_WAIT", "cycles in which the load stage did nothing but wait for a token"},
    HardwareCounter{"LOAD_MEMORY_WAIT", "cycles in which the load stage did nothing but wait for memory"},
    HardwareCounter{"COMPUTE_BUSY",
                    "cycles in which the GEMM core or the ALU was under way, or a load of the compute stage wrote"},
    HardwareCounter{"COMPUTE_TOKEN_WAIT", "cycles in which the compute stage did nothing but wait for tokens"},
    HardwareCounter{"COMPUTE_MEMORY_WAIT", "cycles in which the compute stage did nothing but wait for memory"},
    HardwareCounter{"STORE_BUSY", "cycles in which the store stage sent a beat"},
    HardwareCounter{"STORE_TOKEN_WAIT", "cycles in which the store stage did nothing but wait for a token"},
    HardwareCounter{"STORE_MEMORY_WAIT", "cycles in which the store stage did nothing but wait for memory"},
    HardwareCounter{"INP_LOAD_NBYTES", "bytes of DRAM loaded as inputs"},
    HardwareCounter{"WGT_LOAD_NBYTES", "bytes of DRAM loaded as weights"},
    HardwareCounter{"ACC_LOAD_NBYTES", "bytes of DRAM loaded as accumulators, 32- and 8-bit"},
    HardwareCounter{"UOP_LOAD_NBYTES", "bytes of DRAM loaded as micro-ops"},
    HardwareCounter{"OUT_STORE_NBYTES", "bytes stored"},
    HardwareCounter{"GEMM_COUNTER", "GEMM steps, resets not counted"},
    HardwareCounter{"ALU_COUNTER", "ALU steps"},
    HardwareCounter{"INSN_LOAD_NBYTES", "bytes of instructions fetched"},
};

// Counters are this wide; at 100 MHz they wrap after a month.
inline constexpr int kCounterBits = 48;

// What ERROR_CAUSE holds.
enum class ErrorCause : uint8_t {
  kNone = 0,
  kDecode = 1,      // unknown opcode, memory type or ALU opcode
  kNoFinish = 2,    // no FINISH among the first INSN_COUNT instructions
  kIllegal = 3,     // docs/isa.md refuses the instruction
  kDeadlock = 4,    // every stage waits for a token that nobody pushes
  kReadError = 5,   // the memory answered a read with an error
  kWriteError = 6,  // the memory answered a write with an error
  kAborted = 7,     // ABORT was written to CONTROL
  kTimedOut = 8,    // the run took more cycles than WATCHDOG allows
};
struct ErrorCauseInfo {
  ErrorCause cause;
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array kErrorCauses = {
    ErrorCauseInfo{ErrorCause::kNone, "NONE", "no error"},
    ErrorCauseInfo{ErrorCause::kDecode, "DECODE", "unknown opcode, memory type or ALU opcode"},
    ErrorCauseInfo{ErrorCause::kNoFinish, "NO_FINISH", "no FINISH among the first INSN_COUNT instructions"},
    ErrorCauseInfo{ErrorCause::kIllegal, "ILLEGAL", "an instruction that docs/isa.md refuses"},
    ErrorCauseInfo{ErrorCause::kDeadlock, "DEADLOCK", "every stage waits for a token that nobody pushes"},
    ErrorCauseInfo{ErrorCause::kReadError, "READ_ERROR", "the memory answered a read with an error"},
    ErrorCauseInfo{ErrorCause::kWriteError, "WRITE_ERROR", "the memory answered a write with an error"},
    ErrorCauseInfo{ErrorCause::kAborted, "ABORTED", "ABORT was written to CONTROL"},
    ErrorCauseInfo{ErrorCause::kTimedOut, "TIMED_OUT", "the run took more cycles than WATCHDOG allows"},
};

// Every register, counters included, by offset.
std::vector<Register> all_registers();

// Those, the bits and the causes of errors as the Markdown tables of docs/hardware.md.
std::string register_tables();

// The register that holds a counter as simulators name it: "gemm_counter" -> "GEMM_COUNTER".
std::string register_name(std::string_view counter);

// The register of this name, and its offset. REQUIRES: there is one.
Register find_register(std::string_view name);
uint32_t register_offset(std::string_view name);

}  // namespace vantage::isa
