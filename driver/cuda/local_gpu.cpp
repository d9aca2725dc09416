#include "driver/cuda/local_gpu.h"

#include <array>
#include <functional>
#include <unordered_map>

#include "base/error.h"
#include "driver/cuda/driver_api.h"
#include "driver/cuda/gpu_call.h"
#include "driver/cuda/gpu_libraries.h"
#include "driver/cuda/joined_calls.h"

namespace vantage::driver {

namespace {

// A stream that waits for nothing but its own work (cuStreamCreate).
constexpr unsigned kNonBlocking = 1;

// All work goes to one stream, or runs between two moments of it. Copies too, though they are waited for: one to the
// stream that the driver has by itself may still be under way when it returns.
class LocalGpu final : public Gpu {
 public:
  LocalGpu(std::shared_ptr<const DriverApi> api, int number, std::string name)
      : api_(std::move(api)), name_(std::move(name)), libraries_(api_) {
    const int count = count_devices(*api_, name_);
    if (number >= count) {
      fail("{}: there {} {} of NVIDIA's GPUs here, with numbers from 0; `nvidia-smi -L` lists them", name_,
           count == 1 ? "is" : "are", count);
    }
    require(api_->device_get(&device_, number), "the device");
    read_info();
    require(api_->primary_ctx_retain(&context_, device_), "a context");
    try {
      make_current();
      require(api_->stream_create(&stream_, kNonBlocking), "a stream");
      require(api_->event_create(&begin_, 0), "an event");
      require(api_->event_create(&end_, 0), "an event");
    } catch (...) {
      destroy_queue();
      api_->ctx_set_current(nullptr);
      api_->primary_ctx_release(device_);
      throw;
    }
  }

  ~LocalGpu() override {
    api_->ctx_set_current(context_);
    calls_.clear();
    libraries_.close();
    for (const auto& [address, size] : sizes_) api_->mem_free(address);
    destroy_queue();
    api_->ctx_set_current(nullptr);
    if (is_lost_) api_->primary_ctx_reset(device_);
    api_->primary_ctx_release(device_);
  }

  const GpuInfo& info() const override { return info_; }

  uint64_t allocate(Bytes size) override {
    make_current();
    uint64_t address = 0;
    const size_t bytes = std::max<size_t>(size.count(), 1);
    const int code = api_->mem_alloc(&address, bytes);
    if (code == kCudaOutOfMemory) {
      size_t free = 0, total = 0;
      require(api_->mem_get_info(&free, &total), "its memory");
      fail("{} has no {} bytes of memory left: {} of {} are free, in pieces that may be smaller", name_, bytes, free,
           total);
    }
    require(code, fmt::format("{} bytes of memory", bytes));
    sizes_[address] = bytes;
    require(api_->memset_d8_async(address, 0, bytes, stream_), "clearing memory");
    wait("clearing memory");
    return address;
  }

  void release(uint64_t address) override {
    make_current();
    VANTAGE_CHECK(sizes_.erase(address) == 1);
    require(api_->mem_free(address), "releasing memory");
  }

  void write(uint64_t address, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    make_current();
    require(api_->memcpy_htod_async(address, bytes.data(), bytes.size(), stream_), "a copy to the device");
    wait("a copy to the device");
  }

  void read(uint64_t address, std::span<std::byte> bytes) override {
    if (bytes.empty()) return;
    make_current();
    require(api_->memcpy_dtoh_async(bytes.data(), address, bytes.size(), stream_), "a copy from the device");
    wait("a copy from the device");
  }

  Bound bind(const native::GpuProgram& program, const std::vector<uint64_t>& tensors) override {
    return keep([&](Call& own) {
      for (const uint64_t bytes : program.temporaries) own.temporaries.push_back(allocate(Bytes(bytes)));
      own.call = std::make_unique<GpuCall>(api_, name_, info_, program, tensors, own.temporaries);
    });
  }

  Bound bind(const LibraryCall& call, const std::vector<uint64_t>& tensors) override {
    return keep([&](Call& own) {
      own.call = libraries_.bind(call, tensors, stream_,
                                 [&](Bytes size) { return own.temporaries.emplace_back(allocate(size)); });
    });
  }

  Bound join(const std::vector<Joined>& joined) override {
    std::vector<BoundCall*> calls;
    std::vector<PlannedCall> planned;
    for (const Joined& call : joined) {
      calls.push_back(calls_.at(call.number).call.get());
      planned.push_back({call.after, !calls.back()->takes_any_stream()});
    }
    StreamPlan plan = plan_streams(planned, kMostStreams);
    return keep([&](Call& own) {
      while (other_streams_.size() + 1 < plan.streams) {
        DriverApi::Stream stream = nullptr;
        require(api_->stream_create(&stream, kNonBlocking), "a stream");
        other_streams_.push_back(stream);
      }
      own.call = std::make_unique<JoinedCalls>(api_, name_, std::move(calls), std::move(plan), other_streams_);
    });
  }

  void unbind(uint64_t number) override {
    make_current();
    const auto found = calls_.find(number);
    VANTAGE_CHECK(found != calls_.end());
    for (const uint64_t address : found->second.temporaries) release(address);
    calls_.erase(found);
  }

  double run(uint64_t number, const std::stop_token&) override { return seconds(*calls_.at(number).call, 1); }

  Timing time(uint64_t number, const TimeOptions& options, const std::stop_token&) override {
    BoundCall& call = *calls_.at(number).call;
    return time_samples([&](int runs) { return seconds(call, runs); }, options);
  }

 private:
  struct Call {
    std::vector<uint64_t> temporaries;
    std::unique_ptr<BoundCall> call;
  };

  // What `make` makes, from now on under a number.
  Bound keep(const std::function<void(Call&)>& make) {
    make_current();
    Call call;
    try {
      make(call);
    } catch (const GpuFault&) {
      is_lost_ = true;
      throw;
    } catch (...) {
      for (const uint64_t address : call.temporaries) release(address);
      throw;
    }
    const std::string code = call.call->code();
    calls_.emplace(next_, std::move(call));
    return {next_++, code};
  }

  // What there is of it.
  void destroy_queue() {
    if (begin_ != nullptr) api_->event_destroy(begin_);
    if (end_ != nullptr) api_->event_destroy(end_);
    for (const DriverApi::Stream stream : other_streams_) api_->stream_destroy(stream);
    if (stream_ != nullptr) api_->stream_destroy(stream_);
  }

  void require(int code, const std::string& what) {
    if (is_sticky(code)) is_lost_ = true;
    api_->require(code, name_, what);
  }
  void wait(const std::string& what) { require(api_->stream_synchronize(stream_), what); }
  // A thread works with one context at a time, and another device's may have come in between.
  void make_current() { require(api_->ctx_set_current(context_), "the context"); }

  int attribute(CudaAttribute which) {
    int value = 0;
    require(api_->device_get_attribute(&value, which, device_), "an attribute");
    return value;
  }
  int attribute_if_known(CudaAttribute which) {
    int value = 0;
    return api_->device_get_attribute(&value, which, device_) == kCudaSuccess ? value : 0;
  }

  void read_info() {
    std::array<char, 256> name{};
    require(api_->device_get_name(name.data(), static_cast<int>(name.size()), device_), "its name");
    name.back() = '\0';
    info_.name = name.data();
    size_t memory = 0;
    require(api_->device_total_mem(&memory, device_), "its memory");
    info_.memory = Bytes(memory);
    info_.capability = 10 * attribute(kCudaCapabilityMajor) + attribute(kCudaCapabilityMinor);
    info_.multiprocessors = attribute(kCudaMultiprocessorCount);
    info_.block_shared = Bytes(static_cast<uint64_t>(attribute(kCudaBlockSharedMemory)));
    info_.l2_cache = Bytes(static_cast<uint64_t>(attribute_if_known(kCudaL2CacheSize)));
    info_.clock_khz = attribute_if_known(kCudaClockRate);
    info_.memory_clock_khz = attribute_if_known(kCudaMemoryClockRate);
    info_.memory_bus_bits = attribute_if_known(kCudaMemoryBusWidth);
    require(api_->driver_get_version(&info_.driver_version), "the driver's version");
  }

  double seconds(BoundCall& call, int runs) {
    make_current();
    try {
      call.prepare(stream_);
      require(api_->event_record(begin_, stream_), "an event");
      for (int i = 0; i < runs; ++i) call.enqueue(stream_);
    } catch (const GpuFault&) {
      is_lost_ = true;
      throw;
    }
    require(api_->event_record(end_, stream_), call.what());
    require(api_->event_synchronize(end_), call.what());
    float milliseconds = 0;
    require(api_->event_elapsed_time(&milliseconds, begin_, end_), call.what());
    return static_cast<double>(milliseconds) * 1e-3 / runs;
  }

  const std::shared_ptr<const DriverApi> api_;
  const std::string name_;
  GpuInfo info_;
  int device_ = 0;
  DriverApi::Context context_ = nullptr;
  DriverApi::Stream stream_ = nullptr;
  std::vector<DriverApi::Stream> other_streams_;  // beside it, between whose use all waits for it
  DriverApi::Event begin_ = nullptr, end_ = nullptr;
  std::unordered_map<uint64_t, size_t> sizes_;  // of what is allocated, by address
  std::unordered_map<uint64_t, Call> calls_;
  GpuLibraries libraries_;
  uint64_t next_ = 1;
  bool is_lost_ = false;
};

}  // namespace

std::string architecture_name(const GpuInfo& info) {
  return fmt::format("sm_{}", info.capability);
}

std::string cuda_version(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::unique_ptr<Gpu> open_local_gpu(const std::filesystem::path& libcuda, int number, const std::string& name) {
  return std::make_unique<LocalGpu>(DriverApi::load(libcuda), number, name);
}

}  // namespace vantage::driver
