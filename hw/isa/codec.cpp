#include "hw/isa/codec.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "base/error.h"

namespace vantage::isa {

namespace {

using F = FieldId;

// Ties each struct member to its field, once for both directions: `visit(field, member)`.
template <typename Insn, typename Visit>
void visit_deps(Insn& insn, Visit visit) {
  visit(F::kPopPrev, insn.deps.pop_prev);
  visit(F::kPopNext, insn.deps.pop_next);
  visit(F::kPushPrev, insn.deps.push_prev);
  visit(F::kPushNext, insn.deps.push_next);
}

template <typename Transfer, typename Visit>
void visit_transfer(Transfer& t, Visit visit) {
  visit(F::kMemoryType, t.memory);
  visit(F::kSramBase, t.sram_base);
  visit(F::kDramBase, t.dram_base);
  visit(F::kYSize, t.y_size);
  visit(F::kXSize, t.x_size);
  visit(F::kXStride, t.x_stride);
  visit(F::kYPad0, t.y_pad_0);
  visit(F::kYPad1, t.y_pad_1);
  visit(F::kXPad0, t.x_pad_0);
  visit(F::kXPad1, t.x_pad_1);
}

template <typename Loop, typename Visit>
void visit_loop(Loop& loop, Visit visit) {
  visit(F::kUopBegin, loop.uop_bgn);
  visit(F::kUopEnd, loop.uop_end);
  visit(F::kIterOut, loop.iter_out);
  visit(F::kIterIn, loop.iter_in);
  visit(F::kDstFactorOut, loop.dst_factor_out);
  visit(F::kDstFactorIn, loop.dst_factor_in);
  visit(F::kSrcFactorOut, loop.src_factor_out);
  visit(F::kSrcFactorIn, loop.src_factor_in);
}

// Overloads for const and non-const instructions.
template <typename L, typename Visit>
requires std::same_as<std::remove_const_t<L>, Load> || std::same_as<std::remove_const_t<L>, Store>
void visit_fields(L& insn, Visit visit) {
  visit_deps(insn, visit);
  visit_transfer(insn.transfer, visit);
}

template <typename G, typename Visit>
requires std::same_as<std::remove_const_t<G>, Gemm>
void visit_fields(G& insn, Visit visit) {
  visit_deps(insn, visit);
  visit(F::kReset, insn.reset);
  visit_loop(insn.loop, visit);
  visit(F::kWgtFactorOut, insn.wgt_factor_out);
  visit(F::kWgtFactorIn, insn.wgt_factor_in);
}

template <typename A, typename Visit>
requires std::same_as<std::remove_const_t<A>, Alu>
void visit_fields(A& insn, Visit visit) {
  visit_deps(insn, visit);
  visit_loop(insn.loop, visit);
  visit(F::kAluOpcode, insn.op);
  visit(F::kUseImm, insn.use_imm);
  visit(F::kImm, insn.imm);
}

template <typename Fin, typename Visit>
requires std::same_as<std::remove_const_t<Fin>, Finish>
void visit_fields(Fin& insn, Visit visit) {
  visit_deps(insn, visit);
}

template <typename M, typename Visit>
requires std::same_as<std::remove_const_t<M>, MicroOp>
void visit_fields(M& uop, Visit visit) {
  visit(F::kDstIndex, uop.dst);
  visit(F::kSrcIndex, uop.src);
  visit(F::kWgtIndex, uop.wgt);
}

struct Kind {
  Opcode opcode;
  Format format;
};
Kind kind(const Load&) {
  return {Opcode::kLoad, Format::kTransfer};
}
Kind kind(const Store&) {
  return {Opcode::kStore, Format::kTransfer};
}
Kind kind(const Gemm&) {
  return {Opcode::kGemm, Format::kGemm};
}
Kind kind(const Alu&) {
  return {Opcode::kAlu, Format::kAlu};
}
// FINISH has only the head, which all formats share.
Kind kind(const Finish&) {
  return {Opcode::kFinish, Format::kTransfer};
}

void set_checked(Words& words, const Field& field, int64_t value) {
  if (value < field.lowest() || value > field.highest()) {
    fail("the field {} is {}, which its {} bits cannot hold ({} to {})", field.name, value, field.width, field.lowest(),
         field.highest());
  }
  set(words, field, static_cast<uint64_t>(value));
}

int64_t get_extended(const Words& words, const Field& field) {
  const uint64_t raw = get(words, field);
  if (!field.is_signed) return static_cast<int64_t>(raw);
  const int shift = 64 - field.width;
  return static_cast<int64_t>(raw << shift) >> shift;
}

template <typename T>
Words encode_fields(const T& value, Format format, const Layout& layout) {
  Words words{};
  visit_fields(value, [&](F id, const auto& member) {
    set_checked(words, layout.field(format, id), static_cast<int64_t>(member));
  });
  return words;
}

template <typename T>
T decode_fields(const Words& words, Format format, const Layout& layout) {
  T value;
  visit_fields(value, [&](F id, auto& member) {
    member = static_cast<std::remove_reference_t<decltype(member)>>(get_extended(words, layout.field(format, id)));
  });
  return value;
}

template <typename T>
Decoded decode_transfer(const Words& words, const Layout& layout) {
  const uint64_t type = get(words, layout.field(Format::kTransfer, F::kMemoryType));
  if (type >= kAllMemories.size()) {
    return {std::nullopt, fmt::format("unknown memory type {} (there are 0 to {})", type, kAllMemories.size() - 1)};
  }
  return {decode_fields<T>(words, Format::kTransfer, layout), {}};
}

Decoded decode_alu(const Words& words, const Layout& layout) {
  const uint64_t op = get(words, layout.field(Format::kAlu, F::kAluOpcode));
  if (op >= kAllAluOps.size()) {
    return {std::nullopt, fmt::format("unknown ALU opcode {} (there are 0 to {})", op, kAllAluOps.size() - 1)};
  }
  Alu alu = decode_fields<Alu>(words, Format::kAlu, layout);
  if (!alu.use_imm) alu.imm = 0;
  return {alu, {}};
}

}  // namespace

Words Codec::encode(const Insn& insn) const {
  return std::visit(
      [&](const auto& i) {
        const auto [opcode, format] = kind(i);
        Words words = encode_fields(i, format, layout_);
        set(words, layout_.field(format, F::kOpcode), static_cast<uint64_t>(opcode));
        return words;
      },
      insn);
}

Decoded Codec::decode(const Words& words) const {
  const uint64_t opcode = get(words, layout_.field(Format::kTransfer, F::kOpcode));
  switch (static_cast<Opcode>(opcode)) {
    case Opcode::kLoad: return decode_transfer<Load>(words, layout_);
    case Opcode::kStore: return decode_transfer<Store>(words, layout_);
    case Opcode::kGemm: return {decode_fields<Gemm>(words, Format::kGemm, layout_), {}};
    case Opcode::kAlu: return decode_alu(words, layout_);
    case Opcode::kFinish: return {decode_fields<Finish>(words, Format::kTransfer, layout_), {}};
  }
  return {std::nullopt, fmt::format("unknown opcode {} (there are 0 to {})", opcode, kAllOpcodes.size() - 1)};
}

uint32_t Codec::encode(const MicroOp& uop) const {
  return static_cast<uint32_t>(encode_fields(uop, Format::kMicroOp, layout_)[0]);
}

MicroOp Codec::decode_uop(uint32_t bits) const {
  return decode_fields<MicroOp>(Words{bits, 0}, Format::kMicroOp, layout_);
}

namespace {

template <typename T>
T load_le(std::span<const std::byte> bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(bytes[i]) << (8 * i);
  return value;
}

template <typename T>
void store_le(T value, std::span<std::byte> bytes) {
  for (size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
}

}  // namespace

Words load_words(std::span<const std::byte, kInsnBytes> bytes) {
  return {load_le<uint64_t>(bytes.first(8)), load_le<uint64_t>(bytes.last(8))};
}

void store_words(const Words& words, std::span<std::byte, kInsnBytes> bytes) {
  store_le(words[0], bytes.first(8));
  store_le(words[1], bytes.last(8));
}

uint32_t load_u32(std::span<const std::byte, kMicroOpBytes> bytes) {
  return load_le<uint32_t>(bytes);
}

void store_u32(uint32_t value, std::span<std::byte, kMicroOpBytes> bytes) {
  store_le(value, bytes);
}

}  // namespace vantage::isa
