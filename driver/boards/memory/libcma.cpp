// libcma.so of Pynq images up to 2.6: an allocator over the kernel's contiguous memory, /dev/xlnk (its header:
// github.com/Xilinx/PYNQ, libxlnk_cma.h).
#include "driver/boards/memory/shared_library.h"

namespace vantage::boards {

namespace {

constexpr const char* kDevice = "/dev/xlnk";

using CmaAllocate = void*(uint32_t bytes, uint32_t cacheable);
using CmaFree = void(void* buffer);
using AddressFunction = unsigned long(void* buffer);
using CacheFunction = void(void* buffer, unsigned int physical_address, int bytes);

class LibCma : public CachedMemory {
 public:
  LibCma(System& system, Bytes wanted)
      : library_(system, {"libcma.so", "libsds_lib.so"}),
        free_(library_.get<CmaFree>("cma_free")),
        flush_(library_.find<CacheFunction>("cma_flush_cache")),
        invalidate_(library_.find<CacheFunction>("cma_invalidate_cache")) {
    const auto allocate = library_.get<CmaAllocate>("cma_alloc");
    const auto address_of = library_.get<AddressFunction>("cma_get_phy_addr");
    // Without a way to maintain caches, memory past them.
    const bool cacheable = flush_ != nullptr && invalidate_ != nullptr;
    size_ = allocate_most(wanted, [&](Bytes size) {
      void* const data = allocate(static_cast<uint32_t>(size.count()), cacheable ? 1 : 0);
      // Releases differ in what they give when they have nothing.
      if (data == nullptr || data == reinterpret_cast<void*>(-1)) return false;
      data_ = static_cast<std::byte*>(data);
      return true;
    });
    if (!cacheable) flush_ = invalidate_ = nullptr;
    physical_address_ = address_of(data_);
  }
  ~LibCma() override { free_(data_); }

  uint64_t physical_address() const override { return physical_address_; }
  std::byte* data() const override { return data_; }
  Bytes size() const override { return size_; }
  void to_device(Bytes offset, Bytes size) override { maintain(flush_, offset, size); }
  void to_host(Bytes offset, Bytes size) override { maintain(invalidate_, offset, size); }

 private:
  void maintain(CacheFunction* function, Bytes offset, Bytes size) const {
    if (function == nullptr || size == Bytes(0)) return;
    function(data_ + offset.count(), static_cast<unsigned int>(physical_address_ + offset.count()),
             static_cast<int>(size.count()));
  }

  const SharedLibrary library_;
  CmaFree* const free_;
  CacheFunction* flush_;
  CacheFunction* invalidate_;
  Bytes size_;
  std::byte* data_ = nullptr;
  uint64_t physical_address_ = 0;
};

}  // namespace

MemoryProvider libcma() {
  return {"libcma", [](System& system, const fpga::Board&, Bytes wanted) -> std::unique_ptr<ContiguousMemory> {
            // Without the device, loading the library would end this process.
            if (!system.exists(kDevice)) throw NotThere(fmt::format("the kernel has no {}", kDevice));
            return std::make_unique<LibCma>(system, wanted);
          }};
}

}  // namespace vantage::boards
