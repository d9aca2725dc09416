// The kernel's DMA-BUF heaps: their CMA heap gives contiguous buffers. Two things it does not give: the physical
// address, which /proc/self/pagemap tells root; and cache maintenance for a device that is no kernel driver's, so it
// serves only where the FPGA's port sees the processor's caches.
#include <fcntl.h>
#include <linux/dma-heap.h>

#include <cerrno>

#include "driver/boards/memory/contiguous_memory.h"

namespace vantage::boards {

namespace {

namespace fs = std::filesystem;

const fs::path kHeaps = "/dev/dma_heap";
const fs::path kPageMap = "/proc/self/pagemap";

// /proc/self/pagemap: 64 bits for every page of this process; Documentation/admin-guide/mm/pagemap.rst.
constexpr uint64_t kPresent = uint64_t{1} << 63;
constexpr uint64_t kFrame = (uint64_t{1} << 55) - 1;

// A file descriptor that an ioctl made.
class Descriptor {
 public:
  Descriptor(System& system, int file) : system_(system), file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { system_.close(file_); }
  int get() const { return file_; }

 private:
  System& system_;
  const int file_;
};

// CMA heaps first are called `linux,cma`, or as the device tree calls their region; `system` is not contiguous.
std::string contiguous_heap(System& system) {
  for (const std::string& name : system.list(kHeaps)) {
    if (name != "system" && name != "system-uncached") return name;
  }
  throw NotThere(fmt::format("{} has no heap of contiguous memory", kHeaps.string()));
}

class DmaHeap : public CachedMemory {
 public:
  DmaHeap(System& system, const fs::path& heap, Bytes wanted)
      : buffer_(system, allocate(system, heap, wanted)), mapping_(map(system, heap)) {
    physical_address_ = find_physical_address(system);
  }

  uint64_t physical_address() const override { return physical_address_; }
  std::byte* data() const override { return mapping_->data(); }
  Bytes size() const override { return size_; }
  void to_device(Bytes, Bytes) override {}
  void to_host(Bytes, Bytes) override {}

 private:
  int allocate(System& system, const fs::path& heap, Bytes wanted) {
    const File file(system, heap, O_RDWR);
    dma_heap_allocation_data request{};
    size_ = allocate_most(wanted, [&](Bytes size) {
      request.len = size.count();
      request.fd_flags = O_RDWR | O_CLOEXEC;
      if (system.ioctl(file.get(), DMA_HEAP_IOCTL_ALLOC, &request) == 0) return true;
      if (errno != ENOMEM) {
        fail("{}: {} bytes cannot be allocated: {}", heap.string(), size.count(), text_of(errno));
      }
      return false;
    });
    return static_cast<int>(request.fd);
  }

  std::unique_ptr<Mapping> map(System& system, const fs::path& heap) const {
    return std::make_unique<Mapping>(system, buffer_.get(), heap, size_, 0);
  }

  uint64_t find_physical_address(System& system) const {
    const File file(system, kPageMap, O_RDONLY);
    const uint64_t pages = size_.count() / kPage;
    uint64_t first = 0;
    for (uint64_t i = 0; i < pages; ++i) {
      std::byte* const page = mapping_->data() + i * kPage;
      *page = std::byte{0};  // makes the page present
      uint64_t entry = 0;
      const uint64_t at = reinterpret_cast<uintptr_t>(page) / kPage * sizeof entry;
      if (system.read_at(file.get(), &entry, sizeof entry, at) != sizeof entry) {
        fail("{}: cannot be read: {}", kPageMap.string(), text_of(errno));
      }
      const uint64_t frame = entry & kFrame;
      if ((entry & kPresent) == 0 || frame == 0) {
        fail("{}: shows no physical address; only root sees it, and newer kernels hide it for these buffers",
             kPageMap.string());
      }
      if (i == 0) first = frame;
      if (frame != first + i) fail("the heap's memory is not contiguous: page {} lies elsewhere", i);
    }
    return first * kPage;
  }

  Bytes size_;
  const Descriptor buffer_;
  const std::unique_ptr<Mapping> mapping_;
  uint64_t physical_address_ = 0;
};

}  // namespace

MemoryProvider dma_heap() {
  const auto open = [](System& system, const fpga::Board& board, Bytes wanted) -> std::unique_ptr<ContiguousMemory> {
    const std::string heap = contiguous_heap(system);
    if (!board.coherent) {
      throw NotThere("the FPGA's port does not see the processor's caches, which these heaps do not write back for it");
    }
    return std::make_unique<DmaHeap>(system, kHeaps / heap, wanted);
  };
  return {"dma-heap", open};
}

}  // namespace vantage::boards
