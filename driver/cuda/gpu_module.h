// The kernels of a program as the driver holds them.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/driver_api.h"
#include "driver/cuda/gpu.h"
#include "native/gpu_program.h"

namespace vantage::driver {

class GpuModule {
 public:
  // Loads the machine code, or else, where the driver does not take it, has it made from the PTX. Throws Error with
  // both answers of the driver and with what would help: other code, or another driver. REQUIRES: the device's context
  // is current, here and until the end of this.
  GpuModule(std::shared_ptr<const DriverApi> api, std::string name, const GpuInfo& info,
            const native::GpuProgram& program);
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;
  ~GpuModule();

  // In the order of the program's kernels.
  const std::vector<DriverApi::Function>& functions() const { return functions_; }
  const std::string& code() const { return code_; }  // see Gpu::Bound

 private:
  void load_code(const GpuInfo& info, const native::GpuProgram& program);
  void find_functions(const GpuInfo& info, const native::GpuProgram& program);

  const std::shared_ptr<const DriverApi> api_;
  const std::string name_;
  DriverApi::Module module_ = nullptr;
  std::vector<DriverApi::Function> functions_;
  std::string code_;
};

}  // namespace vantage::driver
