#include "driver/simulators/simulator_device.h"

#include <algorithm>

#include "driver/device/allocator.h"
#include "hw/program/link.h"

namespace vantage::driver {

namespace {

// Address 0 stays free, so that a forgotten relocation reads zeros instead of someone's tensor.
constexpr Bytes kFirstAddress{4096};

class SimulatorDevice : public Accelerator {
 public:
  SimulatorDevice(std::string uri, std::unique_ptr<sim::Machine> machine, Bytes dram)
      : uri_(std::move(uri)),
        machine_(std::move(machine)),
        dram_(dram),
        allocator_(kFirstAddress, dram_.size(), buffer_alignment(machine_->config())) {}

  const std::string& uri() const override { return uri_; }
  const isa::Config& config() const override { return machine_->config(); }
  Bytes memory_size() const override { return dram_.size(); }

  void write(Bytes address, std::span<const std::byte> bytes) override { dram_.write(address, bytes); }
  void read(Bytes address, std::span<std::byte> bytes) const override {
    const auto range = dram_.range(address, Bytes(bytes.size()));
    std::copy(range.begin(), range.end(), bytes.begin());
  }

  RunResult run(const ProgramImage& image, const RunOptions& options) override {
    return machine_->run(dram_, image, options);
  }
  std::vector<isa::MicroOp> micro_ops() const override { return machine_->micro_ops(); }
  void finish_trace() override { machine_->finish_trace(); }
  void reset() override {
    dram_.clear();
    clear_scratchpads();
  }
  void clear_scratchpads() override { machine_->reset(); }

 protected:
  Bytes allocate_bytes(Bytes size) override { return allocator_.allocate(size); }
  void release_bytes(Bytes address, Bytes size) override { allocator_.release(address, size); }

 private:
  std::string uri_;
  std::unique_ptr<sim::Machine> machine_;
  sim::Dram dram_;
  Allocator allocator_;
};

}  // namespace

std::unique_ptr<Accelerator> make_simulator_device(std::string uri, std::unique_ptr<sim::Machine> machine, Bytes dram) {
  return std::make_unique<SimulatorDevice>(std::move(uri), std::move(machine), dram);
}

}  // namespace vantage::driver
