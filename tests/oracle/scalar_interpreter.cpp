#include "tests/oracle/scalar_interpreter.h"

#include <algorithm>

namespace vantage::oracle {

namespace {

enum { kLoad, kStore, kGemm, kFinish, kAlu };     // opcodes
enum { kUop, kWgt, kInp, kAcc, kOut, kAcc8 };     // memory types
enum { kMin, kMax, kAdd, kShr, kMul };            // ALU opcodes
enum { kLoadStage, kComputeStage, kStoreStage };  // stages

// Takes fields from bit 0 upward; one that does not fit the rest of its 64-bit word starts the next.
class BitReader {
 public:
  explicit BitReader(const std::byte* bytes) : bytes_(bytes) {}
  uint32_t take(int width) {
    if (position_ % 64 + width > 64) position_ = 64;
    uint32_t value = 0;
    for (int i = 0; i < width; ++i, ++position_) {
      const int bit = static_cast<int>(bytes_[position_ / 8]) >> (position_ % 8) & 1;
      value |= static_cast<uint32_t>(bit) << i;
    }
    return value;
  }

 private:
  const std::byte* bytes_;
  int position_ = 0;
};

// `width` bits at bit `position` of memory, sign-extended.
int64_t signed_bits(const std::byte* bytes, uint64_t position, int width) {
  int64_t value = 0;
  for (int i = 0; i < width; ++i) {
    const uint64_t at = position + static_cast<uint64_t>(i);
    const int64_t bit = static_cast<int>(bytes[at / 8]) >> (at % 8) & 1;
    value += bit * (int64_t{1} << i) * (i == width - 1 ? -1 : 1);
  }
  return value;
}

uint64_t low_bits(uint64_t value, int width) {
  return value & ((uint64_t{1} << width) - 1);
}

}  // namespace

struct ScalarInterpreter::Insn {
  uint32_t opcode, pop_prev, pop_next, push_prev, push_next;
  uint32_t memory, sram, dram, ysize, xsize, xstride, ypad0, ypad1, xpad0, xpad1;         // LOAD, STORE
  uint32_t reset, uop_bgn, uop_end, iter_out, iter_in, dst_out, dst_in, src_out, src_in;  // GEMM, ALU
  uint32_t wgt_out, wgt_in;
  uint32_t op, use_imm;
  int64_t imm;

  int stage() const {
    if (opcode == kStore) return kStoreStage;
    return opcode == kLoad && (memory == kInp || memory == kWgt) ? kLoadStage : kComputeStage;
  }
};

ScalarInterpreter::ScalarInterpreter(const isa::Config& config)
    : config_(config),
      batch_(config.batch()),
      block_in_(config.block_in()),
      block_out_(config.block_out()),
      uop_(config.depth(isa::Memory::kUop).count()),
      inp_(config.depth(isa::Memory::kInp).count() * batch_ * block_in_),
      wgt_(config.depth(isa::Memory::kWgt).count() * block_out_ * block_in_),
      acc_(config.depth(isa::Memory::kAcc).count() * batch_ * block_out_) {}

ScalarInterpreter::Insn ScalarInterpreter::decode(const std::byte* bytes) const {
  const int u = config_.index_bits(isa::Memory::kUop);
  const int a = config_.index_bits(isa::Memory::kAcc);
  const int i = config_.index_bits(isa::Memory::kInp);
  const int w = config_.index_bits(isa::Memory::kWgt);
  BitReader bits(bytes);
  Insn n{};
  n.opcode = bits.take(3);
  n.pop_prev = bits.take(1);
  n.pop_next = bits.take(1);
  n.push_prev = bits.take(1);
  n.push_next = bits.take(1);
  if (n.opcode == kLoad || n.opcode == kStore) {
    n.memory = bits.take(3);
    n.sram = bits.take(16);
    n.dram = bits.take(32);
    n.ysize = bits.take(16);
    n.xsize = bits.take(16);
    n.xstride = bits.take(16);
    n.ypad0 = bits.take(4);
    n.ypad1 = bits.take(4);
    n.xpad0 = bits.take(4);
    n.xpad1 = bits.take(4);
  } else if (n.opcode == kGemm || n.opcode == kAlu) {
    const int src = n.opcode == kGemm ? i : a;
    n.reset = bits.take(1);
    n.uop_bgn = bits.take(u);
    n.uop_end = bits.take(u + 1);
    n.iter_out = bits.take(14);
    n.iter_in = bits.take(14);
    n.dst_out = bits.take(a);
    n.dst_in = bits.take(a);
    n.src_out = bits.take(src);
    n.src_in = bits.take(src);
    if (n.opcode == kGemm) {
      n.wgt_out = bits.take(w);
      n.wgt_in = bits.take(w);
    } else {
      n.op = bits.take(3);
      n.use_imm = bits.take(1);
      n.imm = static_cast<int16_t>(bits.take(16));
    }
  }
  return n;
}

bool ScalarInterpreter::run(std::span<std::byte> dram, uint64_t address, uint64_t count) {
  dram_ = dram;
  tokens_ = {};
  counters_ = {};
  activity_ = {};
  std::deque<Insn> queues[3];
  bool finished = false;
  for (uint64_t i = 0; i < count && !finished; ++i) {
    const Insn insn = decode(dram.data() + address + 16 * i);
    queues[insn.stage()].push_back(insn);
    finished = insn.opcode == kFinish;
  }
  if (!finished) return false;
  bool progress = true;
  while (progress) {
    progress = false;
    for (int stage = 0; stage < 3; ++stage) {
      while (!queues[stage].empty() && ready(queues[stage].front(), stage)) {
        execute(queues[stage].front(), stage);
        queues[stage].pop_front();
        progress = true;
      }
    }
  }
  return queues[0].empty() && queues[1].empty() && queues[2].empty();
}

bool ScalarInterpreter::ready(const Insn& n, int stage) const {
  if (stage == kLoadStage) return !n.pop_next || tokens_[1] > 0;
  if (stage == kStoreStage) return !n.pop_prev || tokens_[2] > 0;
  return (!n.pop_prev || tokens_[0] > 0) && (!n.pop_next || tokens_[3] > 0);
}

void ScalarInterpreter::execute(const Insn& n, int stage) {
  if (stage == kLoadStage) tokens_[1] -= n.pop_next;
  if (stage == kStoreStage) tokens_[2] -= n.pop_prev;
  if (stage == kComputeStage) {
    tokens_[0] -= n.pop_prev;
    tokens_[3] -= n.pop_next;
  }
  switch (n.opcode) {
    case kLoad: load(n); break;
    case kStore: store(n); break;
    case kGemm: gemm(n); break;
    case kAlu: alu(n); break;
    default: break;
  }
  ++activity_.insns;
  if (stage == kLoadStage) tokens_[0] += n.push_next;
  if (stage == kStoreStage) tokens_[3] += n.push_prev;
  if (stage == kComputeStage) {
    tokens_[1] += n.push_prev;
    tokens_[2] += n.push_next;
  }
}

int64_t ScalarInterpreter::wrapped(int64_t value) const {
  const int shift = 64 - config_.acc_bits();
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

void ScalarInterpreter::load(const Insn& n) {
  if (n.xsize == 0 || n.ysize == 0) return;
  const uint64_t out_lanes = static_cast<uint64_t>(batch_) * block_out_;
  uint64_t lanes = 1;  // per element
  int bits = 32;       // per lane
  uint64_t* bytes_counter = &counters_.uop_load_nbytes;
  if (n.memory == kInp) {
    lanes = static_cast<uint64_t>(batch_) * block_in_;
    bits = config_.inp_bits();
    bytes_counter = &counters_.inp_load_nbytes;
  } else if (n.memory == kWgt) {
    lanes = static_cast<uint64_t>(block_out_) * block_in_;
    bits = config_.wgt_bits();
    bytes_counter = &counters_.wgt_load_nbytes;
  } else if (n.memory == kAcc || n.memory == kAcc8) {
    lanes = out_lanes;
    bits = n.memory == kAcc ? config_.acc_bits() : 8;
    bytes_counter = &counters_.acc_load_nbytes;
  }
  uint64_t element = n.sram;
  for (uint32_t y = 0; y < n.ypad0 + n.ysize + n.ypad1; ++y) {
    for (uint32_t x = 0; x < n.xpad0 + n.xsize + n.xpad1; ++x, ++element) {
      const bool inside = y >= n.ypad0 && y < n.ypad0 + n.ysize && x >= n.xpad0 && x < n.xpad0 + n.xsize;
      const uint64_t source = n.dram + static_cast<uint64_t>(y - n.ypad0) * n.xstride + (x - n.xpad0);
      for (uint64_t lane = 0; lane < lanes; ++lane) {
        const int64_t value =
            inside ? signed_bits(dram_.data(), (source * lanes + lane) * static_cast<uint64_t>(bits), bits) : 0;
        const uint64_t at = element * lanes + lane;
        if (n.memory == kUop) uop_[at] = static_cast<uint32_t>(value);
        if (n.memory == kInp) inp_[at] = static_cast<int32_t>(value);
        if (n.memory == kWgt) wgt_[at] = static_cast<int32_t>(value);
        if (n.memory == kAcc || n.memory == kAcc8) acc_[at] = value;
      }
      if (inside) *bytes_counter += lanes * static_cast<uint64_t>(bits) / 8;
      switch (n.memory) {
        case kUop: activity_.uop_writes += 2; break;
        case kInp: ++activity_.inp_writes; break;
        case kWgt: ++activity_.wgt_writes; break;
        default: ++activity_.acc_writes, ++activity_.out_writes; break;
      }
    }
  }
}

void ScalarInterpreter::store(const Insn& n) {
  const uint64_t lanes = static_cast<uint64_t>(batch_) * block_out_;
  const auto bits = static_cast<uint64_t>(config_.out_bits());
  for (uint64_t y = 0; y < n.ysize; ++y) {
    for (uint64_t x = 0; x < n.xsize; ++x) {
      const uint64_t source = (n.sram + y * n.xsize + x) * lanes;
      const uint64_t target = (n.dram + y * n.xstride + x) * lanes * bits;
      for (uint64_t lane = 0; lane < lanes; ++lane) {
        for (uint64_t b = 0; b < bits; ++b) {
          const uint64_t at = target + lane * bits + b;
          const auto bit = static_cast<std::byte>(1 << (at % 8));
          if (acc_[source + lane] >> b & 1) {
            dram_[at / 8] |= bit;
          } else {
            dram_[at / 8] &= ~bit;
          }
        }
      }
      counters_.out_store_nbytes += lanes * bits / 8;
      const uint64_t bus = config_.bus_width().count();
      activity_.out_reads += (lanes * bits / 8 + bus - 1) / bus;
    }
  }
}

void ScalarInterpreter::gemm(const Insn& n) {
  const int a = config_.index_bits(isa::Memory::kAcc);
  const int i = config_.index_bits(isa::Memory::kInp);
  const int w = config_.index_bits(isa::Memory::kWgt);
  for (uint64_t out = 0; out < n.iter_out; ++out) {
    for (uint64_t in = 0; in < n.iter_in; ++in) {
      for (uint32_t u = n.uop_bgn; u < n.uop_end; ++u) {
        const uint64_t uop = uop_[u];
        const uint64_t dst = low_bits(uop, a) + out * n.dst_out + in * n.dst_in;
        const uint64_t src = low_bits(uop >> a, std::max(a, i)) + out * n.src_out + in * n.src_in;
        const uint64_t wgt = low_bits(uop >> (a + std::max(a, i)), w) + out * n.wgt_out + in * n.wgt_in;
        ++activity_.uop_reads, ++activity_.acc_writes, ++activity_.out_writes;
        if (out == 0 && in == 0) ++activity_.uop_reads;  // of the check
        int64_t* sums = &acc_[dst * static_cast<uint64_t>(batch_ * block_out_)];
        if (n.reset) {
          for (int lane = 0; lane < batch_ * block_out_; ++lane) sums[lane] = 0;
          continue;
        }
        const int32_t* x = &inp_[src * static_cast<uint64_t>(batch_ * block_in_)];
        const int32_t* m = &wgt_[wgt * static_cast<uint64_t>(block_out_ * block_in_)];
        for (int b = 0; b < batch_; ++b) {
          for (int o = 0; o < block_out_; ++o) {
            int64_t sum = sums[b * block_out_ + o];
            for (int k = 0; k < block_in_; ++k) {
              sum += int64_t{x[b * block_in_ + k]} * m[o * block_in_ + k];
            }
            sums[b * block_out_ + o] = wrapped(sum);
          }
        }
        ++counters_.gemm_counter;
        ++activity_.inp_reads, ++activity_.wgt_reads, ++activity_.acc_reads;
      }
    }
  }
}

// Whether no step writes what lies between the least and the largest source.
bool ScalarInterpreter::may_hold_source(const Insn& n) const {
  const int a = config_.index_bits(isa::Memory::kAcc);
  const int i = config_.index_bits(isa::Memory::kInp);
  uint64_t dst_low = UINT64_MAX, dst_high = 0, src_low = UINT64_MAX, src_high = 0;
  for (uint64_t out = 0; out < n.iter_out; ++out) {
    for (uint64_t in = 0; in < n.iter_in; ++in) {
      for (uint32_t u = n.uop_bgn; u < n.uop_end; ++u) {
        const uint64_t uop = uop_[u];
        const uint64_t dst = low_bits(uop, a) + out * n.dst_out + in * n.dst_in;
        const uint64_t src = low_bits(uop >> a, std::max(a, i)) + out * n.src_out + in * n.src_in;
        dst_low = std::min(dst_low, dst), dst_high = std::max(dst_high, dst);
        src_low = std::min(src_low, src), src_high = std::max(src_high, src);
      }
    }
  }
  return dst_high < src_low || src_high < dst_low;
}

void ScalarInterpreter::alu(const Insn& n) {
  const int a = config_.index_bits(isa::Memory::kAcc);
  const int i = config_.index_bits(isa::Memory::kInp);
  const auto lanes = static_cast<uint64_t>(batch_ * block_out_);
  const bool may_hold = !n.use_imm && may_hold_source(n);
  uint64_t held = UINT64_MAX;
  for (uint64_t out = 0; out < n.iter_out; ++out) {
    for (uint64_t in = 0; in < n.iter_in; ++in) {
      for (uint32_t u = n.uop_bgn; u < n.uop_end; ++u) {
        const uint64_t uop = uop_[u];
        const uint64_t dst = low_bits(uop, a) + out * n.dst_out + in * n.dst_in;
        const uint64_t src = low_bits(uop >> a, std::max(a, i)) + out * n.src_out + in * n.src_in;
        for (uint64_t lane = 0; lane < lanes; ++lane) {
          const int64_t x = acc_[dst * lanes + lane];
          const int64_t y = n.use_imm ? n.imm : acc_[src * lanes + lane];
          int64_t result = 0;
          switch (n.op) {
            case kMin: result = std::min(x, y); break;
            case kMax: result = std::max(x, y); break;
            case kAdd: result = x + y; break;
            case kMul: result = x * y; break;
            case kShr:
              if (y >= 0) {
                result = y >= 63 ? (x < 0 ? -1 : 0) : x >> y;
              } else {
                result = y <= -config_.acc_bits() ? 0 : x * (int64_t{1} << -y);
              }
              break;
            default: break;
          }
          acc_[dst * lanes + lane] = wrapped(result);
        }
        ++counters_.alu_counter;
        ++activity_.uop_reads, ++activity_.acc_reads, ++activity_.acc_writes, ++activity_.out_writes;
        if (out == 0 && in == 0) ++activity_.uop_reads;  // of the check
        if (!n.use_imm && src != held) ++activity_.acc_reads;
        if (may_hold) held = src;
        if (n.op == kMul) ++activity_.alu_mul_steps;
      }
    }
  }
}

}  // namespace vantage::oracle
