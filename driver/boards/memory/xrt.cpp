// Buffers of Xilinx's runtime (XRT), which Pynq images from 2.7 on have: its C interface, xrt/xrt_device.h and
// xrt/xrt_bo.h.
#include <cerrno>

#include "driver/boards/memory/shared_library.h"

namespace vantage::boards {

namespace {

using DeviceHandle = void*;
using BufferHandle = void*;
using XrtOpen = DeviceHandle(unsigned int index);
using XrtClose = int(DeviceHandle device);
using XrtAllocate = BufferHandle(DeviceHandle device, size_t bytes, uint64_t flags, uint32_t group);
using XrtFree = int(BufferHandle buffer);
using XrtAddress = uint64_t(BufferHandle buffer);
using XrtMap = void*(BufferHandle buffer);
using XrtSync = int(BufferHandle buffer, int direction, size_t bytes, size_t offset);

constexpr uint64_t kCacheable = uint64_t{1} << 24;  // XRT_BO_FLAGS_CACHEABLE
constexpr int kToDevice = 0;                        // XCL_BO_SYNC_BO_TO_DEVICE
constexpr int kFromDevice = 1;                      // XCL_BO_SYNC_BO_FROM_DEVICE

class XrtBuffer : public CachedMemory {
 public:
  XrtBuffer(System& system, Bytes wanted)
      : library_(system, {"libxrt_coreutil.so.2", "libxrt_coreutil.so"}),
        close_(library_.get<XrtClose>("xrtDeviceClose")),
        free_(library_.get<XrtFree>("xrtBOFree")),
        sync_(library_.get<XrtSync>("xrtBOSync")) {
    device_.reset(library_.get<XrtOpen>("xrtDeviceOpen")(0), close_);
    if (device_ == nullptr) fail("the runtime finds no device; is the kernel's zocl module loaded?");
    const auto allocate = library_.get<XrtAllocate>("xrtBOAlloc");
    size_ = allocate_most(wanted, [&](Bytes size) {
      const BufferHandle buffer = allocate(device_.get(), size.count(), kCacheable, 0);
      if (buffer != nullptr) buffer_.reset(buffer, free_);
      return buffer != nullptr;
    });
    data_ = static_cast<std::byte*>(library_.get<XrtMap>("xrtBOMap")(buffer_.get()));
    if (data_ == nullptr) fail("a buffer of {} bytes cannot be mapped", size_.count());
    physical_address_ = library_.get<XrtAddress>("xrtBOAddress")(buffer_.get());
  }

  uint64_t physical_address() const override { return physical_address_; }
  std::byte* data() const override { return data_; }
  Bytes size() const override { return size_; }
  void to_device(Bytes offset, Bytes size) override { sync(kToDevice, offset, size); }
  void to_host(Bytes offset, Bytes size) override { sync(kFromDevice, offset, size); }

 private:
  void sync(int direction, Bytes offset, Bytes size) const {
    if (size == Bytes(0)) return;
    if (const int error = sync_(buffer_.get(), direction, size.count(), offset.count()); error != 0) {
      fail("caches cannot be maintained: {}", text_of(std::abs(error)));
    }
  }

  const SharedLibrary library_;
  XrtClose* const close_;
  XrtFree* const free_;
  XrtSync* const sync_;
  Bytes size_;
  std::shared_ptr<void> device_;
  std::shared_ptr<void> buffer_;  // freed before the device is closed
  std::byte* data_ = nullptr;
  uint64_t physical_address_ = 0;
};

}  // namespace

MemoryProvider xrt() {
  return {"xrt", [](System& system, const fpga::Board&, Bytes wanted) -> std::unique_ptr<ContiguousMemory> {
            return std::make_unique<XrtBuffer>(system, wanted);
          }};
}

}  // namespace vantage::boards
