#include "driver/processor/processor.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/math.h"
#include "driver/processor/loaded_call.h"

namespace vantage::driver {

namespace {

// A cache line, and the longest vector.
constexpr uint64_t kAlignment = 64;

std::byte* pointer(Bytes address) {
  return reinterpret_cast<std::byte*>(address.count());  // NOLINT: the address of host memory
}

}  // namespace

const std::vector<DeviceKind>& processor_kinds() {
  static const std::vector<DeviceKind> kKinds = {
      {"cpu:", "this machine's processor, by the compiler: results and time"},
      {"openblas:", "this machine's processor, by OpenBLAS: matrix products of floats"},
      {"onednn:", "this machine's processor, by oneDNN: matrix products and convolutions"},
  };
  return kKinds;
}

std::unique_ptr<Processor> Processor::open(std::string_view uri, int threads) {
  if (uri != "cpu:") fail("target '{}' is no processor; the compiler's own is 'cpu:'", uri);
  return std::unique_ptr<Processor>(new Processor(std::string(uri), threads));
}

Processor::~Processor() = default;

Bytes Processor::memory_size() const {
  return Bytes(static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

Bytes Processor::allocate_bytes(Bytes size) {
  const uint64_t whole = round_up(std::max<uint64_t>(size.count(), 1), kAlignment);
  void* memory = std::aligned_alloc(kAlignment, whole);
  if (memory == nullptr) fail("{} has no {} bytes of memory left", uri_, size.count());
  std::memset(memory, 0, whole);
  const auto address = reinterpret_cast<uint64_t>(memory);
  sizes_[address] = size.count();
  return Bytes(address);
}

void Processor::release_bytes(Bytes address, Bytes) {
  sizes_.erase(address.count());
  std::free(pointer(address));  // NOLINT: what aligned_alloc returned
}

void Processor::require_inside(Bytes address, size_t bytes) const {
  for (const auto& [begin, size] : sizes_) {
    if (address.count() >= begin && address.count() + bytes <= begin + size) return;
  }
  fail("{} bytes from {:#x} on are not all in one buffer of {}", bytes, address.count(), uri_);
}

void Processor::write(Bytes address, std::span<const std::byte> bytes) {
  require_inside(address, bytes.size());
  std::memcpy(pointer(address), bytes.data(), bytes.size());
}

void Processor::read(Bytes address, std::span<std::byte> bytes) const {
  require_inside(address, bytes.size());
  std::memcpy(bytes.data(), pointer(address), bytes.size());
}

std::unique_ptr<Loaded> Processor::load(native::Function function, const std::vector<const DLTensor*>& tensors) const {
  native::require_tensors(function.signature(), tensors);
  return load_call([function = std::move(function), arguments = native::arguments_of(tensors),
                    runtime = workers_.runtime()] { function(arguments, runtime); });
}

}  // namespace vantage::driver
