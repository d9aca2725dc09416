#include "cli/lower_gpu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "cli/idle_options.h"
#include "cli/known_values.h"
#include "compiler/backend/cuda/codegen.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/backend/cuda/ptx_loops.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/graph/lower.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "workload/gpu_graph.h"

namespace vantage::cli {

namespace {

constexpr const char* kHostStage = "split_kernels";
constexpr const char* kSourceStage = "cuda";
constexpr const char* kBanksStage = "banks";
constexpr const char* kUseStage = "use";
constexpr const char* kPtxStage = "ptx";

std::string banks_text(const cuda::Module& module, const std::vector<cuda::KernelCode>& codes) {
  std::string text;
  for (size_t i = 0; i < codes.size(); ++i) {
    for (const cuda::BankUse& use : cuda::bank_uses(module.kernels[i], codes[i].shared_accesses)) {
      text += fmt::format("{:4} {:6}  {}\n", use.ways, use.rounds, use.access.text);
    }
  }
  return text.empty() ? "no shared memory\n" : "ways rounds  access\n" + text;
}

int64_t threads_of(const cuda::Kernel& kernel) {
  int64_t threads = 1;
  for (const ir::Expr& extent : kernel.block) threads *= *ir::as_int(extent);
  return threads;
}

std::string use_text(const cuda::Module& module, const std::vector<cuda::KernelCode>& codes,
                     const std::vector<cuda::KernelUse>& uses, const cuda::Architecture& architecture) {
  std::string text =
      fmt::format("{:<24} {:>9} {:>7} {:>8} {:>9}  occupancy\n", "kernel", "registers", "spills", "shared", "threads");
  for (size_t i = 0; i < codes.size(); ++i) {
    const auto use = std::find_if(uses.begin(), uses.end(),
                                  [&](const cuda::KernelUse& u) { return u.name == module.kernels[i].name; });
    if (use == uses.end()) continue;
    const int64_t threads = threads_of(module.kernels[i]);
    const cuda::Occupancy occupancy = cuda::occupancy(architecture, {threads, use->registers, codes[i].shared_bytes});
    text += fmt::format("{:<24} {:>9} {:>7} {:>8} {:>9}  {} of {} warps ({})\n", use->name, use->registers,
                        use->spill_store_bytes + use->spill_load_bytes, codes[i].shared_bytes, threads, occupancy.warps,
                        occupancy.most_warps, occupancy.limit);
  }
  return text;
}

std::vector<Stage> stages_of(const graph::Graph& layer, const cuda::Architecture& architecture) {
  ir::PrimFunc definition = graph::to_prim_func(layer);
  definition.name = layer.name();
  std::vector<Stage> result;
  result.push_back(
      {"definition", "the layer as tensor expressions define it", to_text(definition), StageKind::kFunction});
  const schedule::Schedule scheduled = ops::schedule_for_gpu(definition, architecture);
  result.push_back({"trace", "the steps of the schedule", to_cpp(scheduled.trace())});
  result.push_back({"schedule", "the function that they make", to_text(scheduled.function()), StageKind::kFunction});
  const ir::PrimFunc lowered = cuda::lower(scheduled.function(), [&](const passes::Step& step) {
    result.push_back({std::string(step.name), std::string(step.meaning), step.text(), StageKind::kFunction});
  });
  const cuda::Module module = cuda::split_kernels(lowered);
  result.push_back({kHostStage, "what the host launches", cuda::to_text(module)});
  std::vector<cuda::KernelCode> codes;
  for (const cuda::Kernel& kernel : module.kernels) codes.push_back(cuda::write_kernel(kernel));
  const std::string source = cuda::write_source(codes);
  result.push_back({kSourceStage, "the kernels", source});
  result.push_back({kBanksStage,
                    "how often banks are asked for what threads of a part of a warp want, and a whole warp",
                    banks_text(module, codes)});
  std::string use, ptx;
  try {
    const cuda::GpuCode code = cuda::Nvrtc::load()->compile(source, definition.name, {architecture.name});
    use = use_text(module, codes, code.kernels, architecture);
    for (const cuda::PtxLoop& loop : cuda::busiest_loops(code.ptx)) {
      if (loop.multiplies == 0) continue;
      use += fmt::format(
          "{}: {} of {} instructions of its busiest loop multiply, {} read shared memory, {} global, {} branch\n",
          loop.kernel, loop.multiplies, loop.instructions, loop.shared_loads, loop.global_loads, loop.branches);
      const auto share = cuda::share_of_peak(loop, architecture.capability);
      if (share) {
        use += fmt::format("  which leaves {:.0f} % of the rate that the GPU multiplies {} at\n", 100 * *share,
                           name(*loop.operand));
      }
    }
    for (const std::string& loss : code.losses) use += fmt::format("lost: {}\n", loss);
    ptx = code.ptx;
  } catch (const ToolError&) {
    throw;
  } catch (const Error& error) {
    use = ptx = fmt::format("{}\n", error.what());
  }
  result.push_back({kUseStage, "what kernels take of a multiprocessor", use});
  result.push_back({kPtxStage, "NVIDIA's assembly", ptx});
  return result;
}

}  // namespace

void GpuLowerOptions::add_to(CLI::App& app) {
  app.add_option("--target", target, "vta:, or cuda: for a GPU")
      ->type_name("URI")
      ->check(one_of({"vta:", "cuda:"}))
      ->capture_default_str();
  std::vector<std::string> names;
  for (const cuda::Architecture& a : cuda::architectures()) names.push_back(a.name);
  app.add_option("--architecture", architecture, "of the GPU that is compiled for")
      ->type_name("NAME")
      ->check(one_of(names))
      ->capture_default_str();
  app.add_option("--dtype", dtype, "of the operands on a GPU")
      ->type_name("NAME")
      ->check(one_of({"float32", "float16", "bfloat16", "int8"}))
      ->capture_default_str();
}

void GpuLowerOptions::check(const CLI::App& app, const std::string& stage,
                            const std::vector<std::string>& sizes) const {
  const std::vector<std::string> own = {"--architecture", "--dtype"};
  if (is_gpu()) {
    std::vector<std::string> allowed = {"--target", "--stage", "--json", "--help"};
    allowed.insert(allowed.end(), own.begin(), own.end());
    allowed.insert(allowed.end(), sizes.begin(), sizes.end());
    refuse_other_options(app, allowed, "is no choice that a GPU's schedule has, and --target is cuda:");
  } else {
    refuse_options(app, own, "is of GPUs (--target cuda:), and the target is the VTA");
  }
  const std::vector<std::string> gpu = gpu_stage_names();
  if (is_gpu() && stage != "all" && std::find(gpu.begin(), gpu.end(), stage) == gpu.end()) {
    fail("--stage {}: --target cuda: has {}", stage, fmt::join(gpu, ", "));
  }
}

std::vector<Stage> gpu_stages(const MatmulShape& shape, const GpuLowerOptions& options) {
  return stages_of(workload::matmul_for_gpu(shape.m, shape.n, shape.k, DType::parse(options.dtype)),
                   cuda::find_architecture(options.architecture));
}

std::vector<Stage> gpu_stages(const Conv2dShape& shape, const GpuLowerOptions& options) {
  return stages_of(workload::conv2d_for_gpu(shape, DType::parse(options.dtype)),
                   cuda::find_architecture(options.architecture));
}

std::vector<std::string> gpu_stage_names() {
  std::vector<std::string> names = {"definition", "trace", "schedule"};
  for (const auto& pass : cuda::pass_list()) {
    if (std::find(names.begin(), names.end(), pass.name) == names.end()) names.push_back(pass.name);
  }
  for (const char* name : {kHostStage, kSourceStage, kBanksStage, kUseStage, kPtxStage}) names.emplace_back(name);
  return names;
}

}  // namespace vantage::cli
