// u-dma-buf: a kernel module whose devices are contiguous buffers, each with attributes for its place and for cache
// maintenance (github.com/ikwzm/udmabuf).
#include <fcntl.h>

#include "driver/boards/memory/contiguous_memory.h"

namespace vantage::boards {

namespace {

namespace fs = std::filesystem;

// The class's name, and what it was before the module was renamed.
const fs::path kClasses[] = {"/sys/class/u-dma-buf", "/sys/class/udmabuf"};

class Udmabuf : public CachedMemory {
 public:
  Udmabuf(System& system, fs::path attributes, Bytes size)
      : system_(system),
        attributes_(std::move(attributes)),
        coherent_(flag("dma_coherent")),
        physical_address_(read_number(system, attributes_ / "phys_addr")),
        // Not O_SYNC, with which the processor would work around its caches.
        file_(system, fs::path("/dev") / attributes_.filename(), O_RDWR),
        mapping_(system, file_, size, 0) {}

  uint64_t physical_address() const override { return physical_address_; }
  std::byte* data() const override { return mapping_.data(); }
  Bytes size() const override { return mapping_.size(); }
  void to_device(Bytes offset, Bytes size) override { sync("sync_for_device", offset, size); }
  void to_host(Bytes offset, Bytes size) override { sync("sync_for_cpu", offset, size); }

 private:
  bool flag(const char* name) const {
    return system_.exists(attributes_ / name) && read_number(system_, attributes_ / name) != 0;
  }

  void put(const char* name, const std::string& text) {
    if (const int error = write_attribute(system_, attributes_ / name, text); error != 0) {
      fail("{}: '{}' is refused: {}", (attributes_ / name).string(), text, text_of(error));
    }
  }

  void sync(const char* what, Bytes offset, Bytes size) {
    if (coherent_ || size == Bytes(0)) return;
    put("sync_offset", std::to_string(offset.count()));
    put("sync_size", std::to_string(size.count()));
    put(what, "1");
  }

  System& system_;
  const fs::path attributes_;
  const bool coherent_;
  const uint64_t physical_address_;
  const File file_;
  const Mapping mapping_;
};

}  // namespace

MemoryProvider udmabuf() {
  const auto open = [](System& system, const fpga::Board&, Bytes wanted) -> std::unique_ptr<ContiguousMemory> {
    for (const fs::path& folder : kClasses) {
      for (const std::string& name : system.list(folder)) {
        const Bytes size(read_number(system, folder / name / "size"));
        return std::make_unique<Udmabuf>(system, folder / name, std::min(size, wanted));
      }
    }
    throw NotThere("its kernel module has no device");
  };
  return {"u-dma-buf", open};
}

}  // namespace vantage::boards
