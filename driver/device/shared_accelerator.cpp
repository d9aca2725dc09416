#include "driver/device/shared_accelerator.h"

#include <chrono>
#include <map>
#include <thread>

#include "base/error.h"

namespace vantage::driver {

namespace {

// A client far away that has ended is not seen to have at once.
constexpr auto kPatience = std::chrono::seconds(1);

}  // namespace

// A client's device. Everything goes through the shared one, under its lock.
class SharedClient : public Accelerator {
 public:
  // REQUIRES: the lock is held, and the device is open.
  SharedClient(SharedAccelerator& shared, isa::Config config) : shared_(shared), config_(std::move(config)) {
    ++shared_.clients_;
  }
  ~SharedClient() override {
    const std::lock_guard lock(shared_.mutex_);
    buffers_.clear();
    if (shared_.last_client_ == this) shared_.last_client_ = nullptr;
    if (--shared_.clients_ == 0) shared_.device_.reset();
  }

  const std::string& uri() const override { return shared_.device_->uri(); }
  const isa::Config& config() const override { return config_; }
  Bytes memory_size() const override { return shared_.device_->memory_size(); }

  void write(Bytes address, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(shared_.mutex_);
    require_own(address, Bytes(bytes.size()));
    shared_.device_->write(address, bytes);
  }
  void read(Bytes address, std::span<std::byte> bytes) const override {
    const std::lock_guard lock(shared_.mutex_);
    if (!is_of_program(address, Bytes(bytes.size()))) require_own(address, Bytes(bytes.size()));
    shared_.device_->read(address, bytes);
  }

  RunResult run(const ProgramImage&, const RunOptions&) override {
    fail("this device is shared: it runs programs that were loaded, whose memory is known, and no images");
  }
  bool runs_images() const override { return false; }

  std::vector<isa::MicroOp> micro_ops() const override {
    const std::lock_guard lock(shared_.mutex_);
    std::vector<isa::MicroOp> uops = shared_.device_->micro_ops();
    if (shared_.last_client_ != this) uops.assign(uops.size(), isa::MicroOp{});
    return uops;
  }
  void finish_trace() override {}
  void reset() override {
    const std::lock_guard lock(shared_.mutex_);
    for (const auto& [address, buffer] : buffers_) zero(buffer);
    clear_at_next_run();
  }
  void clear_scratchpads() override {
    const std::lock_guard lock(shared_.mutex_);
    clear_at_next_run();
  }

 protected:
  std::unique_ptr<LoadedProgram> load_in_order(const Program& program, const std::vector<const Buffer*>& tensors,
                                               const std::stop_token& stop) override;
  Bytes allocate_bytes(Bytes size) override {
    const std::lock_guard lock(shared_.mutex_);
    Buffer buffer = shared_.device_->allocate(size);
    zero(buffer);
    const Bytes address = buffer.address();
    buffers_.emplace(address.count(), std::move(buffer));
    return address;
  }
  void release_bytes(Bytes address, Bytes) override {
    const std::lock_guard lock(shared_.mutex_);
    buffers_.erase(address.count());
  }

 private:
  friend class SharedProgram;

  void zero(const Buffer& buffer) {
    constexpr size_t kPiece = size_t{1} << 20;
    const std::vector<std::byte> zeros(std::min<size_t>(buffer.size().count(), kPiece));
    for (uint64_t at = 0; at < buffer.size().count(); at += kPiece) {
      const size_t size = std::min<uint64_t>(kPiece, buffer.size().count() - at);
      shared_.device_->write(buffer.address() + Bytes(at), std::span(zeros).first(size));
    }
  }

  // Whether it is what was placed for a program of this client: its instructions and micro-ops.
  bool is_of_program(Bytes address, Bytes size) const {
    return std::any_of(placed_.begin(), placed_.end(), [&](const Region& region) {
      return address >= region.address && size <= region.size && address - region.address <= region.size - size;
    });
  }

  void require_own(Bytes address, Bytes size) const {
    const auto after = buffers_.upper_bound(address.count());
    if (after != buffers_.begin()) {
      const Buffer& buffer = std::prev(after)->second;
      const Bytes offset = address - buffer.address();
      if (offset <= buffer.size() && size <= buffer.size() - offset) return;
    }
    fail("the range of {} bytes at 0x{:x} is in none of this client's buffers, and the device's memory is shared",
         size.count(), address.count());
  }

  // Before a run. Whether another client's run came between this and the one before.
  bool take_scratchpads() {
    if (shared_.last_client_ == this) return false;
    shared_.last_client_ = nullptr;  // should it fail half-way
    shared_.device_->clear_scratchpads();
    shared_.last_client_ = this;
    const bool wished = std::exchange(cleared_, false);
    return std::exchange(has_run_, true) && !wished;
  }
  void clear_at_next_run() {
    if (shared_.last_client_ == this) shared_.last_client_ = nullptr;
    cleared_ = true;
  }

  SharedAccelerator& shared_;
  const isa::Config config_;            // as this client names the core
  std::map<uint64_t, Buffer> buffers_;  // by address
  std::vector<Region> placed_;          // of the programs that are loaded
  bool has_run_ = false;
  bool cleared_ = false;  // as the client wished
};

class SharedProgram : public LoadedProgram {
 public:
  // REQUIRES: the lock is held.
  SharedProgram(SharedClient& client, std::unique_ptr<LoadedProgram> program)
      : client_(client), program_(std::move(program)) {
    // Tensors are the client's own buffers.
    for (const Region& region : program_->regions()) {
      if (!client_.buffers_.contains(region.address.count())) client_.placed_.push_back(region);
    }
  }
  ~SharedProgram() override {
    const std::lock_guard lock(client_.shared_.mutex_);
    for (const Region& region : program_->regions()) {
      const auto placed = std::find(client_.placed_.begin(), client_.placed_.end(), region);
      if (placed != client_.placed_.end()) client_.placed_.erase(placed);
    }
    program_.reset();
  }

  RunResult run_once(const RunOptions& options) override {
    const std::lock_guard lock(client_.shared_.mutex_);
    const bool others_ran = client_.take_scratchpads();
    RunResult result = program_->run(options);
    if (others_ran) {
      result.warnings.push_back("others ran on this device since the last run: its scratchpads began with zeros");
    }
    return result;
  }
  ProgramImage image() const override { return program_->image(); }
  std::vector<Region> regions() const override { return program_->regions(); }

 private:
  SharedClient& client_;
  std::unique_ptr<LoadedProgram> program_;
};

std::unique_ptr<LoadedProgram> SharedClient::load_in_order(const Program& program,
                                                           const std::vector<const Buffer*>& tensors,
                                                           const std::stop_token& stop) {
  const std::lock_guard lock(shared_.mutex_);
  require_relocated(program, stop);
  return std::make_unique<SharedProgram>(*this, shared_.device_->load(program, tensors, stop));
}

std::unique_ptr<Accelerator> SharedAccelerator::client(const isa::Config& config, const AcceleratorOptions& options) {
  const std::lock_guard lock(mutex_);
  if (device_ == nullptr) device_ = open_(config, options);
  if (const auto other = isa::hardware_difference(device_->config(), config); !other.empty()) {
    fail("the device is in use with configuration {}, so it cannot be opened with {}: its {}", device_->config().name(),
         config.name(), other);
  }
  return std::make_unique<SharedClient>(*this, config);
}

void SharedAccelerator::alone(const std::function<void()>& work) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (clients_ == 0) return work();
      if (std::chrono::steady_clock::now() >= end) {
        fail("the device is in use by {} sessions; try again when they have ended", clients_);
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace vantage::driver
