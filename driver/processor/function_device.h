// What runs the functions of compiled code: a processor with memory of its own, this machine's or another's, or a GPU.
//
// Thread safety: as a device's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/processor/processor.h"
#include "native/gpu_program.h"
#include "native/library.h"

namespace vantage::driver {

class FunctionDevice {
 public:
  FunctionDevice() = default;
  FunctionDevice(const FunctionDevice&) = delete;
  FunctionDevice& operator=(const FunctionDevice&) = delete;
  virtual ~FunctionDevice() = default;

  virtual Device& device() = 0;
  // Whether functions reach what this process has in memory, so that it need not be copied.
  virtual bool shares_host_memory() const = 0;
  // What DLPack calls the place where its tensors lie.
  virtual DLDevice place() const { return {kDLCPU, 0}; }
  bool is_gpu() const { return place().device_type == kDLCUDA; }
  // Whose code it runs, as triples begin: "aarch64"; of a GPU "sm_90".
  virtual std::string_view architecture() const = 0;

  // Functions of this library by their names, which from here on are known by their numbers. Throws Error, beginning
  // with `source`, as native::load_library() does, where the device is far away and takes no code, and where it is a
  // GPU.
  virtual void load_library(const native::LibraryImage& image, const std::string& source,
                            const std::vector<std::string>& functions) = 0;
  // The same of a GPU: these, in order. Throws Error where the device is none.
  virtual void load_programs(std::vector<native::GpuProgram> programs);
  // A function bound to dense tensors, whose data are addresses in the device's memory; they and what they describe
  // must outlive the result. Throws Error as Processor::load() does.
  virtual std::unique_ptr<Loaded> load(size_t function, const std::vector<const DLTensor*>& tensors) = 0;
  // What load() gave, one after another, as one call that is begun once and waited for once; they must outlive it. Null
  // where that is no less than calling each.
  virtual std::unique_ptr<Loaded> join(const std::vector<Loaded*>& calls);
};

// This machine's processor, which must outlive the result, with functions that there are; or one of its own, with none
// yet.
std::unique_ptr<FunctionDevice> functions_here(Processor& processor, std::vector<native::Function> functions);
std::unique_ptr<FunctionDevice> functions_here(std::unique_ptr<Processor> processor);

}  // namespace vantage::driver
