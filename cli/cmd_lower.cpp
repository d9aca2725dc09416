#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/conv_options.h"
#include "cli/elementwise_options.h"
#include "cli/gemm_options.h"
#include "cli/known_values.h"
#include "cli/lower_gpu.h"
#include "cli/options.h"
#include "cli/stages.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/ir/printer.h"
#include "compiler/ops/conv2d/vta_conv2d.h"
#include "hw/program/assembly.h"

namespace vantage::cli {

namespace {

struct LowerArguments {
  ConfigOption config;
  GpuLowerOptions gpu;
  std::string stage = "all";
  bool json = false;
};

// The function after every step, the operations after every step, then the program.
std::vector<Stage> stages(const ir::PrimFunc& definition, const std::string& trace, const ir::PrimFunc& scheduled,
                          const isa::Config& config) {
  std::vector<Stage> result;
  result.push_back(
      {"definition", "the layer as tensor expressions define it", to_text(definition), StageKind::kFunction});
  result.push_back({"trace", "the steps of the schedule", trace});
  result.push_back({"schedule", "the function that they make", to_text(scheduled), StageKind::kFunction});
  const Program program = vta::compile(scheduled, config, [&](const passes::Step& step) {
    const StageKind kind = step.function != nullptr ? StageKind::kFunction : StageKind::kOperations;
    result.push_back({std::string(step.name), std::string(step.meaning), step.text(), kind});
  });
  result.push_back({"program", "instructions", disassemble(program)});
  return result;
}

std::vector<Stage> stages(const ops::Layer& layer, const isa::Config& config) {
  std::string trace;
  const auto& parts = layer.mapping.parts;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts.size() > 1) trace += fmt::format("// part {} of {}\n", i + 1, parts.size());
    trace += to_cpp(ops::schedule_part(layer, parts[i], config).trace());
  }
  const ir::PrimFunc definition = ops::vta_conv2d(layer.shape, layer.epilogue, config);
  return stages(definition, trace, ops::schedule_layer(layer, config), config);
}

// The names of all stages, which are the same for everything that is lowered.
std::vector<std::string> stage_names() {
  std::vector<std::string> names = {"all", "definition", "trace", "schedule"};
  for (const auto& pass : vta::pass_list(isa::Config::vta_default())) names.push_back(pass.name);
  names.emplace_back(vta::kEmitStep);
  for (const auto& pass : vta::finishing_passes()) names.push_back(pass.name);
  names.emplace_back("program");
  return names;
}

// With those of a GPU.
std::vector<std::string> all_stage_names() {
  std::vector<std::string> names = stage_names();
  for (const std::string& name : gpu_stage_names()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

void require_vta_stage(const std::string& stage) {
  const std::vector<std::string> names = stage_names();
  if (std::find(names.begin(), names.end(), stage) != names.end()) return;
  fail("--stage {}: this is of GPUs, and the target is the VTA; --target cuda: is one", stage);
}

void add_common(CLI::App& app, LowerArguments& a, bool on_gpus) {
  if (on_gpus) a.gpu.add_to(app);
  a.config.add_to(app);
  app.add_option("--stage", a.stage, "a stage by name, or all of them with what each one changed")
      ->type_name("NAME")
      ->check(one_of(on_gpus ? all_stage_names() : stage_names()))
      ->capture_default_str();
  add_json_flag(app, a.json);
}

}  // namespace

void add_lower(CLI::App& app, int&) {
  CLI::App* lower = app.add_subcommand("lower", "show how a workload is compiled, step by step");
  lower->footer(
      "Examples:\n"
      "  vantage lower gemm --m 16 --k 64 --n 64\n"
      "  vantage lower conv --layer C8 --stage schedule\n"
      "  vantage lower conv --layer C8 --stage lower_dma\n"
      "  vantage lower conv --layer C8 --stage insert_tokens\n"
      "  vantage lower elementwise --size 1000 --stage program\n"
      "  vantage lower gemm --m 512 --k 512 --n 512 --target cuda: --stage cuda");

  auto g = std::make_shared<LowerArguments>();
  auto gemm_options = std::make_shared<GemmOptions>();
  CLI::App* gemm = lower->add_subcommand("gemm", "a matrix multiply");
  add_common(*gemm, *g, true);
  gemm_options->add_to(*gemm, false);
  gemm->footer(
      "Examples:\n"
      "  vantage lower gemm --m 16 --k 64 --n 64\n"
      "  vantage lower gemm --m 16 --k 64 --n 64 --stage lower_gemm\n"
      "  vantage lower gemm --m 512 --k 512 --n 512 --target cuda: --stage use");
  gemm->callback([g, gemm_options, gemm] {
    g->gpu.check(*gemm, g->stage, {"--m", "--k", "--n"});
    gemm_options->check_sizes();
    if (g->gpu.is_gpu()) return print_stages(gpu_stages(gemm_options->shape(), g->gpu), g->stage, g->json);
    require_vta_stage(g->stage);
    const isa::Config config = g->config.load();
    const workload::MappingRequest request = gemm_options->request(config);
    print_stages(stages({request.shape, request.epilogue, gemm_options->find(request).mapping}, config), g->stage,
                 g->json);
  });

  auto c = std::make_shared<LowerArguments>();
  auto conv_options = std::make_shared<ConvOptions>();
  CLI::App* conv = lower->add_subcommand("conv", "a 2D convolution");
  add_common(*conv, *c, true);
  conv_options->add_to(*conv, false);
  conv->footer(
      "Examples:\n"
      "  vantage lower conv --layer C8 --stage schedule\n"
      "  vantage lower conv --layer C8 --stage program\n"
      "  vantage lower conv --layer C8 --target cuda: --architecture sm_80");
  conv->callback([c, conv_options, conv] {
    c->gpu.check(*conv, c->stage,
                 {"--layer", "--batch", "--in-channels", "--height", "--width", "--out-channels", "--kernel",
                  "--stride", "--pad", "--dilation"});
    if (c->gpu.is_gpu()) {
      return print_stages(gpu_stages(conv_options->request(*conv, isa::Config::vta_default()).shape, c->gpu), c->stage,
                          c->json);
    }
    require_vta_stage(c->stage);
    const isa::Config config = c->config.load();
    const workload::MappingRequest request = conv_options->request(*conv, config);
    print_stages(stages({request.shape, request.epilogue, conv_options->find(request).mapping}, config), c->stage,
                 c->json);
  });

  auto e = std::make_shared<LowerArguments>();
  auto elementwise_options = std::make_shared<ElementwiseOptions>();
  CLI::App* elementwise = lower->add_subcommand("elementwise", "values combined element by element");
  add_common(*elementwise, *e, false);
  elementwise_options->add_to(*elementwise);
  elementwise->footer(
      "Examples:\n"
      "  vantage lower elementwise --size 1000\n"
      "  vantage lower elementwise --size 1000 --op max --immediate 0 --json");
  elementwise->callback([e, elementwise_options] {
    const isa::Config config = e->config.load();
    const ops::Elementwise layer = elementwise_options->layer(config);
    const auto s = ops::schedule_elementwise(layer, elementwise_options->find(layer, config).tiling, config);
    print_stages(stages(ops::elementwise(layer, config), to_cpp(s.trace()), s.function(), config), e->stage, e->json);
  });
}

}  // namespace vantage::cli
