#include "driver/cuda/cuda_device.h"

#include <charconv>
#include <utility>

#include "base/error.h"
#include "driver/cuda/driver_api.h"
#include "driver/cuda/gpu_tensors.h"
#include "driver/cuda/joined_binding.h"
#include "driver/cuda/local_gpu.h"
#include "driver/cuda/worker_gpu.h"

namespace vantage::driver {

namespace {

// What messages begin with, behind which comes a colon of their own.
std::string name_of(const std::string& uri) {
  return uri.ends_with(':') ? uri.substr(0, uri.size() - 1) : uri;
}

void require_possible(const RunOptions& options) {
  if (options.max_steps != UINT64_MAX) {
    fail("a limit of {} steps means nothing to a GPU, whose kernels run to their end; leave it out", options.max_steps);
  }
  if (options.record_retirement) {
    fail("a GPU keeps no records of retired instructions; leave them out, or run a program on an accelerator");
  }
}

// What calls are joined by.
class WithBinding {
 public:
  virtual ~WithBinding() = default;
  virtual RecoveringGpu::Binding& binding() = 0;
};

// What is bound, as something to call.
template <typename Interface>
class OnGpu : public Interface, public WithBinding {
 public:
  OnGpu(RecoveringGpu& gpu, RecoveringGpu::Binding binding) : gpu_(gpu), binding_(std::move(binding)) {}
  ~OnGpu() override { gpu_.unbind(binding_); }

  const std::string& code() const override { return binding_.bound.code; }
  RecoveringGpu::Binding& binding() override { return binding_; }

 protected:
  // Binds it, unless it is bound.
  virtual void bind() { gpu_.bind(binding_); }

  RunResult run_once(const RunOptions& options) override {
    require_possible(options);
    RunResult result;
    if (options.stop.stop_requested()) {
      result.status = sim::RunStatus::kStopped;
      result.message = "the run was stopped before it began";
      return result;
    }
    try {
      bind();
      result.seconds = gpu_.run(binding_, options.stop);
    } catch (const GpuFault& fault) {
      if (!options.stop.stop_requested()) throw;
      result.status = sim::RunStatus::kStopped;
      result.message = fault.what();
    }
    return result;
  }

  Timing time_runs(const TimeOptions& time, const RunOptions& options) override {
    require_possible(options);
    bind();
    return gpu_.time(binding_, time, options.stop);
  }

 private:
  RecoveringGpu& gpu_;
  RecoveringGpu::Binding binding_;
};

class KernelsOnGpu final : public OnGpu<LoadedKernels> {
 public:
  KernelsOnGpu(RecoveringGpu& gpu, native::GpuProgram program, std::vector<GpuRange> tensors)
      : OnGpu(gpu, {[this](Gpu& own, const std::vector<uint64_t>& addresses) { return own.bind(program_, addresses); },
                    program.signature, program.is_read, std::move(tensors)}),
        program_(std::move(program)) {
    bind();
  }

  const native::GpuProgram& program() const override { return program_; }

 private:
  const native::GpuProgram program_;
};

class CallOnGpu final : public OnGpu<LoadedOnGpu> {
 public:
  CallOnGpu(RecoveringGpu& gpu, const LibraryCall& call, const native::Signature& signature,
            std::vector<GpuRange> tensors)
      : OnGpu(gpu, {[call](Gpu& own, const std::vector<uint64_t>& addresses) { return own.bind(call, addresses); },
                    signature, inputs_of(signature), std::move(tensors)}) {
    bind();
  }

 private:
  static std::vector<bool> inputs_of(const native::Signature& signature) {
    std::vector<bool> is_read;
    for (const native::Parameter& p : signature.parameters) is_read.push_back(!p.is_written);
    return is_read;
  }
};

class JoinedOnGpu final : public OnGpu<LoadedOnGpu> {
 public:
  JoinedOnGpu(RecoveringGpu& gpu, std::vector<RecoveringGpu::Binding*> calls)
      : OnGpu(gpu, driver::join(calls)), gpu_(gpu), calls_(std::move(calls)) {
    bind();
  }

 private:
  void bind() override {
    for (RecoveringGpu::Binding* call : calls_) gpu_.bind(*call);
    OnGpu::bind();
  }

  RecoveringGpu& gpu_;
  const std::vector<RecoveringGpu::Binding*> calls_;
};

RecoveringGpu::Start starter(const std::string& name, int number, const CudaOptions& options) {
  if (options.worker.empty()) return [=] { return open_local_gpu(options.libcuda, number, name); };
  return [=] { return open_worker_gpu(options.worker, options.libcuda, number, name); };
}

}  // namespace

Cuda::Cuda(const std::string& uri, int number, const CudaOptions& options)
    : uri_(uri), name_(name_of(uri)), number_(number), gpu_(starter(name_, number, options), name_) {}

std::unique_ptr<Cuda> Cuda::open(const std::string& uri, const CudaOptions& options) {
  const int number = gpu_number(uri, "cuda:");
  if (number < 0) fail("target '{}' is no GPU; the first is 'cuda:', the second 'cuda:1'", uri);
  return std::unique_ptr<Cuda>(new Cuda(uri, number, options));
}

std::vector<GpuRange> Cuda::ranges_of(const native::Signature& signature, const std::vector<const DLTensor*>& tensors) {
  std::vector<GpuRange> ranges = require_gpu_tensors(signature, tensors);
  for (size_t i = 0; i < ranges.size(); ++i) {
    const int number = tensors[i]->device.device_id;
    if (number != number_) {
      fail("the argument {} of {} is on the GPU {}, and {} is the GPU {}", signature.parameters[i].name, signature.name,
           number, name_, number_);
    }
    gpu_.require_inside(ranges[i].address, ranges[i].bytes);
  }
  return ranges;
}

std::unique_ptr<LoadedKernels> Cuda::load(native::GpuProgram program, const std::vector<const DLTensor*>& tensors) {
  std::vector<GpuRange> ranges = ranges_of(program.signature, tensors);
  return std::make_unique<KernelsOnGpu>(gpu_, std::move(program), std::move(ranges));
}

std::unique_ptr<LoadedOnGpu> Cuda::load(const LibraryCall& call, const std::vector<const DLTensor*>& tensors) {
  const native::Signature signature = signature_of(call);
  return std::make_unique<CallOnGpu>(gpu_, call, signature, ranges_of(signature, tensors));
}

int gpu_number(std::string_view uri, std::string_view scheme) {
  if (uri == scheme) return 0;
  if (!uri.starts_with(scheme)) return -1;
  int number = -1;
  const char* const end = uri.data() + uri.size();
  const auto [rest, error] = std::from_chars(uri.data() + scheme.size(), end, number);
  return error == std::errc() && rest == end ? number : -1;
}

std::unique_ptr<LoadedOnGpu> Cuda::join(const std::vector<Loaded*>& calls) {
  std::vector<RecoveringGpu::Binding*> bindings;
  for (Loaded* call : calls) {
    auto* own = dynamic_cast<WithBinding*>(call);
    VANTAGE_CHECK(own != nullptr);
    bindings.push_back(&own->binding());
  }
  return std::make_unique<JoinedOnGpu>(gpu_, std::move(bindings));
}

const std::vector<DeviceKind>& cuda_kinds() {
  static const std::vector<DeviceKind> kKinds = {
      {"cuda:", "an NVIDIA GPU, by the compiler: results and time; cuda:1 is the second"},
  };
  return kKinds;
}

std::string why_no_cuda(const CudaOptions& options) {
  try {
    count_devices(*DriverApi::load(options.libcuda), "cuda");
    return "";
  } catch (const Error& error) {
    const std::string why = error.what();
    return why.substr(why.find(' ') + 1);  // behind the name
  }
}

}  // namespace vantage::driver
