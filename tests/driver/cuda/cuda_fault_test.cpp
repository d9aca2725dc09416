// What goes wrong on a GPU, in its driver, or before it is reached: what is said, and that everything else goes on. A
// library stands in for NVIDIA's, since no machine has all of these faults.
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "driver/cuda/cuda_device.h"
#include "driver/cuda/gpu_tensor.h"
#include "tests/catch.h"
#include "tests/driver/cuda/functions.h"

namespace vantage::test::driver_cuda_cuda_fault_test {

using namespace vantage;
using namespace vantage::driver;
using vantage::Tensor;  // and not the one of tensor expressions

namespace {

std::string refusal(const CudaOptions& options, const std::string& uri = "cuda:") {
  return ERROR_OF(Cuda::open(uri, options));
}

Tensor ones() {
  Tensor tensor(kInt32, {64});
  for (int64_t i = 0; i < 64; ++i) tensor.set_integer(i, 1);
  return tensor;
}

Tensor filled(int64_t value) {
  Tensor tensor(kInt32, {64});
  for (int64_t i = 0; i < 64; ++i) tensor.set_integer(i, value);
  return tensor;
}

}  // namespace

TEST_CASE("without NVIDIA's driver it is said what is missing", "[unit]") {
  const std::string missing = refusal({.worker = {}, .libcuda = "/nowhere/libcuda.so.1"});
  CHECK_THAT(missing, ContainsSubstring("cuda: NVIDIA's driver is not here: /nowhere/libcuda.so.1: cannot open") &&
                          ContainsSubstring("comes with the driver of a GPU"));
  CHECK(refusal({.worker = VANTAGE_GPU, .libcuda = "/nowhere/libcuda.so.1"}) == missing);
  CHECK("cuda: " + why_no_cuda({.worker = {}, .libcuda = "/nowhere/libcuda.so.1"}) == missing);
  CHECK_THAT(refusal({.worker = {}, .libcuda = "libm.so.6"}),
             ContainsSubstring("libm.so.6 has no cuInit: NVIDIA's driver here is older than CUDA 11.4"));
  CHECK_THAT(refusal({.worker = "/nowhere/vantage-gpu", .libcuda = {}}),
             ContainsSubstring("cannot be started: /nowhere/vantage-gpu: No such file or directory"));
  // A program that knows nothing of it.
  CHECK_THAT(refusal({.worker = "/bin/true", .libcuda = {}}),
             ContainsSubstring("the process that held the GPU ended with status 0"));
}

TEST_CASE("a driver without a GPU, or that does not start, says why", "[unit]") {
  for (const CudaOptions& options : {stand_in_here(), stand_in_apart()}) {
    CHECK(refusal(options, "gpu:") == "target 'gpu:' is no GPU; the first is 'cuda:', the second 'cuda:1'");
    CHECK(refusal(options, "cuda:x") == "target 'cuda:x' is no GPU; the first is 'cuda:', the second 'cuda:1'");
    CHECK(refusal(options, "cuda:-1") == "target 'cuda:-1' is no GPU; the first is 'cuda:', the second 'cuda:1'");
    CHECK(refusal(options, "cuda:1") ==
          "cuda:1: there is 1 of NVIDIA's GPUs here, with numbers from 0; `nvidia-smi -L` lists them");
    {
      const Variable knob("STAND_IN_DEVICES", "0");
      CHECK_THAT(refusal(options), ContainsSubstring("NVIDIA's driver is here, and finds no GPU"));
      CHECK_THAT(why_no_cuda(options), ContainsSubstring("finds no GPU"));
    }
    {
      const Variable knob("STAND_IN_INIT", "34");
      CHECK_THAT(refusal(options), ContainsSubstring("the toolkit's for linking, which runs nothing"));
    }
    {
      const Variable knob("STAND_IN_INIT", "803");
      CHECK_THAT(refusal(options), ContainsSubstring("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH") &&
                                       ContainsSubstring("restart the machine after an update"));
    }
    {
      const Variable knob("STAND_IN_INIT", "999");
      CHECK_THAT(refusal(options), ContainsSubstring("does not start: CUDA_ERROR_UNKNOWN"));
    }
    CHECK(why_no_cuda(options).empty());
  }
}

TEST_CASE("memory that is full is told with what is left", "[unit]") {
  const Variable knob("STAND_IN_MEMORY", "100000");
  for (const CudaOptions& options : {stand_in_here(), stand_in_apart()}) {
    const auto gpu = Cuda::open("cuda:", options);
    const driver::Buffer first = gpu->allocate(Bytes(60000));
    CHECK(ERROR_OF(gpu->allocate(Bytes(50000))) ==
          "cuda has no 50000 bytes of memory left: 40000 of 100000 are free, in pieces that may be smaller");
    { const driver::Buffer fits = gpu->allocate(Bytes(40000)); }
    CHECK_NOTHROW(gpu->allocate(Bytes(40000)));
    // Temporary memory, of which none is kept when it is not enough.
    GpuTensor in(*gpu, kInt32, {1000}), out(*gpu, kInt32, {1000});
    native::GpuProgram program = gpu_programs().get(kReversed, options);
    program.temporaries = {10000, 30000};
    CHECK_THAT(ERROR_OF(gpu->load(program, {in.tensor(), out.tensor()})),
               ContainsSubstring("has no 30000 bytes of memory left: 22000 of"));
    program.temporaries = {32000};
    CHECK_NOTHROW(gpu->load(program, {in.tensor(), out.tensor()}));
  }
}

TEST_CASE("what the driver does not take as machine code it is given as PTX, or it is said what would help", "[unit]") {
  for (const CudaOptions& options : {stand_in_here(), stand_in_apart()}) {
    const auto gpu = Cuda::open("cuda:", options);
    GpuTensor in(*gpu, filled(1)), out(*gpu, kInt32, {64});
    const std::vector<const DLTensor*> tensors = {in.tensor(), out.tensor()};
    native::GpuProgram program = gpu_programs().get(kCount, options);
    // An older GPU's code, whose PTX runs on newer ones.
    program.architecture = "sm_75";
    program.cubin = gpu_programs().cubin("sm_75");
    program.ptx = gpu_programs().ptx("13.0", "sm_75");
    {
      const auto loaded = gpu->load(program, tensors);
      CHECK(loaded->code() ==
            "PTX of CUDA 13.0 for sm_75, from which the driver made code for sm_80: the machine code for sm_75 gets "
            "CUDA_ERROR_NO_BINARY_FOR_GPU (as the stand-in says)");
      loaded->run();
      CHECK(out.read() == filled(1));
    }
    program.ptx.clear();
    CHECK_THAT(ERROR_OF(gpu->load(program, tensors)), ContainsSubstring("and there is no PTX; compile it for sm_80"));
    // A newer GPU's.
    program.architecture = "sm_90a";
    program.cubin = gpu_programs().cubin("sm_90a");
    program.ptx = gpu_programs().ptx("13.0", "sm_90a");
    CHECK_THAT(ERROR_OF(gpu->load(program, tensors)),
               ContainsSubstring("cuda: count cannot be loaded: the machine code for sm_90a gets "
                                 "CUDA_ERROR_NO_BINARY_FOR_GPU") &&
                   ContainsSubstring("the PTX gets CUDA_ERROR_INVALID_PTX") &&
                   ContainsSubstring("it was compiled for sm_90a, and this GPU (stand-in 0) is sm_80: compile it for "
                                     "sm_80"));
    // A newer toolkit's than the driver knows.
    const Variable knob("STAND_IN_VERSION", "12040");
    const auto old = Cuda::open("cuda:", options);
    GpuTensor old_in(*old, filled(1)), old_out(*old, kInt32, {64});
    program.architecture = "sm_86";
    program.cubin = gpu_programs().cubin("sm_75");
    program.ptx = gpu_programs().ptx("13.0", "sm_75");
    program.architecture = "sm_75";
    try {
      old->load(program, {old_in.tensor(), old_out.tensor()});
      FAIL("an old driver took it");
    } catch (const ToolError& error) {
      CHECK_THAT(error.what(), ContainsSubstring("the PTX gets CUDA_ERROR_UNSUPPORTED_PTX_VERSION") &&
                                   ContainsSubstring("the driver here knows CUDA up to 12.4, and the code was made by "
                                                     "CUDA 13.0: install a newer driver, or compile with NVRTC 12.4"));
      CHECK(error.output() == "ptxas fatal: Unsupported .version");
    }
    // Code of something else.
    native::GpuProgram wrong = gpu_programs().get(kCount, options);
    wrong.kernels[0].name = "other";
    CHECK(ERROR_OF(gpu->load(wrong, tensors)) == "cuda: count has no kernel other");
  }
}

TEST_CASE("a launch that a GPU refuses names the kernel and its numbers", "[unit]") {
  const auto gpu = Cuda::open("cuda:", stand_in_apart());
  GpuTensor in(*gpu, filled(1)), out(*gpu, kInt32, {64});
  native::GpuProgram program = gpu_programs().get(kCount, stand_in_apart());
  program.launches[0].block = {64, 32, 1};
  const auto loaded = gpu->load(program, {in.tensor(), out.tensor()});
  CHECK_THAT(ERROR_OF(loaded->run()),
             ContainsSubstring("with a grid of 1 x 1 x 1 blocks of 64 x 32 x 1 threads and 0 bytes of shared memory: "
                               "CUDA_ERROR_INVALID_VALUE"));
  // Which costs nobody anything.
  CHECK(in.read() == filled(1));
}

TEST_CASE("a kernel that faults ends the process that holds its GPU, and this one goes on", "[unit]") {
  const Variable devices("STAND_IN_DEVICES", "2");
  const auto other = Cuda::open("cuda:1", stand_in_apart());
  GpuTensor other_in(*other, filled(5)), other_out(*other, kInt32, {64});
  const auto other_loaded =
      other->load(gpu_programs().get(kCount, stand_in_apart()), {other_in.tensor(), other_out.tensor()});
  std::unique_ptr<Cuda> gpu;
  {
    const Variable fault("STAND_IN_FAULT_AT", "2");
    gpu = Cuda::open("cuda:", stand_in_apart());
    gpu->allocate(Bytes(1));  // which starts nothing anew
  }
  GpuTensor in(*gpu, ones()), out(*gpu, ones());
  const driver::Buffer untouched = gpu->allocate(Bytes(8));
  const auto loaded = gpu->load(gpu_programs().get(kCount, stand_in_apart()), {in.tensor(), out.tensor()});
  loaded->run();
  CHECK(out.read() == filled(2));
  try {
    loaded->run();
    FAIL("no fault was seen");
  } catch (const GpuFault& fault) {
    CHECK_THAT(fault.what(),
               ContainsSubstring("cuda: the kernel count") &&
                   ContainsSubstring("CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered); it read "
                                     "or wrote outside the buffers that it was given. What was in the memory of cuda "
                                     "is lost; it is opened anew when it is next used"));
  }
  // Nothing that was there is taken for what it was.
  CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("the content of the argument X of count was lost"));
  CHECK_THAT(ERROR_OF(in.read()), ContainsSubstring("was lost when a kernel faulted; write it again"));
  // The device, its buffers and what was loaded are as good as new.
  in.write(ones());
  // What it counts up from is an input as well.
  CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("the content of the argument Y of count was lost"));
  CHECK_THAT(ERROR_OF(loaded->time()), ContainsSubstring("the content of the argument Y of count was lost"));
  out.write(filled(7));
  CHECK(loaded->run().ok());
  CHECK(out.read() == filled(8));
  GpuTensor more(*gpu, filled(3));
  CHECK(gpu->load(gpu_programs().get(kCount, stand_in_apart()), {more.tensor(), out.tensor()})->run().ok());
  CHECK(out.read() == filled(11));
  // The other one never noticed.
  other_loaded->run();
  CHECK(other_out.read() == filled(5));
}

TEST_CASE("after a fault a tensor counts once all of it was written again", "[unit]") {
  std::unique_ptr<Cuda> gpu;
  {
    const Variable fault("STAND_IN_FAULT_AT", "1");
    gpu = Cuda::open("cuda:", stand_in_apart());
  }
  Tensor thousand(kInt32, {1000});
  for (int64_t i = 0; i < 1000; ++i) thousand.set_integer(i, i);
  GpuTensor in(*gpu, thousand), out(*gpu, thousand), other(*gpu, thousand);
  const native::GpuProgram program = gpu_programs().get(kReversed, stand_in_apart());
  const auto loaded = gpu->load(program, {in.tensor(), out.tensor()});
  CHECK_THROWS_AS(loaded->run(), GpuFault);
  const std::span<const std::byte> bytes = thousand.bytes();
  const auto write = [&](const GpuTensor& tensor, size_t from, size_t to) {
    const auto address = reinterpret_cast<uint64_t>(tensor.tensor()->data);
    gpu->write(Bytes(address + from), bytes.subspan(from, to - from));
  };
  const auto read = [&](const GpuTensor& tensor, size_t from, size_t to) {
    std::vector<std::byte> result(to - from);
    gpu->read(Bytes(reinterpret_cast<uint64_t>(tensor.tensor()->data) + from), result);
    return std::equal(result.begin(), result.end(), bytes.begin() + static_cast<std::ptrdiff_t>(from));
  };
  write(in, 1000, 2000);
  CHECK(read(in, 1000, 2000));
  CHECK(read(in, 1500, 1504));
  CHECK_THAT(ERROR_OF(read(in, 996, 1004)), ContainsSubstring("was lost when a kernel faulted"));
  CHECK_THAT(ERROR_OF(read(in, 1996, 2004)), ContainsSubstring("was lost when a kernel faulted"));
  CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("the content of the argument A of reversed was lost"));
  write(in, 3000, 4000);
  write(in, 0, 1200);
  CHECK(read(in, 0, 2000));
  CHECK_THAT(ERROR_OF(in.read()), ContainsSubstring("was lost when a kernel faulted"));
  write(in, 2000, 3000);
  CHECK(in.read() == thousand);
  // Results are there once a run has ended well, and not when one was begun.
  CHECK_THAT(ERROR_OF(out.read()), ContainsSubstring("was lost when a kernel faulted"));
  native::GpuProgram refused = program;
  refused.launches[0].block = {64, 32, 1};
  CHECK_THAT(ERROR_OF(gpu->load(refused, {in.tensor(), out.tensor()})->run()),
             ContainsSubstring("CUDA_ERROR_INVALID_VALUE"));
  CHECK_THAT(ERROR_OF(out.read()), ContainsSubstring("was lost when a kernel faulted"));
  CHECK(loaded->run().ok());
  CHECK(out.read().integer(0) == 3 * 1000);
  CHECK_THAT(ERROR_OF(other.read()), ContainsSubstring("was lost when a kernel faulted"));
}

TEST_CASE("what breaks in us while memory is released ends nothing", "[unit]") {
  // As a GPU is whose bookkeeping is broken.
  class Broken final : public Gpu {
   public:
    const GpuInfo& info() const override { return info_; }
    uint64_t allocate(Bytes) override { return 4096; }
    void release(uint64_t) override { VANTAGE_CHECK(info_.memory.count() != 0); }
    void write(uint64_t, std::span<const std::byte>) override {}
    void read(uint64_t, std::span<std::byte>) override {}
    Bound bind(const native::GpuProgram&, const std::vector<uint64_t>&) override { return {}; }
    Bound bind(const LibraryCall&, const std::vector<uint64_t>&) override { return {}; }
    Bound join(const std::vector<Joined>&) override { return {}; }
    void unbind(uint64_t) override { VANTAGE_CHECK(info_.memory.count() != 0); }
    double run(uint64_t, const std::stop_token&) override { return 0; }
    Timing time(uint64_t, const TimeOptions&, const std::stop_token&) override { return {}; }

   private:
    GpuInfo info_;
  };
  int started = 0;
  RecoveringGpu gpu(
      [&started]() -> std::unique_ptr<Gpu> {
        ++started;
        return std::make_unique<Broken>();
      },
      "cuda");
  gpu.release(gpu.allocate(Bytes(16)));
  CHECK(started == 1);
  const uint64_t address = gpu.allocate(Bytes(16));
  CHECK(started == 2);
  native::GpuProgram program;
  program.signature.parameters.resize(1);
  program.is_read = {false};
  RecoveringGpu::Binding binding{
      [&](Gpu& own, const std::vector<uint64_t>& tensors) { return own.bind(program, tensors); },
      program.signature,
      program.is_read,
      {{address, 16}}};
  gpu.bind(binding);
  gpu.unbind(binding);
  gpu.allocate(Bytes(16));
  CHECK(started == 3);
}

TEST_CASE("a GPU that cannot be opened to the end leaves nothing behind", "[unit]") {
  Cuda::open("cuda:", stand_in_here());  // so that the library is there
  void* library = dlopen(VANTAGE_STAND_IN_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library != nullptr);
  const auto queues = reinterpret_cast<long (*)()>(dlsym(library, "stand_in_queues"));
  for (const char* events : {"0", "1"}) {
    const Variable knob("STAND_IN_EVENTS", events);
    CHECK_THAT(refusal(stand_in_here()), ContainsSubstring("cuda: an event: CUDA_ERROR_OUT_OF_MEMORY"));
    CHECK(queues() == 0);
  }
  CHECK_NOTHROW(Cuda::open("cuda:", stand_in_here()));
}

TEST_CASE("the process that holds a GPU keeps no file of this one open", "[unit]") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);  // which are inherited
  const auto gpu = Cuda::open("cuda:", stand_in_apart());
  ::close(ends[1]);
  pollfd end{ends[0], POLLIN, 0};
  CHECK(::poll(&end, 1, 5000) == 1);
  CHECK((end.revents & POLLHUP) != 0);
  ::close(ends[0]);
}

TEST_CASE("a driver that ends its process is a fault like others", "[unit]") {
  std::unique_ptr<Cuda> gpu;
  {
    const Variable crash("STAND_IN_CRASH_AT", "1");
    gpu = Cuda::open("cuda:", stand_in_apart());
  }
  GpuTensor in(*gpu, ones()), out(*gpu, kInt32, {64});
  const auto loaded = gpu->load(gpu_programs().get(kCount, stand_in_apart()), {in.tensor(), out.tensor()});
  CHECK_THAT(ERROR_OF(loaded->time()), ContainsSubstring("the process that held the GPU was ended by signal 6"));
  in.write(ones());
  out.write(filled(0));
  CHECK(loaded->run().ok());
  CHECK(out.read() == ones());
}

TEST_CASE("a kernel that never ends is stopped with the process that holds its GPU", "[unit]") {
  std::unique_ptr<Cuda> gpu;
  {
    const Variable hang("STAND_IN_HANG_AT", "1");
    gpu = Cuda::open("cuda:", stand_in_apart());
  }
  GpuTensor in(*gpu, ones()), out(*gpu, kInt32, {64});
  const auto loaded = gpu->load(gpu_programs().get(kCount, stand_in_apart()), {in.tensor(), out.tensor()});
  std::stop_source stop;
  RunOptions options;
  options.stop = stop.get_token();
  const std::jthread other([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop.request_stop();
  });
  const RunResult result = loaded->run(options);
  CHECK(result.status == sim::RunStatus::kStopped);
  CHECK_THAT(result.message, ContainsSubstring("cuda: the run was stopped, with the process that held the GPU. What "
                                               "was in the memory of cuda is lost"));
  in.write(ones());
  out.write(filled(0));
  CHECK(loaded->run().ok());
  CHECK(out.read() == ones());
  // One that is not told to stop is not held up by the question.
  const std::stop_source never;
  options.stop = never.get_token();
  CHECK(loaded->run(options).ok());
  CHECK(out.read() == filled(2));
}

TEST_CASE("a GPU in this process works after a fault where a reset helps, and says so where not", "[unit]") {
  const auto launches = [] {
    void* library = dlopen(VANTAGE_STAND_IN_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
    return reinterpret_cast<long (*)()>(dlsym(library, "stand_in_launches"))();
  };
  // One that no other test works with, since it stays broken.
  const Variable devices("STAND_IN_DEVICES", "2");
  const auto gpu = Cuda::open("cuda:1", stand_in_here());
  GpuTensor in(*gpu, ones()), out(*gpu, kInt32, {64});
  const auto loaded = gpu->load(gpu_programs().get(kSteps, stand_in_here()), {in.tensor(), out.tensor()});
  {
    const Variable reset("STAND_IN_RESET_HELPS", "1");
    const Variable fault("STAND_IN_FAULT_AT", std::to_string(launches() + 3)), code("STAND_IN_FAULT", "716");
    CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("CUDA_ERROR_MISALIGNED_ADDRESS"));
    in.write(ones());
    out.write(filled(0));
    loaded->run();
    CHECK(out.read() == filled(10));
  }
  {
    const Variable fault("STAND_IN_FAULT_AT", std::to_string(launches() + 1));
    CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("CUDA_ERROR_ILLEGAL_ADDRESS"));
    CHECK_THAT(ERROR_OF(in.write(ones())), ContainsSubstring("cuda:1: a context: CUDA_ERROR_ILLEGAL_ADDRESS"));
  }
  // What the device held is let go of all the same.
}

}  // namespace vantage::test::driver_cuda_cuda_fault_test
