// Programs on a GPU: results, time, arguments, and what does not fit. On the machine's own GPU where there is one.
#include "driver/cuda/cuda_device.h"

#include "compiler/backend/cuda/lower.h"
#include "compiler/ir/printer.h"
#include "driver/cuda/gpu_tensor.h"
#include "driver/cuda/gpu_tensors.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/random_threads.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/driver/cuda/functions.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::driver_cuda_cuda_device_test {

using namespace vantage;
using namespace vantage::driver;
using vantage::Tensor;  // and not the one of tensor expressions

namespace {

Tensor counting(int64_t size) {
  Tensor tensor(kInt32, {size});
  for (int64_t i = 0; i < size; ++i) tensor.set_integer(i, i * 7 - 300);
  return tensor;
}

// The integers of Y after so many calls that each add `each` times X.
bool is_multiple(const Tensor& y, const Tensor& x, int64_t times) {
  for (int64_t i = 0; i < y.size(); ++i) {
    if (y.integer(i) != times * x.integer(i)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a GPU says what it is, and its memory is filled and read", "[unit]") {
  const auto gpu = Cuda::open("cuda:", some_gpu());
  CHECK(gpu->uri() == "cuda:");
  CHECK(gpu->memory_size() >= Bytes(uint64_t{1} << 28));
  CHECK(!gpu->info().name.empty());
  CHECK(gpu->info().capability >= 50);
  CHECK(gpu->info().multiprocessors > 0);
  CHECK(gpu->info().block_shared >= Bytes(48 * 1024));
  GpuTensor tensor(*gpu, kFloat32, {3, 5});
  CHECK(tensor.read() == Tensor(kFloat32, {3, 5}));
  Tensor host(kFloat32, {3, 5});
  host.set_number(14, 2.5);
  tensor.write(host);
  CHECK(tensor.read() == host);
  std::vector<std::byte> bytes(16);
  const auto address = reinterpret_cast<uint64_t>(tensor.tensor()->data);
  gpu->read(Bytes(address + 44), bytes);
  CHECK(bytes[14] == std::byte{0x20});  // 2.5 ends so
  CHECK_THAT(ERROR_OF(gpu->write(Bytes(address + 45), bytes)),
             ContainsSubstring("16 bytes from ") && ContainsSubstring("are not all in one buffer of cuda"));
  CHECK_THAT(ERROR_OF(gpu->read(Bytes(64), bytes)), ContainsSubstring("are not all in one buffer of cuda"));
}

TEST_CASE("kernels follow each other, through memory that only they see", "[unit]") {
  for (const CudaOptions& options : {some_gpu(), stand_in_here()}) {
    const auto gpu = Cuda::open("cuda:", options);
    const Tensor a = counting(1000);
    const GpuTensor in(*gpu, a);
    GpuTensor out(*gpu, kInt32, {1000});
    const auto loaded = gpu->load(gpu_programs().get(kReversed, options), {in.tensor(), out.tensor()});
    CHECK(loaded->code() == "machine code for " + loaded->program().architecture);
    // The first run launches them one by one, those that follow as a graph.
    for (int i = 0; i < 3; ++i) {
      out.write(Tensor(kInt32, {1000}));
      const RunResult result = loaded->run();
      CHECK(result.ok());
      CHECK(result.seconds.value() >= 0);
      const Tensor got = out.read();
      for (int64_t j = 0; j < 1000; ++j) REQUIRE(got.integer(j) == (a.integer(999 - j) + 1) * 3);
    }
  }
}

TEST_CASE("a kernel that needs more shared memory than it may declare is given it", "[unit]") {
  const CudaOptions options = some_gpu();
  const auto gpu = Cuda::open("cuda:", options);
  const Tensor a = counting(20000);
  const GpuTensor in(*gpu, a);
  GpuTensor out(*gpu, kInt32, {20000});
  gpu->load(gpu_programs().get(kShared, options), {in.tensor(), out.tensor()})->run();
  const Tensor got = out.read();
  for (int64_t i = 0; i < 20000; ++i) REQUIRE(got.integer(i) == a.integer(19999 - i));
  // Of a GPU that has less.
  native::GpuProgram greedy = gpu_programs().get(kShared, options);
  greedy.kernels[0].shared_bytes = 1 << 20;
  CHECK_THAT(ERROR_OF(gpu->load(greedy, {in.tensor(), out.tensor()})),
             ContainsSubstring("takes 1048576 bytes of shared memory, and") && ContainsSubstring("gives at most"));
}

TEST_CASE("scalars of every type reach kernels as they are", "[unit]") {
  const CudaOptions options = some_gpu();
  const auto gpu = Cuda::open("cuda:", options);
  const ir::PrimFunc& function = gpu_programs().function(kScalars);
  for (const bool low : {true, false}) {
    ir::VarMap values;
    std::vector<Tensor> expected;
    std::vector<std::unique_ptr<GpuTensor>> tensors;
    std::vector<const DLTensor*> arguments;
    for (const ir::Param& param : function.params) {
      const auto* var = std::get_if<ir::Var>(&param);
      if (var == nullptr) continue;
      const DType type = var->dtype();
      Tensor& value = expected.emplace_back(type, Tensor::Shape{1});
      if (type.is_float()) {
        value.set_number(0, low ? -1.5 : 1024.25);
        values[var->get()] = ir::make_float(type, value.number(0));
      } else {
        value.set_integer(0, low ? type.min_int() : type.max_int());
        values[var->get()] = ir::make_int(type, value.integer(0));
      }
      tensors.push_back(std::make_unique<GpuTensor>(*gpu, type, Tensor::Shape{1}));
      arguments.push_back(tensors.back()->tensor());
    }
    gpu->load(gpu_programs().get(kScalars, options, values), arguments)->run();
    for (size_t i = 0; i < expected.size(); ++i) {
      INFO(name(expected[i].dtype()) << (low ? ", low" : ", high"));
      CHECK(tensors[i]->read() == expected[i]);
    }
  }
}

TEST_CASE("time is the GPU's, of as many runs as were asked for", "[unit]") {
  for (const GpuFunction function : {kCount, kSteps}) {
    const CudaOptions options = some_gpu();
    const auto gpu = Cuda::open("cuda:", options);
    const Tensor x = counting(64);
    const GpuTensor in(*gpu, x);
    GpuTensor out(*gpu, kInt32, {64});
    const auto loaded = gpu->load(gpu_programs().get(function, options), {in.tensor(), out.tensor()});
    const Timing timing = loaded->time({.number = 3, .repeat = 4});
    CHECK(timing.number == 3);
    CHECK(timing.samples.size() == 4);
    CHECK(timing.min() > 0);
    // One to warm up.
    CHECK(is_multiple(out.read(), x, 13 * (function == kCount ? 1 : 10)));
    CHECK_THAT(ERROR_OF(loaded->time({.number = 0})), ContainsSubstring("number is 0, expected at least 1"));
  }
}

TEST_CASE("a driver that makes no graphs launches one by one", "[unit]") {
  const Variable knob("STAND_IN_NO_GRAPHS", "1");
  const auto gpu = Cuda::open("cuda:", stand_in_apart());
  const Tensor x = counting(64);
  const GpuTensor in(*gpu, x);
  GpuTensor out(*gpu, kInt32, {64});
  const auto loaded = gpu->load(gpu_programs().get(kSteps, stand_in_apart()), {in.tensor(), out.tensor()});
  for (int i = 0; i < 3; ++i) loaded->run();
  CHECK(is_multiple(out.read(), x, 30));
}

TEST_CASE("a GPU says which options of a run mean nothing to it", "[unit]") {
  const CudaOptions options = some_gpu();
  const auto gpu = Cuda::open("cuda:", options);
  GpuTensor in(*gpu, kInt32, {64}), out(*gpu, kInt32, {64});
  const auto loaded = gpu->load(gpu_programs().get(kCount, options), {in.tensor(), out.tensor()});
  RunOptions limited, recorded, stopped;
  limited.max_steps = 5;
  CHECK_THAT(ERROR_OF(loaded->run(limited)), ContainsSubstring("a limit of 5 steps means nothing to a GPU"));
  recorded.record_retirement = true;
  CHECK_THAT(ERROR_OF(loaded->run(recorded)), ContainsSubstring("a GPU keeps no records"));
  std::stop_source stop;
  stop.request_stop();
  stopped.stop = stop.get_token();
  CHECK(loaded->run(stopped).status == sim::RunStatus::kStopped);
}

TEST_CASE("tensors that do not fit are refused before anything runs", "[unit]") {
  const CudaOptions options = some_gpu();
  const auto gpu = Cuda::open("cuda:", options);
  GpuTensor x(*gpu, kInt32, {64}), y(*gpu, kInt32, {64}), big(*gpu, kInt32, {256});
  const native::GpuProgram program = gpu_programs().get(kCount, options);
  const auto refusal = [&](const DLTensor& changed, const DLTensor* other = nullptr) {
    return ERROR_OF(gpu->load(program, {other == nullptr ? x.tensor() : other, &changed}));
  };
  DLTensor t = *y.tensor();
  t.device.device_type = kDLCPU;
  CHECK(refusal(t) == "the argument Y of count is on a device of type 1, expected a GPU's memory (2)");
  t = *y.tensor();
  t.device.device_id = 3;
  CHECK(refusal(t) == "the argument Y of count is on the GPU 3, and cuda is the GPU 0");
  t = *y.tensor();
  t.dtype = dl_dtype(kFloat32);
  CHECK(refusal(t) == "the argument Y of count has the type float32, expected int32[64]");
  int64_t size = 65, stride = 2;
  t = *y.tensor();
  t.shape = &size;
  CHECK_THAT(refusal(t), ContainsSubstring("Y of count has the size 65 in dimension 0, expected 64"));
  t = *y.tensor();
  t.strides = &stride;
  CHECK(refusal(t) == "the argument Y of count has the stride 2 in dimension 0, expected 1 elements");
  t = *big.tensor();
  size = 64;
  t.shape = &size;
  t.byte_offset = 8;
  CHECK_THAT(refusal(t),
             ContainsSubstring("Y of count begins at 0x") && ContainsSubstring("expected an address divisible by 16"));
  t.byte_offset = 16;
  CHECK_NOTHROW(gpu->load(program, {x.tensor(), &t}));
  DLTensor other = t;
  other.byte_offset = 256;
  CHECK(
      refusal(t, &other) ==
      "the argument Y of count shares memory with the argument X, and one of them is written; pass memory of its own");
  t = *big.tensor();
  t.shape = &size;
  t.byte_offset = 256 * 3 + 16;
  CHECK_THAT(refusal(t), ContainsSubstring("are not all in one buffer of cuda"));
  t = *y.tensor();
  t.data = &size;
  t.byte_offset = reinterpret_cast<uint64_t>(&size) % 16 == 0 ? 0 : 16 - reinterpret_cast<uint64_t>(&size) % 16;
  CHECK_THAT(refusal(t), ContainsSubstring("are not all in one buffer of cuda"));
  CHECK_THAT(ERROR_OF(gpu->load(program, {x.tensor()})), ContainsSubstring("count takes 2 arguments, got 1"));
}

TEST_CASE("a tensor without elements takes no memory", "[unit]") {
  native::Signature signature{"f", {}};
  for (const char* name : {"X", "Y"}) {
    native::Parameter p;
    p.name = name;
    p.dtype = dl_dtype(kInt32);
    p.is_tensor = p.is_written = true;
    p.alignment = 16;
    p.shape = {"4", "0"};
    p.strides = {"0", "1"};
    signature.parameters.push_back(p);
  }
  signature.parameters[1].shape = {"4", "8"};
  signature.parameters[1].strides = {"8", "1"};
  std::array<int64_t, 2> empty_shape = {4, 0}, shape = {4, 8}, strides = {1, 1};
  DLTensor x{}, y{};
  x.dtype = y.dtype = dl_dtype(kInt32);
  x.device.device_type = y.device.device_type = kDLCUDA;
  x.ndim = y.ndim = 2;
  x.data = reinterpret_cast<void*>(4096 + 64);  // NOLINT: inside of the other, and never read
  y.data = reinterpret_cast<void*>(4096);       // NOLINT
  x.shape = empty_shape.data();
  y.shape = shape.data();
  std::vector<GpuRange> ranges = require_gpu_tensors(signature, {&x, &y});
  CHECK(ranges[0].bytes == 0);
  CHECK(ranges[1].bytes == 4 * 8 * 4);
  x.strides = strides.data();  // as others have them
  CHECK(require_gpu_tensors(signature, {&x, &y})[0].bytes == 0);
}

TEST_CASE("a kernel that reads an address of nobody's is a fault, behind which the GPU goes on", "[unit]") {
  const CudaOptions options = some_gpu();
  const auto gpu = Cuda::open("cuda:", options);
  const Tensor x = counting(64);
  GpuTensor in(*gpu, x), out(*gpu, kInt32, {64});
  const native::GpuProgram program = gpu_programs().get(kCount, options);
  const auto loaded = gpu->load(program, {in.tensor(), out.tensor()});
  native::GpuProgram wild = program;
  for (native::GpuArgument& argument : wild.launches[0].arguments) {
    if (argument == native::GpuArgument{}) argument = {native::GpuArgument::Kind::kScalar, 16};  // in the place of X
  }
  // The GPU itself sees it, or the processor that runs in its place.
  CHECK_THROWS_AS(gpu->load(wild, {in.tensor(), out.tensor()})->run(), GpuFault);
  CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("the content of the argument X of count was lost"));
  in.write(x);
  CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring("the content of the argument Y of count was lost"));
  out.write(Tensor(kInt32, {64}));
  loaded->run();
  CHECK(is_multiple(out.read(), x, 1));
}

TEST_CASE("random schedules do on a GPU what their functions say", "[property]") {
  std::mt19937_64 random = test::generator(20261128);
  test::Tally tally;
  const CudaOptions options = some_gpu();
  const auto gpu = Cuda::open("cuda:", options);
  std::vector<ir::PrimFunc> originals, scheduled;
  for (int i = 0; i < test::rounds(25); ++i) {
    ir::PrimFunc original = test::random_te_function(random);
    original.name = fmt::format("f{}", i);
    schedule::Schedule s(original);
    test::take_random_threads(s, random);
    for (int j = 0; j < 3; ++j) test::random_step(s, random, tally);
    try {
      cuda::lower(s.function());
    } catch (const Error&) {
      continue;  // it means nothing on a GPU
    }
    originals.push_back(std::move(original));
    scheduled.push_back(s.function());
  }
  const GpuPrograms programs(scheduled);
  size_t launches = 0;
  for (size_t i = 0; i < originals.size(); ++i) {
    const std::vector<Tensor> arrays = test::random_arrays(originals[i], random);
    std::vector<std::unique_ptr<GpuTensor>> tensors;
    std::vector<const DLTensor*> arguments;
    for (const Tensor& array : arrays) {
      tensors.push_back(std::make_unique<GpuTensor>(*gpu, array));
      arguments.push_back(tensors.back()->tensor());
    }
    const auto loaded = gpu->load(programs.get(i, options), arguments);
    for (int run = 0; run < 3; ++run) loaded->run();
    launches += loaded->program().launches.size();
    std::vector<Tensor> got;
    for (const auto& tensor : tensors) got.push_back(tensor->read());
    INFO(ir::to_text(scheduled[i]));
    REQUIRE(test::first_difference(originals[i], test::run(originals[i], arrays), got) == "");
  }
  CHECK(originals.size() >= 10);
  CHECK(launches > originals.size());
}

}  // namespace vantage::test::driver_cuda_cuda_device_test
