#include "driver/cuda/gpu_functions.h"

#include <iterator>

#include "base/error.h"

namespace vantage::driver {

namespace {

class FunctionsOnGpu final : public FunctionDevice {
 public:
  explicit FunctionsOnGpu(Cuda& gpu) : gpu_(gpu), architecture_(architecture_name(gpu.info())) {}
  explicit FunctionsOnGpu(std::unique_ptr<Cuda> gpu)
      : own_(std::move(gpu)), gpu_(*own_), architecture_(architecture_name(gpu_.info())) {}

  Device& device() override { return gpu_; }
  bool shares_host_memory() const override { return false; }
  DLDevice place() const override { return {kDLCUDA, gpu_.number()}; }
  std::string_view architecture() const override { return architecture_; }

  void load_library(const native::LibraryImage&, const std::string& source, const std::vector<std::string>&) override {
    fail("{}: has code for processors, and {} is a GPU", source, gpu_.uri());
  }
  void load_programs(std::vector<native::GpuProgram> programs) override {
    programs_.insert(programs_.end(), std::make_move_iterator(programs.begin()),
                     std::make_move_iterator(programs.end()));
  }
  std::unique_ptr<Loaded> load(size_t function, const std::vector<const DLTensor*>& tensors) override {
    return gpu_.load(programs_.at(function), tensors);
  }
  std::unique_ptr<Loaded> join(const std::vector<Loaded*>& calls) override { return gpu_.join(calls); }

 private:
  std::unique_ptr<Cuda> own_;
  Cuda& gpu_;
  std::string architecture_;
  std::vector<native::GpuProgram> programs_;
};

}  // namespace

std::unique_ptr<FunctionDevice> functions_on_gpu(std::unique_ptr<Cuda> gpu) {
  return std::make_unique<FunctionsOnGpu>(std::move(gpu));
}

std::unique_ptr<FunctionDevice> functions_on_gpu(Cuda& gpu) {
  return std::make_unique<FunctionsOnGpu>(gpu);
}

}  // namespace vantage::driver
