#include "hw/isa/layout.h"

#include <algorithm>

#include "base/error.h"
#include "hw/isa/config.h"

namespace vantage::isa {

namespace {

// A field's width: a constant, or a scratchpad's index width (plus one bit for an end that may equal the depth).
enum class Width { kFixed, kUop, kUopEnd, kAcc, kInp, kWgt, kAccOrInp };

struct FieldSpec {
  FieldId id;
  std::string_view name;
  Width width;
  uint8_t bits = 0;  // when fixed
  bool is_signed = false;
};

using F = FieldId;
using W = Width;

constexpr std::array kHead = {
    FieldSpec{F::kOpcode, "opcode", W::kFixed, 3},      FieldSpec{F::kPopPrev, "pop_prev", W::kFixed, 1},
    FieldSpec{F::kPopNext, "pop_next", W::kFixed, 1},   FieldSpec{F::kPushPrev, "push_prev", W::kFixed, 1},
    FieldSpec{F::kPushNext, "push_next", W::kFixed, 1},
};
constexpr std::array kTransfer = {
    FieldSpec{F::kMemoryType, "memory_type", W::kFixed, 3},
    FieldSpec{F::kSramBase, "sram_base", W::kFixed, kSramBaseBits},
    FieldSpec{F::kDramBase, "dram_base", W::kFixed, 32},
    FieldSpec{F::kYSize, "y_size", W::kFixed, 16},
    FieldSpec{F::kXSize, "x_size", W::kFixed, 16},
    FieldSpec{F::kXStride, "x_stride", W::kFixed, 16},
    FieldSpec{F::kYPad0, "y_pad_0", W::kFixed, 4},
    FieldSpec{F::kYPad1, "y_pad_1", W::kFixed, 4},
    FieldSpec{F::kXPad0, "x_pad_0", W::kFixed, 4},
    FieldSpec{F::kXPad1, "x_pad_1", W::kFixed, 4},
};
constexpr std::array kLoop = {
    FieldSpec{F::kReset, "reset", W::kFixed, 1},          FieldSpec{F::kUopBegin, "uop_bgn", W::kUop},
    FieldSpec{F::kUopEnd, "uop_end", W::kUopEnd},         FieldSpec{F::kIterOut, "iter_out", W::kFixed, 14},
    FieldSpec{F::kIterIn, "iter_in", W::kFixed, 14},      FieldSpec{F::kDstFactorOut, "dst_factor_out", W::kAcc},
    FieldSpec{F::kDstFactorIn, "dst_factor_in", W::kAcc},
};
constexpr std::array kGemmTail = {
    FieldSpec{F::kSrcFactorOut, "src_factor_out", W::kInp},
    FieldSpec{F::kSrcFactorIn, "src_factor_in", W::kInp},
    FieldSpec{F::kWgtFactorOut, "wgt_factor_out", W::kWgt},
    FieldSpec{F::kWgtFactorIn, "wgt_factor_in", W::kWgt},
};
constexpr std::array kAluTail = {
    FieldSpec{F::kSrcFactorOut, "src_factor_out", W::kAcc}, FieldSpec{F::kSrcFactorIn, "src_factor_in", W::kAcc},
    FieldSpec{F::kAluOpcode, "alu_opcode", W::kFixed, 3},   FieldSpec{F::kUseImm, "use_imm", W::kFixed, 1},
    FieldSpec{F::kImm, "imm", W::kFixed, 16, true},
};
constexpr std::array kMicroOp = {
    FieldSpec{F::kDstIndex, "dst_idx", W::kAcc},
    FieldSpec{F::kSrcIndex, "src_idx", W::kAccOrInp},
    FieldSpec{F::kWgtIndex, "wgt_idx", W::kWgt},
};

std::vector<FieldSpec> specs(Format format) {
  std::vector<FieldSpec> all;
  const auto append = [&](const auto& part) {
    for (const FieldSpec& spec : part) all.push_back(spec);
  };
  if (format == Format::kMicroOp) {
    append(kMicroOp);
    return all;
  }
  append(kHead);
  if (format == Format::kTransfer) append(kTransfer);
  if (format == Format::kGemm || format == Format::kAlu) append(kLoop);
  if (format == Format::kGemm) append(kGemmTail);
  if (format == Format::kAlu) append(kAluTail);
  return all;
}

int bits(const FieldSpec& spec, const IndexBits& index) {
  switch (spec.width) {
    case Width::kFixed: return spec.bits;
    case Width::kUop: return index.uop;
    case Width::kUopEnd: return index.uop + 1;
    case Width::kAcc: return index.acc;
    case Width::kInp: return index.inp;
    case Width::kWgt: return index.wgt;
    case Width::kAccOrInp: return std::max(index.acc, index.inp);
  }
  return 0;
}

// Lays the fields out; stops before the first one that would start a third word.
std::vector<Field> place(Format format, const IndexBits& index) {
  std::vector<Field> fields;
  int word = 0;
  int lsb = 0;
  for (const FieldSpec& spec : specs(format)) {
    const int width = bits(spec, index);
    if (lsb + width > 64) {
      ++word;
      lsb = 0;
    }
    if (word > 1) break;
    fields.push_back({spec.id, spec.name, static_cast<uint8_t>(word), static_cast<uint8_t>(lsb),
                      static_cast<uint8_t>(width), spec.is_signed});
    lsb += width;
  }
  return fields;
}

}  // namespace

std::string_view name(Format format) {
  switch (format) {
    case Format::kTransfer: return "LOAD/STORE";
    case Format::kGemm: return "GEMM";
    case Format::kAlu: return "ALU";
    case Format::kMicroOp: return "micro-op";
  }
  return "?";
}

IndexBits IndexBits::of(const isa::Config& config) {
  return {config.index_bits(Memory::kUop), config.index_bits(Memory::kInp), config.index_bits(Memory::kWgt),
          config.index_bits(Memory::kAcc)};
}

FieldRange fixed_range(Format format, FieldId id) {
  const auto all = specs(format);
  const auto spec = std::find_if(all.begin(), all.end(), [&](const FieldSpec& s) { return s.id == id; });
  VANTAGE_CHECK(spec != all.end() && spec->width == Width::kFixed);
  const Field field{id, spec->name, 0, 0, spec->bits, spec->is_signed};
  return {field.lowest(), field.highest()};
}

std::optional<Layout::Overflow> Layout::overflow(const IndexBits& index) {
  for (Format format : kAllFormats) {
    const auto wanted = specs(format);
    const auto placed = place(format, index);
    if (placed.size() < wanted.size()) {
      const std::string_view remedy = format == Format::kAlu
                                          ? "LOG_ACC_BUFF_SIZE or LOG_UOP_BUFF_SIZE"
                                          : "LOG_ACC_BUFF_SIZE, LOG_INP_BUFF_SIZE, LOG_WGT_BUFF_SIZE or "
                                            "LOG_UOP_BUFF_SIZE";
      return Overflow{format, wanted[placed.size()].name, remedy};
    }
  }
  return std::nullopt;
}

Layout::Layout(const isa::Config& config) {
  const IndexBits index = IndexBits::of(config);
  VANTAGE_CHECK(!overflow(index));  // a Config is made only when it can be laid out
  for (Format format : kAllFormats) {
    const auto f = static_cast<size_t>(format);
    fields_[f] = place(format, index);
    positions_[f].fill(kNoField);
    for (size_t i = 0; i < fields_[f].size(); ++i) {
      positions_[f][static_cast<size_t>(fields_[f][i].id)] = static_cast<uint8_t>(i);
    }
  }
}

std::span<const Field> Layout::fields(Format format) const {
  return fields_[static_cast<size_t>(format)];
}

void set(Words& words, const Field& field, uint64_t value) {
  const uint64_t mask = field.max() << (field.lsb & 63);
  words[field.word] = (words[field.word] & ~mask) | ((value << (field.lsb & 63)) & mask);
}

}  // namespace vantage::isa
