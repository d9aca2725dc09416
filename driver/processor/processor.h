// A device that runs functions of the host's own processor: its memory is the host's, kept apart in buffers so that
// they can be compared with what an accelerator holds.
//
// Thread safety: none; use a processor and what is loaded onto it from one thread at a time.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/device/device.h"
#include "driver/device/loaded.h"
#include "native/function.h"
#include "native/workers.h"

namespace vantage::driver {

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
  // A compiled function bound to its arguments, to run on this device's threads, no more. `tensors` are DLPack's, in
  // host memory; what they describe is read in every call, so they and this device must outlive the result. Throws
  // Error, as a call would, for tensors that are seen not to fit (native::require_tensors). What depends on more than
  // one of them, or on where they lie, the function finds out as it is called, and run() throws. What run() makes of
  // its options says driver/processor/loaded_call.h.
  std::unique_ptr<Loaded> load(native::Function function, const std::vector<const DLTensor*>& tensors) const;

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
