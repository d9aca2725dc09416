// Memory that the kernel was told to leave alone, by /dev/mem. O_SYNC maps it past the processor's caches, so there is
// nothing to maintain; but 64-bit kernels map it as they map registers, where only whole aligned words may be touched:
// the C library's ways to copy would end the process.
#include <fcntl.h>

#include <cstring>

#include "driver/boards/memory/contiguous_memory.h"

namespace vantage::boards {

namespace {

class ReservedMemory : public ContiguousMemory {
 public:
  ReservedMemory(System& system, uint64_t address, Bytes size)
      : physical_address_(address),
        file_(system, "/dev/mem", O_RDWR | O_SYNC),
        mapping_(system, file_, size, address) {}

  uint64_t physical_address() const override { return physical_address_; }
  Bytes size() const override { return mapping_.size(); }

  void write(Bytes offset, std::span<const std::byte> bytes) override {
    for_each_word(
        offset, bytes.size(),
        [&](volatile uint32_t& word, size_t i) {
          uint32_t value = 0;
          std::memcpy(&value, bytes.data() + i, sizeof value);
          word = value;
        },
        [&](volatile uint8_t& byte, size_t i) { byte = std::to_integer<uint8_t>(bytes[i]); });
    settle(offset, Bytes(bytes.size()));
  }
  void read(Bytes offset, std::span<std::byte> bytes) override {
    for_each_word(
        offset, bytes.size(),
        [&](volatile uint32_t& word, size_t i) {
          const uint32_t value = word;
          std::memcpy(bytes.data() + i, &value, sizeof value);
        },
        [&](volatile uint8_t& byte, size_t i) { bytes[i] = std::byte{byte}; });
  }
  void zero(Bytes offset, Bytes size) override {
    for_each_word(
        offset, size.count(), [](volatile uint32_t& word, size_t) { word = 0; },
        [](volatile uint8_t& byte, size_t) { byte = 0; });
    settle(offset, size);
  }

 private:
  // What was written may wait in buffers between here and memory; reading the last of it waits until it has arrived.
  void settle(Bytes offset, Bytes size) const {
    if (size == Bytes(0)) return;
    const auto* const last =
        reinterpret_cast<const volatile uint8_t*>(mapping_.data() + offset.count() + size.count() - 1);
    static_cast<void>(*last);
  }

  // Calls `on_word` or, at both ends, `on_byte` with each place and how far it lies from `offset`.
  void for_each_word(Bytes offset, size_t size, const auto& on_word, const auto& on_byte) const {
    std::byte* const base = mapping_.data() + offset.count();
    for (size_t i = 0; i < size;) {
      if (reinterpret_cast<uintptr_t>(base + i) % sizeof(uint32_t) == 0 && size - i >= sizeof(uint32_t)) {
        on_word(*reinterpret_cast<volatile uint32_t*>(base + i), i);
        i += sizeof(uint32_t);
      } else {
        on_byte(*reinterpret_cast<volatile uint8_t*>(base + i), i);
        ++i;
      }
    }
  }

  const uint64_t physical_address_;
  const File file_;
  const Mapping mapping_;
};

}  // namespace

MemoryProvider reserved_memory() {
  const auto open = [](System& system, const fpga::Board& board, Bytes wanted) -> std::unique_ptr<ContiguousMemory> {
    if (board.reserved_bytes == Bytes(0)) throw NotThere("the board's description has no reserved_memory");
    return std::make_unique<ReservedMemory>(system, board.reserved_address, std::min(board.reserved_bytes, wanted));
  };
  return {"reserved memory", open};
}

}  // namespace vantage::boards
