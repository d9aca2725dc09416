#include "sim/functional/scratchpads.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "hw/isa/lanes.h"
#include "sim/functional/loop_parts.h"
#include "sim/functional/steps.h"

namespace vantage::sim {

using isa::Memory;

namespace {

// What the store stage writes of one element: each lane's low bits.
void cut_lanes(const int32_t* lanes, size_t count, int bits, std::byte* out) {
  if (bits == 8) {  // the usual width, written so that it vectorises
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(lanes[i]);
    return;
  }
  for (size_t i = 0; i < count; ++i) write_lane(out, i, bits, lanes[i]);
}

}  // namespace

Scratchpads::Scratchpads(const isa::Config& config)
    : config_(config),
      codec_(config),
      kernels_(select_kernels(config)),
      acc_lanes_(static_cast<size_t>(config.batch()) * config.block_out()),
      uops_(config.depth(Memory::kUop).count()),
      inp_(config.depth(Memory::kInp).count() * kernels_.inp_stride),
      wgt_(config.depth(Memory::kWgt).count() * kernels_.wgt_stride),
      acc_(config.depth(Memory::kAcc).count() * acc_lanes_),
      zero_inp_(kernels_.inp_stride),
      zero_wgt_(kernels_.wgt_stride) {
  const size_t lane_bytes = kernels_.shape.byte_inputs ? 1 : 2;
  const size_t inp_lanes = static_cast<size_t>(config.batch()) * config.block_in();
  const size_t wgt_lanes = static_cast<size_t>(config.block_out()) * config.block_in();
  unpacked_.resize(std::max(inp_lanes, wgt_lanes) * lane_bytes);
  kernels_.pack_inp(kernels_.shape, unpacked_.data(), zero_inp_.data(), 1);
  kernels_.pack_wgt(kernels_.shape, unpacked_.data(), zero_wgt_.data(), 1);
  clear();
}

void Scratchpads::clear() {
  std::fill(uops_.begin(), uops_.end(), isa::MicroOp{});
  std::fill(acc_.begin(), acc_.end(), 0);
  zero_elements(Memory::kInp, 0, config_.depth(Memory::kInp).count());
  zero_elements(Memory::kWgt, 0, config_.depth(Memory::kWgt).count());
}

// `count` consecutive elements of one DRAM row.
void Scratchpads::load_row(Memory memory, size_t index, const std::byte* dram, size_t count) {
  switch (memory) {
    case Memory::kUop:
      for (size_t i = 0; i < count; ++i) {
        uops_[index + i] = codec_.decode_uop(isa::load_u32(std::span<const std::byte, 4>(dram + 4 * i, 4)));
      }
      return;
    case Memory::kInp:
    case Memory::kWgt: return load_operands(memory, index, dram, count);
    case Memory::kAcc: return load_accumulators(index * acc_lanes_, dram, count * acc_lanes_, config_.acc_bits());
    case Memory::kAcc8: return load_accumulators(index * acc_lanes_, dram, count * acc_lanes_, 8);
    case Memory::kOut: break;
  }
  VANTAGE_CHECK(false);  // isa::check() refuses to load OUT
}

void Scratchpads::load_operands(Memory memory, size_t index, const std::byte* dram, size_t count) {
  const bool is_inp = memory == Memory::kInp;
  const auto pack = is_inp ? kernels_.pack_inp : kernels_.pack_wgt;
  const size_t stride = is_inp ? kernels_.inp_stride : kernels_.wgt_stride;
  std::byte* packed = (is_inp ? inp_ : wgt_).data() + index * stride;
  const int bits = is_inp ? config_.inp_bits() : config_.wgt_bits();
  const int natural_bits = kernels_.shape.byte_inputs ? 8 : 16;
  if (bits == natural_bits) {  // lanes already lie in DRAM as int8 or int16 (little-endian hosts)
    pack(kernels_.shape, dram, packed, count);
    return;
  }
  const size_t element = config_.element_size(memory).count();
  const size_t lanes = element * 8 / static_cast<size_t>(bits);
  for (size_t i = 0; i < count; ++i) {
    for (size_t lane = 0; lane < lanes; ++lane) {
      write_lane(unpacked_.data(), lane, natural_bits, read_lane(dram + i * element, lane, bits));
    }
    pack(kernels_.shape, unpacked_.data(), packed + i * stride, 1);
  }
}

void Scratchpads::load_accumulators(size_t lane, const std::byte* dram, size_t lanes, int bits) {
  if (bits == 32) {
    std::memcpy(acc_.data() + lane, dram, lanes * sizeof(int32_t));
    return;
  }
  for (size_t i = 0; i < lanes; ++i) acc_[lane + i] = read_lane(dram, i, bits);
}

void Scratchpads::zero_elements(Memory memory, size_t index, size_t count) {
  const auto repeat = [&](std::vector<std::byte>& scratchpad, const std::vector<std::byte>& zero) {
    for (size_t i = index; i < index + count; ++i)
      std::memcpy(scratchpad.data() + i * zero.size(), zero.data(), zero.size());
  };
  if (memory == Memory::kInp) {
    repeat(inp_, zero_inp_);
  } else if (memory == Memory::kWgt) {
    repeat(wgt_, zero_wgt_);
  } else {
    std::fill_n(acc_.begin() + static_cast<ptrdiff_t>(index * acc_lanes_), count * acc_lanes_, 0);
  }
}

void Scratchpads::load(const isa::Transfer& t, const Dram& dram) {
  if (t.moves_nothing()) return;
  const size_t element = config_.element_size(t.memory).count();
  size_t index = t.sram_base;
  const auto pad = [&](size_t count) {
    if (count == 0) return;
    zero_elements(t.memory, index, count);
    index += count;
  };
  pad(t.y_pad_0 * t.padded_row());
  for (uint64_t y = 0; y < t.y_size; ++y) {
    const std::byte* row = dram.data() + (t.dram_base + y * t.x_stride) * element;
    pad(t.x_pad_0);
    load_row(t.memory, index, row, t.x_size);
    index += t.x_size;
    pad(t.x_pad_1);
  }
  pad(t.y_pad_1 * t.padded_row());
}

void Scratchpads::store(const isa::Transfer& t, Dram& dram) const {
  if (t.moves_nothing()) return;
  const size_t element = config_.element_size(Memory::kOut).count();
  size_t index = t.sram_base;
  for (uint64_t y = 0; y < t.y_size; ++y) {
    std::byte* row = dram.data() + (t.dram_base + y * t.x_stride) * element;
    for (uint64_t x = 0; x < t.x_size; ++x, ++index) {
      cut_lanes(acc_.data() + index * acc_lanes_, acc_lanes_, config_.out_bits(), row + x * element);
    }
  }
}

std::span<const isa::MicroOp> Scratchpads::kernel_uops(const isa::Loop& loop) const {
  return std::span(uops_).subspan(loop.uop_bgn, loop.uop_end - loop.uop_bgn);
}

uint64_t Scratchpads::gemm(const isa::Gemm& g, const std::stop_token& stop) {
  return for_each_part(g.loop, stop, [&](const LoopPart& part) {
    const GemmLoop loop{g.loop, part, g.wgt_factor_out, g.wgt_factor_in, kernel_uops(g.loop)};
    if (!g.reset) return kernels_.gemm(kernels_.shape, loop, acc_.data(), inp_.data(), wgt_.data());
    for_each_gemm_step(loop, [&](uint64_t dst, uint64_t, uint64_t) {
      std::fill_n(acc_.begin() + static_cast<ptrdiff_t>(dst * acc_lanes_), acc_lanes_, 0);
    });
  });
}

uint64_t Scratchpads::alu(const isa::Alu& a, const std::stop_token& stop) {
  return for_each_part(a.loop, stop, [&](const LoopPart& part) {
    const AluLoop loop{a.loop, part, kernel_uops(a.loop), a.op, a.use_imm, a.imm};
    kernels_.alu(kernels_.shape, loop, acc_.data());
  });
}

}  // namespace vantage::sim
