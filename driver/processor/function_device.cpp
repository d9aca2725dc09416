#include "driver/processor/function_device.h"

#include "base/error.h"

namespace vantage::driver {

void FunctionDevice::load_programs(std::vector<native::GpuProgram>) {
  fail("{} is a processor, which runs no kernels; --target cuda: is a GPU", device().uri());
}

std::unique_ptr<Loaded> FunctionDevice::join(const std::vector<Loaded*>&) {
  return nullptr;
}

namespace {

class FunctionsHere final : public FunctionDevice {
 public:
  FunctionsHere(Processor& processor, std::vector<native::Function> functions)
      : processor_(processor), functions_(std::move(functions)) {}
  explicit FunctionsHere(std::unique_ptr<Processor> processor) : own_(std::move(processor)), processor_(*own_) {}

  Device& device() override { return processor_; }
  bool shares_host_memory() const override { return true; }
  std::string_view architecture() const override { return native::this_architecture(); }

  void load_library(const native::LibraryImage& image, const std::string& source,
                    const std::vector<std::string>& functions) override {
    const native::Library library = native::load_library(image, source);
    for (const std::string& name : functions) functions_.push_back(library.find(name));
  }
  std::unique_ptr<Loaded> load(size_t function, const std::vector<const DLTensor*>& tensors) override {
    return processor_.load(functions_.at(function), tensors);
  }

 private:
  std::unique_ptr<Processor> own_;
  Processor& processor_;
  std::vector<native::Function> functions_;
};

}  // namespace

std::unique_ptr<FunctionDevice> functions_here(Processor& processor, std::vector<native::Function> functions) {
  return std::make_unique<FunctionsHere>(processor, std::move(functions));
}

std::unique_ptr<FunctionDevice> functions_here(std::unique_ptr<Processor> processor) {
  return std::make_unique<FunctionsHere>(std::move(processor));
}

}  // namespace vantage::driver
