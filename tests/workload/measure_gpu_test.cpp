// Workloads on a GPU, by the compiler and by NVIDIA's libraries: on the machine's own where there is one.
#include "workload/measure_gpu.h"

#include "compiler/ir/printer.h"
#include "tests/catch.h"
#include "tests/driver/cuda/some_gpu.h"
#include "workload/gpu_roofline.h"

namespace vantage::test::workload_measure_gpu_test {

using namespace vantage;
using namespace vantage::workload;

namespace {

const driver::TimeOptions kOnce{.number = 1, .repeat = 1, .min_ms = 0};

Workload workload_of(DType dtype, bool is_matmul) {
  Workload w;
  w.name = "small";
  w.is_matmul = is_matmul;
  w.dtype = dtype;
  // With rows that are of no multiple of a tile.
  w.shape = {.batch = is_matmul ? 37 : 2, .in_channels = 20, .out_channels = 12};
  if (!is_matmul) {
    w.shape.height = 6;
    w.shape.width = 7;
    w.shape.kernel_h = w.shape.kernel_w = 3;
    w.shape.pad = 1;
  }
  return w;
}

void check(const Measurement& m, const char* target, DType dtype) {
  if (!has_real_gpu()) CHECK(m.roofline.has_value());
  CHECK(m.target == target);
  CHECK(m.dtype == name(dtype));
  CHECK(m.difference == "");
  CHECK(m.seconds.value() >= 0);
}

}  // namespace

TEST_CASE("a GPU's roofline is what it is made for", "[unit]") {
  driver::GpuInfo a100;  // with 40 GB
  a100.capability = 80;
  a100.multiprocessors = 108;
  a100.clock_khz = 1410000;
  a100.memory_clock_khz = 1215000;
  a100.memory_bus_bits = 5120;
  CHECK(gpu_roofline(a100, kFloat32)->operations == Approx(19.5e12).epsilon(0.001));
  CHECK(gpu_roofline(a100, kFloat16)->operations == Approx(312e12).epsilon(0.001));
  CHECK(gpu_roofline(a100, kBFloat16)->operations == gpu_roofline(a100, kFloat16)->operations);
  CHECK(gpu_roofline(a100, kInt8)->operations == Approx(624e12).epsilon(0.001));
  CHECK(gpu_roofline(a100, kInt8)->bytes == Approx(1555e9).epsilon(0.001));
  CHECK_FALSE(gpu_roofline(a100, kFloat64));
  driver::GpuInfo other = a100;
  other.capability = 100;
  CHECK(gpu_roofline(other, kFloat32));
  CHECK_FALSE(gpu_roofline(other, kFloat16));
  other.capability = 75;
  CHECK(gpu_roofline(other, kFloat16));
  CHECK_FALSE(gpu_roofline(other, kBFloat16));
  other.capability = 70;
  CHECK_FALSE(gpu_roofline(other, kFloat32));
  a100.clock_khz = 0;
  CHECK_FALSE(gpu_roofline(a100, kFloat32));
}

TEST_CASE("a GPU computes a workload by the compiler's default schedule", "[property]") {
  const driver::CudaOptions options = some_gpu();
  const auto gpu = driver::Cuda::open("cuda:", options);
  const cuda::Architecture& architecture = cuda::architecture_of(gpu->info().capability);
  std::vector<Workload> workloads;
  std::vector<ir::PrimFunc> functions;
  for (const DType dtype : {kFloat32, kFloat16, kBFloat16, kInt8}) {
    for (const bool is_matmul : {true, false}) {
      workloads.push_back(workload_of(dtype, is_matmul));
      functions.push_back(scheduled_for_gpu(workloads.back(), architecture));
      functions.back().name = fmt::format("f{}", functions.size());
    }
  }
  const GpuPrograms programs(functions);  // all at once, which is what the kernels' text as C++ can do
  for (size_t i = 0; i < workloads.size(); ++i) {
    const Workload& w = workloads[i];
    const Operands operands = random_operands(w, 1);
    const Reference expected = reference(w, operands);
    INFO(name(w.dtype) << (w.is_matmul ? " matmul" : " conv"));
    const auto compiler = [&](const ir::PrimFunc& scheduled, const std::string& known) {
      CHECK(ir::to_text(scheduled.body) == ir::to_text(functions[i].body));
      CHECK(known == architecture.name);
      return programs.get(i, options);
    };
    const Measurement m = measure_on_gpu({w, operands, expected}, *gpu, kOnce, compiler);
    check(m, "cuda:", w.dtype);
    CHECK(m.useful_operations == static_cast<uint64_t>(w.shape.operations()));
    if (w.is_matmul && w.dtype == kInt8) CHECK(m.bytes == Bytes(37 * 20 + 20 * 12 + 37 * 12 * 4));
  }
}

TEST_CASE("NVIDIA's libraries compute a workload, in float32 where they do not have its type", "[unit]") {
  for (const DType dtype : {kFloat32, kFloat16, kBFloat16, kInt8}) {
    for (const bool is_matmul : {true, false}) {
      const char* uri = is_matmul ? "cublas:" : "cudnn:";
      const auto library = driver::GpuLibrary::open(uri, some_library(uri));
      const Workload w = workload_of(dtype, is_matmul);
      const Operands operands = random_operands(w, 1);
      const Reference expected = reference(w, operands);
      INFO(uri << " " << name(dtype));
      check(measure_on_gpu_library({w, operands, expected}, *library, kOnce), uri,
            dtype == kInt8 && !is_matmul ? kFloat32 : dtype);
    }
  }
}

}  // namespace vantage::test::workload_measure_gpu_test
