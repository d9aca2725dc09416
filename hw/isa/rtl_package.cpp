#include "hw/isa/rtl_package.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <functional>
#include <utility>

#include "base/hash.h"
#include "base/math.h"
#include "hw/isa/codec.h"
#include "hw/isa/layout.h"
#include "hw/isa/register_map.h"
#include "hw/isa/scratchpad_ports.h"
#include "hw/isa/timing.h"

namespace vantage::isa {

namespace {

using F = FieldId;
using isa::Memory;

// "dst_factor_out" -> "DstFactorOut", "INSN_COUNT" -> "InsnCount": lowRISC's case for constants.
std::string camel(std::string_view name) {
  std::string out;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    out += static_cast<char>(upper ? std::toupper(c) : std::tolower(c));
    upper = false;
  }
  return out;
}

std::string_view prefix(isa::Format format) {
  switch (format) {
    case isa::Format::kTransfer: return "transfer";
    case isa::Format::kGemm: return "gemm";
    case isa::Format::kAlu: return "alu";
    case isa::Format::kMicroOp: return "uop";
  }
  return "?";
}

class Writer {
 public:
  void line(std::string_view text) {
    out_ += text;
    out_ += '\n';
  }
  void constant(std::string_view name, uint64_t value) { line(fmt::format("  localparam int {} = {};", name, value)); }

  // A constant of so many bits.
  void constant(std::string_view name, int width, uint64_t value) {
    line(fmt::format("  localparam logic [{}:0] {} = {}'d{};", width - 1, name, width, value));
  }

  // A function that extracts a field as `width` bits, no fewer than it has, and that width.
  void field(std::string_view format, int word_bits, const isa::Field& f, int width) {
    constant(camel(format) + camel(f.name) + "W", static_cast<uint64_t>(width));
    std::string value = f.width == 0 ? "1'b0" : fmt::format("word[{} +: {}]", f.word * 64 + f.lsb, f.width);
    const int have = std::max<int>(f.width, 1);
    if (width > have) value = fmt::format("{{{}'d0, {}}}", width - have, value);
    line(fmt::format("  function automatic logic [{}:0] {}_{}(input logic [{}:0] word);", width - 1, format, f.name,
                     word_bits - 1));
    line(fmt::format("    {}_{} = {};", format, f.name, value));
    line("  endfunction");
  }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void write_sizes(Writer& w, const Config& config) {
  w.line("  // Tile and lanes");
  w.constant("Batch", static_cast<uint64_t>(config.batch()));
  w.constant("BlockIn", static_cast<uint64_t>(config.block_in()));
  w.constant("BlockOut", static_cast<uint64_t>(config.block_out()));
  w.constant("InpW", static_cast<uint64_t>(config.inp_bits()));
  w.constant("WgtW", static_cast<uint64_t>(config.wgt_bits()));
  w.constant("AccW", static_cast<uint64_t>(config.acc_bits()));
  w.constant("OutW", static_cast<uint64_t>(config.out_bits()));
  w.line("");
  w.line("  // Bits of a beat, and log2 of its bytes");
  w.constant("BusW", config.bus_width().count() * 8);
  w.constant("BusLog", static_cast<uint64_t>(config.keys().log_bus_width - 3));
  w.line("");
  w.line("  // Per memory: log2 of an element's bytes in DRAM, whole elements in a beat (at least 1)");
  for (Memory memory : isa::kAllMemories) {
    w.constant(camel(isa::name(memory)) + "ElemLog",
               static_cast<uint64_t>(log2_ceil(config.element_size(memory).count())));
    w.constant(camel(isa::name(memory)) + "Lanes", beat_lanes(config, memory));
  }
  w.line("");
  w.line("  // Per scratchpad: elements that a load may write at once, depth, bits of an index");
  for (Memory memory : {Memory::kUop, Memory::kInp, Memory::kWgt, Memory::kAcc}) {
    const std::string name = camel(isa::name(memory));
    w.constant(name + "LoadLanes", load_lanes(config, memory));
    w.constant(name + "Depth", config.depth(memory).count());
    w.constant(name + "IndexW", static_cast<uint64_t>(index_width(config, memory)));
  }
}

// A part of the packed vector in which the check of a transfer tells the DMAs what to do.
struct DmaPart {
  std::string_view name;
  int width;
  std::string_view meaning;
};

std::vector<DmaPart> dma_parts(const Config& config, const isa::Layout& layout) {
  const auto width = [&](isa::FieldId id) { return int{layout.field(isa::Format::kTransfer, id).width}; };
  // A row may be all that a scratchpad holds; it is compared with what a beat has room for.
  uint64_t most_bytes = 2 * config.bus_width().count();
  for (Memory memory : isa::kAllMemories) {
    most_bytes = std::max(most_bytes, config.depth(memory).count() * config.element_size(memory).count());
  }
  const int elements = width(F::kSramBase) + 1;
  return {{"memory", width(F::kMemoryType), "the memory type"},
          {"addr", kAddressBits, "byte address of the first row"},
          {"stride", kAddressBits, "bytes from row to row"},
          {"row_bytes", static_cast<int>(std::bit_width(most_bytes)), "bytes of a row"},
          {"rows", width(F::kYSize), "rows; those that adjoin in memory are one"},
          {"index", width(F::kSramBase), "the first element of the scratchpad"},
          {"last_index", width(F::kSramBase), "the last one"},
          {"zeros_first", elements, "zero elements before the first row"},
          {"zeros_between", width(F::kXPad0) + 1, "... after each row but the last"},
          {"zeros_last", elements, "... after the last"}};
}

void write_dma(Writer& w, const Config& config) {
  w.line("  // What vta_transfer_check tells the DMAs of a transfer: a packed vector, its parts from bit 0 upward");
  const std::vector<DmaPart> parts = dma_parts(config, isa::Layout(config));
  int bits = 0;
  for (const DmaPart& part : parts) bits += part.width;
  w.constant("DmaW", static_cast<uint64_t>(bits));
  int lsb = 0;
  for (const DmaPart& part : parts) {
    w.line(fmt::format("  // {}", part.meaning));
    w.constant("Dma" + camel(part.name) + "W", static_cast<uint64_t>(part.width));
    w.constant("Dma" + camel(part.name) + "Lsb", static_cast<uint64_t>(lsb));
    w.line(fmt::format("  function automatic logic [{}:0] dma_{}(input logic [{}:0] dma);", part.width - 1, part.name,
                       bits - 1));
    w.line(fmt::format("    dma_{} = dma[{} +: {}];", part.name, lsb, part.width));
    w.line("  endfunction");
    lsb += part.width;
  }
}

// A function of the memory type.
void write_of_memory(Writer& w, std::string_view name, int memory_bits, int bits,
                     const std::function<uint64_t(Memory)>& value) {
  w.line(
      fmt::format("  function automatic logic [{}:0] {}(input logic [{}:0] memory);", bits - 1, name, memory_bits - 1));
  w.line("    case (memory)");
  for (Memory memory : isa::kAllMemories) {
    const std::string label = memory == isa::kAllMemories.back()
                                  ? std::string("default")
                                  : fmt::format("{}'d{}", memory_bits, static_cast<int>(memory));
    w.line(fmt::format("      {}: {} = {}'d{};", label, name, bits, value(memory)));
  }
  w.line("    endcase");
  w.line("  endfunction");
}

void write_memories(Writer& w, const Config& config) {
  const isa::Layout layout(config);
  const int memory_bits = layout.field(isa::Format::kTransfer, isa::FieldId::kMemoryType).width;
  const int base_bits = layout.field(isa::Format::kTransfer, isa::FieldId::kSramBase).width;
  const auto elem_log = [&](Memory memory) {
    return static_cast<uint64_t>(log2_ceil(config.element_size(memory).count()));
  };
  uint64_t most = 0;
  for (Memory memory : isa::kAllMemories) most = std::max(most, elem_log(memory));
  const auto bus_log = static_cast<uint64_t>(log2_ceil(config.bus_width().count()));
  w.line("  // By memory type: log2 of an element's bytes in DRAM; elements of its scratchpad");
  const int elem_log_bits = std::max<int>(1, std::bit_width(most));
  w.constant("ElemLogW", static_cast<uint64_t>(elem_log_bits));
  write_of_memory(w, "elem_log", memory_bits, elem_log_bits, elem_log);
  w.constant("DepthW", static_cast<uint64_t>(base_bits) + 1);
  write_of_memory(w, "depth", memory_bits, base_bits + 1, [&](Memory memory) { return config.depth(memory).count(); });
  w.line("");
  w.line("  // Bits of a beat's number in an element that is larger, and of the number of elements in a beat");
  w.constant("GranuleW", most > bus_log ? most - bus_log : 1);
  w.constant("ElementsW", bus_log + 1);
}

void write_timing(Writer& w) {
  w.line("  // Timing: how many may be under way, and the cycles from one event to the next (docs/hardware.md)");
  for (const Timing& row : kTimings) w.constant(camel(row.name), row.value);
  w.line("");
  w.line("  // Bits of a burst's beats less one");
  w.constant("BurstLenW", static_cast<uint64_t>(log2_ceil(timing::kBurstBeats)));
}

// Bits that a field is extracted with: those of the index that it is or adds to, or its own.
int extracted_width(const Config& config, isa::Format format, const isa::Field& field) {
  const int acc = index_width(config, Memory::kAcc);
  const int inp = index_width(config, Memory::kInp);
  switch (field.id) {
    case F::kUopBegin: return index_width(config, Memory::kUop);
    case F::kUopEnd: return index_width(config, Memory::kUop) + 1;
    case F::kDstFactorOut:
    case F::kDstFactorIn:
    case F::kDstIndex: return acc;
    case F::kSrcFactorOut:
    case F::kSrcFactorIn: return format == isa::Format::kGemm ? inp : acc;
    case F::kSrcIndex: return std::max(acc, inp);
    case F::kWgtFactorOut:
    case F::kWgtFactorIn:
    case F::kWgtIndex: return index_width(config, Memory::kWgt);
    default: return field.width;
  }
}

void write_encoding(Writer& w, const Config& config) {
  w.line("  // Instruction encoding");
  w.constant("InsnW", isa::kInsnBytes * 8);
  w.constant("UopW", uint64_t{isa::kMicroOpBits});
  w.constant("MaxInsns", uint64_t{isa::kMaxInsns});
  w.constant("InsnCountW", static_cast<uint64_t>(std::bit_width(isa::kMaxInsns)));
  constexpr std::pair<std::string_view, isa::Opcode> kOpcodes[] = {{"OpLoad", isa::Opcode::kLoad},
                                                                   {"OpStore", isa::Opcode::kStore},
                                                                   {"OpGemm", isa::Opcode::kGemm},
                                                                   {"OpFinish", isa::Opcode::kFinish},
                                                                   {"OpAlu", isa::Opcode::kAlu}};
  const isa::Layout layout(config);
  const auto width = [&](isa::Format format, isa::FieldId id) { return int{layout.field(format, id).width}; };
  const int opcode_width = width(isa::Format::kTransfer, isa::FieldId::kOpcode);
  const int memory_width = width(isa::Format::kTransfer, isa::FieldId::kMemoryType);
  const int alu_width = width(isa::Format::kAlu, isa::FieldId::kAluOpcode);
  for (const auto& [name, opcode] : kOpcodes) w.constant(name, opcode_width, static_cast<uint64_t>(opcode));
  for (Memory memory : isa::kAllMemories) {
    w.constant("Mem" + camel(isa::name(memory)), memory_width, static_cast<uint64_t>(memory));
  }
  w.constant("MemLast", memory_width, static_cast<uint64_t>(isa::kAllMemories.back()));
  for (isa::AluOp op : isa::kAllAluOps) w.constant("Alu" + camel(isa::name(op)), alu_width, static_cast<uint64_t>(op));
  w.constant("AluLast", alu_width, static_cast<uint64_t>(isa::kAllAluOps.back()));
  for (isa::Format format : isa::kAllFormats) {
    const int word_bits = isa::room(format);
    for (const isa::Field& field : layout.fields(format)) {
      w.field(prefix(format), word_bits, field, extracted_width(config, format, field));
    }
  }
}

void write_registers(Writer& w, const Config& config) {
  w.line("  // Registers");
  w.line(fmt::format("  localparam logic [63:0] ConfigHash = 64'h{:016x};", hardware_hash(config)));
  w.line(fmt::format("  localparam logic [31:0] Version = 32'h{:08x};", kVersion));
  w.constant("AddressW", uint64_t{kAddressBits});
  w.constant("RegAddressW", uint64_t{kRegisterAddressBits});
  for (const Register& reg : kControlRegisters) w.constant("Reg" + camel(reg.name), kRegisterAddressBits, reg.offset);
  w.constant("RegCounters", kRegisterAddressBits, kCounterBase);
  for (const RegisterBit& bit : kRegisterBits) w.constant(camel(bit.reg) + camel(bit.name), uint64_t{bit.bit});
  w.constant("NumCounters", kHardwareCounters.size());
  w.constant("CounterW", kCounterBits);
  for (size_t i = 0; i < kHardwareCounters.size(); ++i) w.constant("Cnt" + camel(kHardwareCounters[i].name), i);
  const int cause_width = std::bit_width(kErrorCauses.size() - 1);
  w.constant("ErrorCauseW", static_cast<uint64_t>(cause_width));
  for (const ErrorCauseInfo& info : kErrorCauses) {
    w.constant("Err" + camel(info.name), cause_width, static_cast<uint64_t>(info.cause));
  }
}

}  // namespace

std::string rtl_package(const Config& config) {
  Writer w;
  w.line("// SPDX-License-Identifier: Apache-2.0");
  w.line("// Generated from a configuration; do not edit. Parameters of the VTA core.");
  w.line("/* verilator lint_off UNUSEDSIGNAL */  // a function that extracts one field reads no other bit");
  w.line("/* verilator lint_off UNUSEDPARAM */   // not every module uses every parameter");
  w.line("package vta_pkg;");
  w.line("");
  write_sizes(w, config);
  w.line("");
  write_encoding(w, config);
  w.line("");
  write_memories(w, config);
  w.line("");
  write_dma(w, config);
  w.line("");
  write_timing(w);
  w.line("");
  write_registers(w, config);
  w.line("");
  w.line("endpackage");
  w.line("/* verilator lint_on UNUSEDPARAM */");
  w.line("/* verilator lint_on UNUSEDSIGNAL */");
  return w.take();
}

uint64_t hardware_hash(const Config& config) {
  uint64_t hash = kFnv1aStart;
  for (const ConfigKey& key : config_keys()) {
    if (!key.is_hardware()) continue;
    hash = fnv1a(fmt::format("{}={}\n", key.name, config.keys().*key.number), hash);
  }
  return hash;
}

}  // namespace vantage::isa
