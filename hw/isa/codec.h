// Instructions and micro-ops to bits and back, for one configuration. The bits lie where Layout says.
//
// Thread safety: const access from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "hw/isa/insn.h"
#include "hw/isa/layout.h"

namespace vantage::isa {

inline constexpr size_t kInsnBytes = sizeof(Words);
inline constexpr size_t kMicroOpBytes = kMicroOpBits / 8;

// The longest program, FINISH included: 64 MiB of instructions. Longer ones are refused, so that a wrong count or a
// hostile file cannot take all memory.
inline constexpr size_t kMaxInsns = size_t{1} << 22;

// An instruction, or why its bits are none: `error` is empty exactly when `insn` holds a value.
struct Decoded {
  std::optional<Insn> insn;
  std::string error;
};

class Codec {
 public:
  explicit Codec(const isa::Config& config) : layout_(config) {}

  const Layout& layout() const { return layout_; }

  // Bits outside every field are zero. A value wider than its field throws Error that names the field.
  Words encode(const Insn& insn) const;
  // Accepts any 128 bits; bits outside every field, and the immediate of an ALU instruction that does not use it,
  // are dropped (published compilers leave them uninitialised).
  Decoded decode(const Words& words) const;

  uint32_t encode(const MicroOp& uop) const;
  MicroOp decode_uop(uint32_t bits) const;

 private:
  Layout layout_;
};

// Little-endian bytes in memory, as docs/isa.md section 2 stores them.
Words load_words(std::span<const std::byte, kInsnBytes> bytes);
void store_words(const Words& words, std::span<std::byte, kInsnBytes> bytes);
uint32_t load_u32(std::span<const std::byte, kMicroOpBytes> bytes);
void store_u32(uint32_t value, std::span<std::byte, kMicroOpBytes> bytes);

}  // namespace vantage::isa
