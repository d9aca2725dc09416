#include "sim/memory/dram.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/spec/error.h"

namespace vantage::sim {

namespace {
// Never accessible, behind the last byte: an access that slipped past every check faults instead of reading whatever
// the host keeps there.
constexpr size_t kGuardBytes = 1 << 16;
}  // namespace

Dram::Dram(Bytes size) : size_(size) {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  VANTAGE_CHECK(size.count() % page == 0 && kGuardBytes % page == 0);
  void* mapping = ::mmap(nullptr, size.count() + kGuardBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    fail(
        "cannot reserve {} bytes of address space for the accelerator's DRAM: {}; raise the limit on virtual memory "
        "(ulimit -v)",
        size.count(), std::strerror(errno));
  }
  data_ = static_cast<std::byte*>(mapping);
  VANTAGE_CHECK(::mprotect(data_ + size.count(), kGuardBytes, PROT_NONE) == 0);
}

Dram::~Dram() {
  ::munmap(data_, size_.count() + kGuardBytes);
}

std::span<std::byte> Dram::range(Bytes address, Bytes size) {
  if (size > size_ || address > size_ - size) {
    fail("the DRAM range of {} bytes at 0x{:x} ends past the memory's end at 0x{:x}", size.count(), address.count(),
         size_.count());
  }
  return {data_ + address.count(), size.count()};
}

std::span<const std::byte> Dram::range(Bytes address, Bytes size) const {
  return const_cast<Dram*>(this)->range(address, size);
}

void Dram::write(Bytes address, std::span<const std::byte> bytes) {
  std::copy(bytes.begin(), bytes.end(), range(address, Bytes(bytes.size())).begin());
}

void Dram::clear() {
  VANTAGE_CHECK(::madvise(data_, size_.count(), MADV_DONTNEED) == 0);
}

}  // namespace vantage::sim
