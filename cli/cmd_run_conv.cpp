#include <CLI/CLI.hpp>

#include "base/json.h"
#include "base/tensor/random.h"
#include "cli/commands.h"
#include "cli/conv_options.h"
#include "cli/progress.h"
#include "cli/workload_arguments.h"
#include "cli/wrap.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"
#include "workload/conv2d_reference.h"
#include "workload/conv_layer.h"
#include "workload/useful_work.h"

namespace vantage::cli {

namespace {

struct ConvArguments : WorkloadArguments {
  ConvOptions conv;
};

// A number where it stands for both axes, as the options have it.
Json per_axis(const PerAxis& both) {
  return both.rows == both.columns ? Json(both.rows) : Json{both.rows, both.columns};
}

Json shape_json(const Conv2dShape& s) {
  return {{"batch", s.batch},
          {"in_channels", s.in_channels},
          {"height", s.height},
          {"width", s.width},
          {"out_channels", s.out_channels},
          {"kernel", per_axis({s.kernel_h, s.kernel_w})},
          {"stride", per_axis(s.stride)},
          {"pad", s.pad.is_even() ? Json(s.pad.top) : Json{s.pad.top, s.pad.left, s.pad.bottom, s.pad.right}},
          {"dilation", per_axis(s.dilation)}};
}

std::string describe(const Conv2dShape& s) {
  return fmt::format("{}x{}x{}x{} to {} channels, {}x{}, stride {}, pad {}{}", s.batch, s.in_channels, s.height,
                     s.width, s.out_channels, s.kernel_h, s.kernel_w, to_string(s.stride), to_string(s.pad),
                     s.dilation == PerAxis(1) ? "" : ", dilation " + to_string(s.dilation));
}

int run_conv(const CLI::App& command, ConvArguments a) {
  a.check({{"--save-mapping", a.conv.search.save_mapping}});
  const isa::Config config = a.config.load();
  const workload::MappingRequest request =
      a.conv.request(command, config, a.target.memory_setting(config).value_or(MemoryTiming{}));
  const ops::SearchResult found = a.conv.find(request);
  const ops::Layer layer{request.shape, request.epilogue, found.mapping};
  const Conv2dShape& s = layer.shape;

  std::mt19937_64 random(a.seed);
  const Tensor inputs = random_tensor(kInt32, {s.batch, s.in_channels, s.height, s.width}, config.inp_bits(), random);
  const Tensor weights =
      random_tensor(kInt32, {s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, config.wgt_bits(), random);
  std::optional<Tensor> bias;
  if (layer.epilogue.bias) bias = random_tensor(kInt32, {1, s.out_channels}, std::min(16, config.acc_bits()), random);

  const auto device = a.target.open(config, a.html.observer(config));
  a.conv.search.save(found.mapping);
  workload::ConvLayer conv(*device, "conv", s, layer.epilogue, weights, bias,
                           [&](const Conv2dShape&) { return layer.mapping; });
  const auto output = [&] {
    Progress progress("instructions", 1);
    driver::RunOptions options;
    options.progress = [&](uint64_t retired, uint64_t total) { progress.advance(retired, total); };
    return conv.run(inputs, !a.record.empty(), options);
  }();
  device->finish_trace();
  const Tensor expected = [&] {
    Progress progress("checking rows", static_cast<uint64_t>(s.batch * s.out_height()));
    return workload::conv2d_reference(config, s, layer.epilogue, inputs, weights, bias,
                                      [&](uint64_t rows) { progress.advance(rows); });
  }();
  if (output.bundle) save_bundle(*output.bundle, a.record);
  WorkloadReport report;
  report.workload = {{"name", "conv"},
                     {"layer", a.conv.layer},
                     {"shape", shape_json(s)},
                     {"bias", layer.epilogue.bias},
                     {"shift", layer.epilogue.shift},
                     {"mapping", ops::to_json(layer.mapping)},
                     {"instructions", output.instructions},
                     {"search", search_json(found)}};
  report.title = a.conv.layer.empty() ? "conv" : "conv " + a.conv.layer;
  report.details = describe(s) + "\n" +
                   wrapped(fmt::format("{}; {} instructions", mapping_text(layer.mapping), output.instructions), 0);
  report.work = workload::useful_work(s, config);
  report.least = output.least;
  report.mapping = mapping_text(layer.mapping);
  // Of this project's core, and of its time.
  if (output.result.cycles && a.target.memory_setting(config)) report.bound = found.bound;
  if (a.conv.search.explain || (a.html.wants_page() && report.bound)) {
    report.what_ifs = a.conv.search.what_ifs(request, found);
  }
  report.explanation = a.conv.search.explanation(found, report.what_ifs);
  report.success = fmt::format("All {} results equal those of plain loops.", expected.size());
  report.difference = workload::first_difference(expected, output.values);
  return report_workload(a, config, output.result, report);
}

}  // namespace

void add_run_conv(CLI::App& run, int& status) {
  auto a = std::make_shared<ConvArguments>();
  CLI::App* conv = run.add_subcommand(
      "conv",
      "2D convolution: C = clip((A * W + bias) >> shift, 0, largest output), checked; tiles chosen by a search");
  a->add_to(*conv);
  a->conv.add_to(*conv);
  conv->footer(
      "Examples:\n"
      "  vantage run conv --layer C2\n"
      "  vantage run conv --layer C8 --energy 7nm-hbm2 --html c8.html\n"
      "  vantage run conv --layer C9 --config 32x32 --memory ddr3 --trace c9.json\n"
      "  vantage run conv --in-channels 32 --height 30 --width 20 --kernel 5 --pad 2\n"
      "  vantage run conv --layer C8 --tile-oc 8 --tile-h 7 --virtual-threads 1");
  conv->callback([a, conv, &status] { status = run_conv(*conv, *a); });
}

}  // namespace vantage::cli
