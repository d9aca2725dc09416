// A compiled network on its devices: a processor, here or far away, and an accelerator where it has programs; or a GPU,
// which then has all of it.
//
// Lifetime: the devices must outlive it.
// Thread safety: as the devices'.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/tensor/tensor.h"
#include "driver/device/accelerator.h"
#include "driver/processor/function_device.h"
#include "network/network.h"

namespace vantage::driver {

// What a step of a run was.
struct StepRun {
  size_t step = 0;        // of the network's
  double seconds = 0;     // as a clock on the host sees it
  RunResult result = {};  // of a program: counters, and cycles where its device has them
};

class NetworkExecutor {
 public:
  // `functions` has loaded the network's, in order. Copies its constants to the devices. Throws Error when the network
  // cannot be run (check_network()), for programs without an accelerator or with one of another configuration, or
  // beside functions of a GPU, for functions that take other tensors, and when a device has no room.
  NetworkExecutor(std::shared_ptr<const Network> network, FunctionDevice& functions, Accelerator* accelerator);
  // The same with functions of this process.
  NetworkExecutor(std::shared_ptr<const Network> network, std::vector<native::Function> functions, Processor& processor,
                  Accelerator* accelerator);

  const Network& network() const { return *network_; }
  // Whether its functions are a GPU's.
  bool is_on_gpu() const { return functions_.is_gpu(); }

  // Throws Error, naming the input, for one that there is not and for a value of another type.
  void set_input(std::string_view name, const Tensor& value);
  // All steps, in order; `done` is told of each. Without it a GPU is given all of them at once. Throws Error, naming
  // the step, when a program does not end well.
  using StepDone = std::function<void(const StepRun&)>;
  void run(const StepDone& done = nullptr, const RunOptions& options = {});
  // How long a run takes, as a clock on the host sees it, or on a GPU its own: once to warm up, then as
  // time_evaluator() does. Throws Error as run() does.
  Timing time(const TimeOptions& options = {});
  // By its number or its name, as the last run left it.
  Tensor output(size_t number) const;
  Tensor output(std::string_view name) const;  // throws Error for one that there is not
  // What a tensor holds now, on either device: another one may have its place by then.
  Tensor value(size_t tensor) const;

 private:
  const NetworkTensor& tensor(size_t index) const { return network_->tensors[index]; }
  Tensor host_tensor(size_t index) const;
  void write_host(size_t index, std::span<const std::byte> bytes);
  void prepare();
  void place_tensors();
  void place_on_host(size_t index);
  void load_steps();
  void copy(const NetworkStep& step);

  std::shared_ptr<const Network> network_;
  std::unique_ptr<FunctionDevice> own_functions_;
  FunctionDevice& functions_;
  Accelerator* accelerator_;
  std::vector<Buffer> host_slots_, host_constants_, device_slots_, device_constants_;
  std::vector<DLTensor> described_;              // by tensor of the host
  std::vector<const Buffer*> on_device_;         // by tensor; null for what is not there
  std::vector<std::unique_ptr<Loaded>> loaded_;  // by step; null for copies
  std::unique_ptr<Loaded> whole_;                // all of these as one call, where the device has that
};

}  // namespace vantage::driver
