#include "driver/boards/memory/contiguous_memory.h"

#include <algorithm>

namespace vantage::boards {

void CachedMemory::write(Bytes offset, std::span<const std::byte> bytes) {
  std::copy(bytes.begin(), bytes.end(), data() + offset.count());
  to_device(offset, Bytes(bytes.size()));
}

void CachedMemory::read(Bytes offset, std::span<std::byte> bytes) {
  to_host(offset, Bytes(bytes.size()));
  std::copy_n(data() + offset.count(), bytes.size(), bytes.begin());
}

void CachedMemory::zero(Bytes offset, Bytes size) {
  std::fill_n(data() + offset.count(), size.count(), std::byte{0});
  to_device(offset, size);
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
      if (end > uint64_t{1} << 32) {
        fail("its memory ends at 0x{:x}, past the 4 GiB that the core's addresses reach", end);
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
