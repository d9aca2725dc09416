#include "hw/isa/legality.h"

#include <fmt/format.h>

#include <algorithm>

namespace vantage::isa {

namespace {

std::string_view scratchpad_name(Memory memory) {
  switch (memory) {
    case Memory::kUop: return "micro-op scratchpad";
    case Memory::kWgt: return "weight scratchpad";
    case Memory::kInp: return "input scratchpad";
    default: return "accumulator scratchpad";
  }
}

Illegal check_sram_range(const Transfer& t, const isa::Config& config) {
  const uint64_t depth = config.depth(t.memory).count();
  const uint64_t end = t.sram_base + t.padded_row() * t.padded_rows();
  if (end <= depth) return std::nullopt;
  return fmt::format("it reaches index {} of the {}, whose last is {} (sram_base {} + {} rows of {} elements)", end - 1,
                     scratchpad_name(t.memory), depth - 1, t.sram_base, t.padded_rows(), t.padded_row());
}

Illegal check_dram_range(const Transfer& t, const isa::Config& config, Bytes dram_size) {
  const ByteRange range = dram_range(t, config);
  if (range.end <= dram_size) return std::nullopt;
  return fmt::format("its DRAM range ends at byte 0x{:x}, past the memory's end at 0x{:x} (element {} of {} bytes)",
                     range.end.count(), dram_size.count(), t.dram_base, config.element_size(t.memory).count());
}

bool has_pads(const Transfer& t) {
  return (t.y_pad_0 | t.y_pad_1 | t.x_pad_0 | t.x_pad_1) != 0;
}

Illegal check_uop_range(const Loop& loop, const isa::Config& config) {
  if (loop.uop_end < loop.uop_bgn) {
    return fmt::format("uop_end {} is less than uop_bgn {}", loop.uop_end, loop.uop_bgn);
  }
  const uint64_t depth = config.depth(Memory::kUop).count();
  if (loop.uop_end > depth) {
    return fmt::format("uop_end {} is past the micro-op scratchpad's depth {}", loop.uop_end, depth);
  }
  return std::nullopt;
}

// The affine index uop.field + (iter_out-1)*factor_out + (iter_in-1)*factor_in grows with every term, so the largest
// index of the nest is the largest micro-op's at the last iteration. It does not wrap.
Illegal check_index(std::string_view what, uint32_t MicroOp::*field, uint32_t factor_out, uint32_t factor_in,
                    Memory memory, const Loop& loop, const isa::Config& config, std::span<const MicroOp> uops) {
  const auto kernel = uops.subspan(loop.uop_bgn, loop.uop_end - loop.uop_bgn);
  const auto largest = std::max_element(kernel.begin(), kernel.end(),
                                        [&](const MicroOp& a, const MicroOp& b) { return a.*field < b.*field; });
  const uint64_t index =
      uint64_t{(*largest).*field} + uint64_t{loop.iter_out - 1} * factor_out + uint64_t{loop.iter_in - 1} * factor_in;
  const uint64_t depth = config.depth(memory).count();
  if (index < depth) return std::nullopt;
  return fmt::format("its {} index reaches {}, past the {}'s last index {} (micro-op {}: {} + {}*{} + {}*{})", what,
                     index, scratchpad_name(memory), depth - 1, loop.uop_bgn + (largest - kernel.begin()),
                     (*largest).*field, loop.iter_out - 1, factor_out, loop.iter_in - 1, factor_in);
}

}  // namespace

ByteRange dram_range(const Transfer& t, const isa::Config& config) {
  if (t.moves_nothing()) return {};
  const Bytes element = config.element_size(t.memory);
  const uint64_t last = t.dram_base + uint64_t{t.y_size - 1} * t.x_stride;
  return {element * t.dram_base, element * (last + t.x_size)};
}

Illegal check(const Load& load, const isa::Config& config, Bytes dram_size) {
  const Transfer& t = load.transfer;
  if (t.moves_nothing()) return std::nullopt;
  if (t.memory == Memory::kOut) return "memory type out cannot be loaded; load acc or acc8";
  if (t.memory == Memory::kUop && (t.y_size != 1 || has_pads(t))) {
    return fmt::format("a micro-op load is one unpadded row, this one has y_size {} and pads {},{},{},{}", t.y_size,
                       t.y_pad_0, t.y_pad_1, t.x_pad_0, t.x_pad_1);
  }
  if (auto illegal = check_sram_range(t, config)) return illegal;
  return check_dram_range(t, config, dram_size);
}

Illegal check(const Store& store, const isa::Config& config, Bytes dram_size) {
  const Transfer& t = store.transfer;
  if (t.moves_nothing()) return std::nullopt;
  if (t.memory != Memory::kOut) return fmt::format("memory type {} cannot be stored, only out", name(t.memory));
  if (has_pads(t)) {
    return fmt::format("a store has no pads, this one has {},{},{},{}", t.y_pad_0, t.y_pad_1, t.x_pad_0, t.x_pad_1);
  }
  if (auto illegal = check_sram_range(t, config)) return illegal;
  return check_dram_range(t, config, dram_size);
}

Illegal check(const Gemm& gemm, const isa::Config& config, std::span<const MicroOp> uops) {
  const Loop& loop = gemm.loop;
  if (auto illegal = check_uop_range(loop, config)) return illegal;
  if (loop.steps() == 0) return std::nullopt;
  if (auto illegal = check_index("destination", &MicroOp::dst, loop.dst_factor_out, loop.dst_factor_in, Memory::kAcc,
                                 loop, config, uops)) {
    return illegal;
  }
  if (gemm.reset) return std::nullopt;
  if (auto illegal = check_index("input", &MicroOp::src, loop.src_factor_out, loop.src_factor_in, Memory::kInp, loop,
                                 config, uops)) {
    return illegal;
  }
  return check_index("weight", &MicroOp::wgt, gemm.wgt_factor_out, gemm.wgt_factor_in, Memory::kWgt, loop, config,
                     uops);
}

Illegal check(const Alu& alu, const isa::Config& config, std::span<const MicroOp> uops) {
  const Loop& loop = alu.loop;
  if (auto illegal = check_uop_range(loop, config)) return illegal;
  if (loop.steps() == 0) return std::nullopt;
  if (auto illegal = check_index("destination", &MicroOp::dst, loop.dst_factor_out, loop.dst_factor_in, Memory::kAcc,
                                 loop, config, uops)) {
    return illegal;
  }
  if (alu.use_imm) return std::nullopt;
  return check_index("source", &MicroOp::src, loop.src_factor_out, loop.src_factor_in, Memory::kAcc, loop, config,
                     uops);
}

}  // namespace vantage::isa
