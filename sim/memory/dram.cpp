#include "sim/memory/dram.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace vantage::sim {

namespace {
// Never accessible, behind the last byte: an access that slipped past every check faults instead of reading whatever
// the host keeps there.
constexpr size_t kGuardBytes = 1 << 16;
}  // namespace

Dram::Dram(Bytes size) : size_(size) {
  reserve();
}

Dram::Dram(const std::filesystem::path& file, Bytes size) : size_(size), is_file_(true) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    fail("{}: the accelerator's DRAM cannot be opened: {}", file.string(), std::strerror(errno));
  }
  if (static_cast<uint64_t>(status.st_size) < size.count()) {
    ::close(descriptor);
    fail("{}: has {} bytes, expected the accelerator's DRAM of {}", file.string(), status.st_size, size.count());
  }
  reserve();
  void* const mapping = ::mmap(data_, size.count(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
  const int error = errno;
  ::close(descriptor);
  if (mapping == MAP_FAILED) {
    ::munmap(data_, size_.count() + kGuardBytes);
    fail("{}: the accelerator's DRAM cannot be mapped: {}", file.string(), std::strerror(error));
  }
}

void Dram::reserve() {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  if (size_.count() > SIZE_MAX - kGuardBytes) {
    fail("{} bytes of DRAM are more than this machine's addresses reach; give a smaller memory", size_.count());
  }
  VANTAGE_CHECK(size_.count() % page == 0 && kGuardBytes % page == 0);
  void* mapping = ::mmap(nullptr, size_.count() + kGuardBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    fail(
        "cannot reserve {} bytes of address space for the accelerator's DRAM: {}; raise the limit on virtual memory "
        "(ulimit -v)",
        size_.count(), std::strerror(errno));
  }
  data_ = static_cast<std::byte*>(mapping);
  VANTAGE_CHECK(::mprotect(data_ + size_.count(), kGuardBytes, PROT_NONE) == 0);
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
  VANTAGE_CHECK(!is_file_);
  VANTAGE_CHECK(::madvise(data_, size_.count(), MADV_DONTNEED) == 0);
}

}  // namespace vantage::sim
