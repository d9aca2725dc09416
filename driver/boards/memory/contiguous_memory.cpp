#include "driver/boards/memory/contiguous_memory.h"

#include <algorithm>

#include "base/math.h"
#include "hw/isa/register_map.h"

namespace vantage::boards {

namespace {

constexpr uint64_t kLine = 64;  // the longest of these processors'
constexpr Bytes kLeast{uint64_t{1} << 20};

}  // namespace

void CachedMemory::prepare(Bytes offset, Bytes size) {
  if (size == Bytes(0)) return;
  const uint64_t begin = offset.count(), end = begin + size.count();
  const uint64_t first = begin / kLine * kLine, last = end / kLine * kLine;
  const auto take = [&](uint64_t line) { to_host(Bytes(line), std::min(Bytes(kLine), this->size() - Bytes(line))); };
  if (begin != first) take(first);
  if (end != last && (last != first || begin == first)) take(last);
}

void CachedMemory::write(Bytes offset, std::span<const std::byte> bytes) {
  prepare(offset, Bytes(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), data() + offset.count());
  to_device(offset, Bytes(bytes.size()));
}

void CachedMemory::read(Bytes offset, std::span<std::byte> bytes) {
  to_host(offset, Bytes(bytes.size()));
  std::copy_n(data() + offset.count(), bytes.size(), bytes.begin());
}

void CachedMemory::zero(Bytes offset, Bytes size) {
  prepare(offset, size);
  std::fill_n(data() + offset.count(), size.count(), std::byte{0});
  to_device(offset, size);
}

Bytes allocate_most(Bytes wanted, const std::function<bool(Bytes size)>& allocate) {
  for (Bytes size = wanted;; size = Bytes(size.count() / 2)) {
    size = Bytes(round_up(size.count(), kPage));
    if (allocate(size)) return size;
    if (size.count() / 2 < kLeast.count()) {
      fail("{} bytes cannot be allocated; is another program holding the board's memory?", size.count());
    }
  }
}

std::vector<MemoryProvider> memory_providers() {
  return {udmabuf(), xrt(), libcma(), dma_heap(), reserved_memory()};
}

std::unique_ptr<ContiguousMemory> open_contiguous_memory(const std::vector<MemoryProvider>& providers, System& system,
                                                         const fpga::Board& board, Bytes wanted) {
  std::string reasons;
  for (const MemoryProvider& provider : providers) {
    try {
      auto memory = provider.open(system, board, wanted);
      const uint64_t end = memory->physical_address() + memory->size().count();
      if (end > isa::kAddressSpace.count()) {
        fail("its memory ends at 0x{:x}, past the {} GiB that the core's addresses reach", end,
             isa::kAddressSpace.count() >> 30);
      }
      return memory;
    } catch (const NotThere& reason) {
      reasons += fmt::format("; {}: {}", provider.name, reason.what());
    } catch (const Error& error) {
      // What is there and does not work is to be mended, not passed by.
      fail("{}: {}", provider.name, error.what());
    }
  }
  fail("no memory that the FPGA reaches is to be had, see docs/boards.md{}", reasons);
}

}  // namespace vantage::boards
