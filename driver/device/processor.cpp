#include "driver/device/processor.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace vantage::driver {

namespace {

// A cache line, and the longest vector.
constexpr uint64_t kAlignment = 64;

std::byte* pointer(Bytes address) {
  return reinterpret_cast<std::byte*>(address.count());  // NOLINT: the address of host memory
}

}  // namespace

ResidentTensor::ResidentTensor(Device& device, DType dtype, Tensor::Shape shape)
    : dtype_(dtype), shape_(std::move(shape)), buffer_(device.allocate(Bytes(dense_bytes(dtype, shape_)))) {
  tensor_ = {pointer(buffer_.address()),
             {kDLCPU, 0},
             static_cast<int>(shape_.size()),
             dl_dtype(dtype),
             shape_.data(),
             nullptr,
             0};
}

ResidentTensor::ResidentTensor(Device& device, const Tensor& host)
    : ResidentTensor(device, host.dtype(), host.shape()) {
  host.is_dense() ? write(host) : write(host.reshaped(host.shape()));
}

Tensor ResidentTensor::read() const {
  Tensor host(dtype_, shape_);
  buffer_.read(host.bytes());
  return host;
}

void ResidentTensor::write(const Tensor& host) {
  VANTAGE_CHECK(host.dtype() == dtype_ && host.shape() == shape_ && host.is_dense());
  buffer_.write(host.bytes());
}

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
  const uint64_t whole = (std::max<uint64_t>(size.count(), 1) + kAlignment - 1) / kAlignment * kAlignment;
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

Kernel Processor::load(native::Function function) const {
  return [function = std::move(function), runtime = workers_.runtime()](const std::vector<const DLTensor*>& tensors) {
    function(tensors, runtime);
  };
}

}  // namespace vantage::driver
