// Where every field of an instruction and of a micro-op lies. This is the one table of fields (docs/isa.md section 2):
// the codec encodes and decodes by it, the RTL's package is generated from it, the compiler takes the limits of fields
// from it, and a configuration whose instructions do not fit is refused by it.
//
// Fields are laid from bit 0 upward inside a 64-bit word; one that does not fit what is left starts the next word.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace vantage::isa {

class Config;

enum class Format : uint8_t { kTransfer, kGemm, kAlu, kMicroOp };
inline constexpr std::array kAllFormats = {Format::kTransfer, Format::kGemm, Format::kAlu, Format::kMicroOp};
std::string_view name(Format format);  // "LOAD/STORE", "GEMM", "ALU", "micro-op"

enum class FieldId : uint8_t {
  kOpcode,
  kPopPrev,
  kPopNext,
  kPushPrev,
  kPushNext,
  kMemoryType,
  kSramBase,
  kDramBase,
  kYSize,
  kXSize,
  kXStride,
  kYPad0,
  kYPad1,
  kXPad0,
  kXPad1,
  kReset,
  kUopBegin,
  kUopEnd,
  kIterOut,
  kIterIn,
  kDstFactorOut,
  kDstFactorIn,
  kSrcFactorOut,
  kSrcFactorIn,
  kWgtFactorOut,
  kWgtFactorIn,
  kAluOpcode,
  kUseImm,
  kImm,
  kDstIndex,
  kSrcIndex,
  kWgtIndex,
};
inline constexpr size_t kFieldIds = static_cast<size_t>(FieldId::kWgtIndex) + 1;

// Bits of a transfer's sram_base, which names an element of the deepest scratchpad; and of a micro-op.
inline constexpr uint8_t kSramBaseBits = 16;
inline constexpr uint8_t kMicroOpBits = 32;

// An instruction's bits as two words, the lower first; a micro-op uses word 0 only.
using Words = std::array<uint64_t, 2>;

// Bits that there are for the fields of a format.
constexpr int room(Format format) {
  return format == Format::kMicroOp ? int{kMicroOpBits} : static_cast<int>(8 * sizeof(Words));
}

struct Field {
  FieldId id;
  std::string_view name;  // as in docs/isa.md
  uint8_t word;           // 0 or 1
  uint8_t lsb;            // inside that word
  uint8_t width;          // bits; 0 where a scratchpad has a single element
  bool is_signed;

  // The largest value that the bits hold, whatever sign they stand for.
  uint64_t max() const { return width == 0 ? 0 : ~uint64_t{0} >> (64 - width); }

  // The smallest and the largest value that the field stands for: half of those of a signed one are below zero.
  int64_t lowest() const { return is_signed ? -highest() - 1 : 0; }
  int64_t highest() const { return static_cast<int64_t>(is_signed ? max() / 2 : max()); }
};

// The values of a field that is as wide in every configuration, for where no configuration is at hand.
// REQUIRES: the format has such a field; InternalError otherwise.
struct FieldRange {
  int64_t lowest, highest;
};
FieldRange fixed_range(Format format, FieldId id);

// log2 of the scratchpads' depths: all that a layout depends on.
struct IndexBits {
  int uop, inp, wgt, acc;
  static IndexBits of(const isa::Config& config);
};

class Layout {
 public:
  explicit Layout(const isa::Config& config);

  // The fields of a format in order of position.
  std::span<const Field> fields(Format format) const;
  // One field; the format must have it.
  const Field& field(Format format, FieldId id) const {
    const auto f = static_cast<size_t>(format);
    const uint8_t position = positions_[f][static_cast<size_t>(id)];
    VANTAGE_CHECK(position != kNoField);
    return fields_[f][position];
  }

  // What stops a configuration from being laid out, if anything does: the first field that needs a third word, and
  // the configuration keys that would make room.
  struct Overflow {
    Format format;
    std::string_view field;
    std::string_view remedy;
  };
  static std::optional<Overflow> overflow(const IndexBits& index);

 private:
  std::array<std::vector<Field>, kAllFormats.size()> fields_;
  // Where in fields_ a field is, or kNoField
  static constexpr uint8_t kNoField = 0xff;
  std::array<std::array<uint8_t, kFieldIds>, kAllFormats.size()> positions_;
};

// Reads or writes one field.
inline uint64_t get(const Words& words, const Field& field) {
  return (words[field.word] >> (field.lsb & 63)) & field.max();
}
void set(Words& words, const Field& field, uint64_t value);  // keeps the low `width` bits of value

}  // namespace vantage::isa
