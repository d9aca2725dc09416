// What a compiler makes and a device runs: instructions, micro-ops, a table of named tensors, and relocations that
// tie instructions to tensors. It is data: it can be saved, disassembled, verified and sent to a board. File format:
// docs/program-format.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage {

enum class TensorRole : uint8_t {
  kInput,   // written by the host before a launch
  kOutput,  // read by the host after it
};
std::string_view name(TensorRole role);
std::optional<TensorRole> tensor_role_from_name(std::string_view text);

// A named region of DRAM that the host supplies at launch.
struct ProgramTensor {
  std::string name;    // [A-Za-z_][A-Za-z0-9_.]*, unique in the program, not "uops"
  isa::Memory memory;  // the element it is counted in
  uint32_t elements;   // its size
  TensorRole role;
  bool operator==(const ProgramTensor&) const = default;
};

// dram_base of instruction `insn` is counted from the start of `symbol`: a tensor's index, or the micro-ops.
struct Relocation {
  static constexpr uint32_t kMicroOps = UINT32_MAX;
  uint32_t insn;
  uint32_t symbol;
  bool operator==(const Relocation&) const = default;
};

struct Program {
  isa::Config config;
  std::vector<isa::Insn> insns;
  std::vector<isa::MicroOp> uops;
  std::vector<ProgramTensor> tensors;
  std::vector<Relocation> relocations;  // by ascending insn, at most one each; the others are absolute

  bool operator==(const Program&) const = default;

  // The tensor of this name; throws Error that lists the names there are.
  uint32_t tensor_index(std::string_view name) const;
  // Size in bytes of what a relocation's symbol names.
  Bytes symbol_size(uint32_t symbol) const;
  std::string_view symbol_name(uint32_t symbol) const;
  // What its loads and stores move over the bus.
  Bytes moved() const;
};

inline constexpr std::string_view kMicroOpSymbol = "uops";
// Why a text cannot name a tensor; none where it can.
std::optional<std::string> fault_of_tensor_name(std::string_view text);

// Throws Error, beginning with `source`, when tables contradict each other: names that are malformed or appear twice,
// relocations out of order or of something that is neither LOAD nor STORE, a symbol that does not exist, a field that
// its instruction cannot hold.
void check_tables(const Program& program, std::string_view source);
// The same but for the fields, which those of decoded instructions can hold. Throws Stopped (base/stop.h), too.
void check_symbols(const Program& program, std::string_view source, const std::stop_token& stop = {});

// Of a file that is whole, but has bits that are no instruction.
class NoInstruction : public Error {
 public:
  NoInstruction(std::string_view source, size_t insn, const std::string& fault)
      : Error(fmt::format("{}: instruction {}: {}", source, insn, fault)), insn_(insn) {}
  size_t insn() const { return insn_; }

 private:
  size_t insn_;
};

// The file's bytes; parse_program(serialize(p)) == p.
std::string serialize(const Program& program);
// Throws Error on malformed bytes, naming `source`, NoInstruction among others, and Stopped when told to stop. Takes
// time in proportion to the bytes, and memory for little more than the program.
Program parse_program(std::string_view bytes, std::string_view source, const std::stop_token& stop = {});
// True if the bytes begin as a program file does.
bool is_program_file(std::string_view bytes);

}  // namespace vantage
