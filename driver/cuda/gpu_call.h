// A program bound to addresses: its launches, ready to be given to the driver as often as one likes.
//
// Thread safety: none.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/bound_call.h"
#include "driver/cuda/captured_graph.h"
#include "driver/cuda/gpu_module.h"
#include "driver/cuda/tensor_map.h"

namespace vantage::driver {

class GpuCall final : public BoundCall {
 public:
  // `tensors` and `temporaries`: addresses, in the program's order. Throws Error as GpuModule does.
  GpuCall(std::shared_ptr<const DriverApi> api, std::string name, const GpuInfo& info,
          const native::GpuProgram& program, const std::vector<uint64_t>& tensors,
          const std::vector<uint64_t>& temporaries);

  const std::string& code() const override { return module_.code(); }
  // "the kernel NAME", or several: a fault is seen behind them all.
  std::string what() const override { return kernels(); }

  // Makes a CUDA graph of several launches, which then cost the host one call, once they have run one by one. What
  // follows begins sooner when this was called.
  void prepare(DriverApi::Stream stream) override;
  // Gives all launches to the stream and does not wait. Throws Error for what cannot be launched, with the kernel and
  // its numbers.
  void enqueue(DriverApi::Stream stream) override;
  void launch(DriverApi::Stream stream) override;

 private:
  struct Launch {
    size_t kernel;
    std::array<uint32_t, 3> grid, block;
    std::vector<void*> parameters;  // where each is, in values_ or maps_
  };

  std::string kernels() const;

  const std::shared_ptr<const DriverApi> api_;
  const std::string name_;
  const GpuModule module_;
  const std::vector<native::GpuKernel> kernels_;
  std::vector<uint64_t> values_;
  std::vector<EncodedMap> maps_;
  std::vector<Launch> launches_;
  bool has_run_ = false;
  CapturedGraph graph_;
};

}  // namespace vantage::driver
