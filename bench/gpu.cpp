// What the compiler makes for a GPU by default, beside cuBLAS in the same run: times, checked against elements that are
// summed in double on the host; whole networks, beside their layers by cuDNN and cuBLAS; what a launch takes; and,
// where there is no GPU, what can be told without one.
//
//   bench_gpu [--json FILE] [--architecture NAME] [--small]
//
// Operands are uniform: floats in [-1, 1), any bytes. What is multiplied changes a GPU's clocks.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <random>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/temporary.h"
#include "base/tensor/random.h"
#include "bench/gpu_cases.h"
#include "bench/gpu_model.h"
#include "bench/gpu_networks.h"
#include "bench/targets.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/backend/cuda/program.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "compiler/te/te.h"
#include "driver/cuda/gpu_library.h"
#include "driver/cuda/gpu_tensor.h"
#include "workload/wrong_element.h"

namespace vantage::bench {
namespace {

using driver::GpuTensor;

constexpr driver::TimeOptions kTime = {.number = 1, .repeat = 11, .min_ms = 5};
constexpr double kMostLaunch = 10e-6;
// Of a network: its time to that of NVIDIA's libraries.
constexpr double kMostOfVendor = 1.2;

// Uniform, as the head of this file says.
Tensor uniform(const native::Parameter& parameter, uint64_t seed) {
  Tensor::Shape shape;
  for (const std::string& size : parameter.shape) shape.push_back(std::stoll(size));
  Tensor tensor(dtype_of(parameter.dtype), shape);
  std::mt19937_64 random(seed);
  fill(tensor, random);
  return tensor;
}

// The clock of the GPU's multiprocessors now, in MHz; 0 where that is not told.
int clock_now() {
  if (!have_program("nvidia-smi")) return 0;
  const TemporaryDirectory folder;
  const std::string text =
      run_tool({"nvidia-smi", "--query-gpu=clocks.sm", "--format=csv,noheader,nounits"}, folder.path(), "nvidia-smi");
  return std::atoi(text.c_str());
}

class OnOneGpu {
 public:
  explicit OnOneGpu(driver::Cuda& gpu) : gpu_(gpu) {}

  struct Measured {
    double seconds = 0, vendor_seconds = 0;
    int clock_mhz = 0;
  };
  // Throws Error where a result is wrong.
  Measured measure(const GpuCase& one, const native::GpuProgram& program) {
    const auto& parameters = program.signature.parameters;
    std::vector<Tensor> operands;
    std::vector<std::unique_ptr<GpuTensor>> tensors;
    std::vector<const DLTensor*> pointers;
    for (size_t i = 0; i < parameters.size(); ++i) {
      operands.push_back(uniform(parameters[i], i + 1));
      tensors.push_back(std::make_unique<GpuTensor>(gpu_, operands.back()));
      pointers.push_back(tensors.back()->tensor());
    }
    const auto loaded = gpu_.load(program, pointers);
    loaded->run();
    check(one, operands, tensors.back()->read());
    Measured result;
    result.seconds = loaded->time(kTime).median();
    result.clock_mhz = clock_now();
    if (one.matmul) result.vendor_seconds = vendor(one, operands).value_or(0);
    return result;
  }

  // What the GPU takes from one launch of nearly nothing to the next.
  double launch_seconds(const cuda::Architecture& architecture) {
    const te::Tensor a = te::placeholder({32}, kFloat32, "A");
    const te::Tensor b = te::compute(
        {32}, [&](const te::Expr& i) { return a(i) + 1.0F; }, "B");
    const auto s = ops::schedule_for_gpu(te::create_prim_func({a, b}, "increment"), architecture);
    GpuTensor x(gpu_, Tensor(kFloat32, {32})), y(gpu_, Tensor(kFloat32, {32}));
    const auto loaded =
        gpu_.load(cuda::compile(s.function(), {.architecture = architecture.name}, *cuda::Nvrtc::load()),
                  {x.tensor(), y.tensor()});
    const double seconds = loaded->time({.number = 1000, .repeat = 11}).median();
    if (y.read().number(31) != 1) throw InternalError("a launch of nearly nothing is wrong");
    return seconds;
  }

 private:
  static void check(const GpuCase& one, const std::vector<Tensor>& operands, const Tensor& result) {
    const auto expected = [&](int64_t element) { return expected_element(one, operands, element); };
    if (const auto wrong = workload::wrong_element(result, expected)) {
      throw InternalError(fmt::format("{}: {}", one.name, *wrong));
    }
  }

  // As cuBLAS does it, with operands that lie as they do here, or else as it likes them best.
  std::optional<double> vendor(const GpuCase& one, const std::vector<Tensor>& operands) {
    try {
      if (!library_) library_ = driver::GpuLibrary::open("cublas:", {.worker = VANTAGE_GPU, .libcuda = {}});
      std::vector<std::unique_ptr<GpuTensor>> tensors;
      std::vector<const DLTensor*> its;
      for (const Tensor& operand : operands) {
        tensors.push_back(std::make_unique<GpuTensor>(library_->gpu(), operand));
        its.push_back(tensors.back()->tensor());
      }
      const auto loaded = library_->matmul(*one.matmul, its);
      loaded->run();
      check(one, operands, tensors.back()->read());
      return loaded->time(kTime).median();
    } catch (const Error& error) {
      fmt::print("  not beside cuBLAS: {}\n", error.what());
      return std::nullopt;
    }
  }

  driver::Cuda& gpu_;
  std::unique_ptr<driver::GpuLibrary> library_;
};

Json device_json(const driver::GpuInfo& info) {
  return {{"name", info.name},
          {"capability", info.capability},
          {"multiprocessors", info.multiprocessors},
          {"memory_bytes", info.memory.count()},
          {"clock_mhz", info.clock_khz / 1000},
          {"memory_clock_mhz", info.memory_clock_khz / 1000},
          {"driver_cuda", driver::cuda_version(info.driver_version)}};
}

// All but its kernel's name.
Json loop_json(const cuda::PtxLoop& loop, const cuda::Architecture& architecture) {
  Json result = {{"multiplies", loop.multiplies},     {"instructions", loop.instructions}, {"products", loop.products},
                 {"shared_loads", loop.shared_loads}, {"global_loads", loop.global_loads}, {"branches", loop.branches}};
  if (const auto share = cuda::share_of_peak(loop, architecture.capability)) result["share_of_peak"] = *share;
  return result;
}

std::string loop_text(const cuda::PtxLoop& loop, const cuda::Architecture& architecture) {
  const auto share = cuda::share_of_peak(loop, architecture.capability);
  return fmt::format("{} of {} instructions multiply{}", loop.multiplies, loop.instructions,
                     share ? fmt::format(", which leaves {:.0f} % of the GPU's rate", 100 * *share) : "");
}

Json facts_json(const GpuKernelFacts& facts, const cuda::Architecture& architecture) {
  return {{"registers", facts.registers},       {"spill_bytes", facts.spill_bytes},
          {"shared_bytes", facts.shared_bytes}, {"threads", facts.threads},
          {"most_bank_ways", facts.banks.ways}, {"most_load_rounds", facts.banks.load_rounds},
          {"occupancy", facts.occupancy},       {"loop", loop_json(facts.loop, architecture)}};
}

// A whole network; adds what must be reached to `targets`.
Json measure_network(const std::string& name, const cuda::Architecture& architecture, driver::Cuda* gpu,
                     std::vector<Target>& targets) {
  const GpuNetwork network = gpu_network(name, architecture);
  Json row = {{"network", name},
              {"launches", network.launches},
              {"spill_bytes", network.spill_bytes},
              {"most_bank_ways", network.banks.ways},
              {"most_load_rounds", network.banks.load_rounds},
              {"model_cycles", std::llround(network.model_cycles)},
              {"products", Json::array()}};
  fmt::print("{}, float32, a batch of 1\n  {} launches, {} bytes of spills, {:.0f} cycles of products by the model\n",
             name, network.launches, network.spill_bytes, network.model_cycles);
  for (const cuda::PtxLoop& loop : network.products) {
    row["products"].push_back({{"kernel", loop.kernel}, {"loop", loop_json(loop, architecture)}});
    fmt::print("  {}: {}\n", loop.kernel, loop_text(loop, architecture));
  }
  if (gpu == nullptr) return row;
  const double seconds = network_seconds(network, *gpu);
  fmt::print("  {:.4f} ms", seconds * 1e3);
  row["seconds"] = seconds;
  try {
    const double vendor = vendor_network_seconds(network);
    fmt::print("; its convolutions by cuDNN and dense layers by cuBLAS {:.4f} ms", vendor * 1e3);
    row["vendor_seconds"] = vendor;
    targets.push_back({name, seconds / vendor, kMostOfVendor, false, "of cuDNN and cuBLAS"});
  } catch (const Error& error) {
    fmt::print("\n  not beside cuDNN and cuBLAS: {}", error.what());
  }
  fmt::print("\n");
  return row;
}

constexpr int kSkipped = 77;

int run(const std::string& json_file, std::string architecture_name, bool small) {
  try {
    cuda::Nvrtc::load();
  } catch (const Error& error) {
    fmt::print("Skipped, as there is no compiler for GPUs: {}\n", error.what());
    return kSkipped;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was measured is seen, whatever comes after it
  const std::string why = driver::why_no_cuda({});
  std::unique_ptr<driver::Cuda> gpu;
  if (why.empty()) {
    gpu = driver::Cuda::open("cuda:", {.worker = VANTAGE_GPU, .libcuda = {}});
    if (architecture_name.empty()) architecture_name = cuda::architecture_of(gpu->info().capability).name;
  } else {
    fmt::print("No times: {}\n\n", why);
    if (architecture_name.empty()) architecture_name = "sm_90a";
  }
  const cuda::Architecture& architecture = cuda::find_architecture(architecture_name);
  Json document = {{"date", fmt::format("{:%Y-%m-%d}", std::chrono::system_clock::now())},
                   {"device", gpu ? device_json(gpu->info()) : Json()},
                   {"architecture", architecture.name},
                   {"nvrtc", cuda::Nvrtc::load()->version()},
                   {"operands", "uniform: floats in [-1, 1), any bytes"},
                   {"cases", Json::array()}};
  if (gpu) fmt::print("{}, compiled for {}. Operands are uniform.\n\n", gpu->info().name, architecture.name);
  std::vector<Target> targets;
  std::optional<OnOneGpu> on;
  if (gpu) on.emplace(*gpu);
  for (const GpuCase& one : gpu_cases(small)) {
    const CompiledCase code = compiled(one, architecture);
    const GpuKernelFacts& f = code.facts;
    Json row = {{"case", one.name}, {"operations", one.operations}, {"kernel", facts_json(f, architecture)}};
    fmt::print("{}\n  {} registers, {} bytes of spills, {} bytes of shared memory, {}\n  {}\n", one.name, f.registers,
               f.spill_bytes, f.shared_bytes, f.occupancy, loop_text(f.loop, architecture));
    if (const double cycles = modelled_cycles(one.function, architecture); cycles > 0) {
      fmt::print("  {:.0f} cycles by the model\n", cycles);
      row["model_cycles"] = std::llround(cycles);
    }
    if (on) {
      const OnOneGpu::Measured m = on->measure(one, code.program);
      fmt::print("  {:.4f} ms, {:.1f} TFLOP/s at {} MHz", m.seconds * 1e3, one.operations / m.seconds * 1e-12,
                 m.clock_mhz);
      row["seconds"] = m.seconds;
      row["clock_mhz"] = m.clock_mhz;
      if (m.vendor_seconds > 0) {
        fmt::print("; cuBLAS {:.4f} ms, {:.3f} of its rate", m.vendor_seconds * 1e3, m.vendor_seconds / m.seconds);
        row["vendor_seconds"] = m.vendor_seconds;
        row["ratio"] = m.vendor_seconds / m.seconds;
        if (one.least_ratio) {
          targets.push_back({one.name, m.vendor_seconds / m.seconds, *one.least_ratio, true, "of cuBLAS"});
        }
      }
      if (one.most_seconds) targets.push_back({one.name, m.seconds * 1e3, *one.most_seconds * 1e3, false, "ms"});
      fmt::print("\n");
    }
    document["cases"].push_back(std::move(row));
  }
  document["networks"] = Json::array();
  for (const char* name : small ? std::vector{"lenet"} : std::vector{"vgg16", "resnet18"}) {
    document["networks"].push_back(measure_network(name, architecture, gpu.get(), targets));
  }
  if (on) {
    const double seconds = on->launch_seconds(architecture);
    document["launch_seconds"] = seconds;
    targets.push_back({"from one launch to the next", seconds * 1e6, kMostLaunch * 1e6, false, "us"});
  }
  if (small) targets.clear();
  if (!json_file.empty()) write_file(json_file, json_text(document) + "\n");
  return report(targets);
}

}  // namespace
}  // namespace vantage::bench

int main(int argc, char** argv) {
  std::string json, architecture;
  bool small = false;
  CLI::App app{"the compiler's kernels on a GPU, beside cuBLAS"};
  app.add_option("--json", json, "a file for what was measured")->type_name("FILE");
  app.add_option("--architecture", architecture, "what to compile for; by default the GPU's own, or sm_90a");
  app.add_flag("--small", small, "small sizes, and LeNet for networks: that all of it works; nothing is judged");
  CLI11_PARSE(app, argc, argv);
  try {
    return vantage::bench::run(json, architecture, small);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
