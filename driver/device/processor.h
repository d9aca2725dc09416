// A device that runs functions of the host's own processor: its memory is the host's, kept apart in buffers so that
// they can be compared with what an accelerator holds.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/tensor/tensor.h"
#include "driver/device/device.h"
#include "native/function.h"
#include "native/workers.h"

namespace vantage::driver {

// Something that runs on tensors which lie in a processor's memory: one call. Throws Error when they do not fit it.
using Kernel = std::function<void(const std::vector<const DLTensor*>& tensors)>;

// A tensor in a buffer of its own on a processor, row-major. Not movable: its address is what kernels are called with.
class ResidentTensor {
 public:
  // Zero, or a copy of the host's elements. Throws Error when the device has no room.
  ResidentTensor(Device& device, DType dtype, Tensor::Shape shape);
  ResidentTensor(Device& device, const Tensor& host);
  ResidentTensor(const ResidentTensor&) = delete;
  ResidentTensor& operator=(const ResidentTensor&) = delete;

  // For kernels; as long as this lives.
  const DLTensor* tensor() const { return &tensor_; }
  Bytes size() const { return buffer_.size(); }

  // The elements now, on the host. `host` must have the type and shape of this and be dense; InternalError otherwise.
  Tensor read() const;
  void write(const Tensor& host);

  Buffer& buffer() { return buffer_; }

 private:
  DType dtype_;
  Tensor::Shape shape_;
  Buffer buffer_;
  DLTensor tensor_{};
};

class Processor : public Device {
 public:
  // Opens "cpu:" on so many threads; 0: as many as this process may run on. Throws Error for other URIs.
  static std::unique_ptr<Processor> open(std::string_view uri, int threads = 0);
  ~Processor() override;

  const std::string& uri() const override { return uri_; }
  Bytes memory_size() const override;  // the machine's
  void write(Bytes address, std::span<const std::byte> bytes) override;
  void read(Bytes address, std::span<std::byte> bytes) const override;

  int threads() const { return workers_.threads(); }
  // A compiled function as something to launch, for as long as this device exists: on its threads, no more.
  Kernel load(native::Function function) const;

 protected:
  Processor(std::string uri, int threads) : uri_(std::move(uri)), workers_(threads) {}
  Bytes allocate_bytes(Bytes size) override;
  void release_bytes(Bytes address, Bytes size) override;

 private:
  void require_inside(Bytes address, size_t bytes) const;

  std::string uri_;
  native::Workers workers_;
  std::unordered_map<uint64_t, uint64_t> sizes_;  // of what is allocated, by address
};

const std::vector<DeviceKind>& processor_kinds();

}  // namespace vantage::driver
