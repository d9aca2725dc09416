#include "cli/conv_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/math.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "hw/isa/layout.h"
#include "workload/resnet18.h"

namespace vantage::cli {

namespace {

// Of one side, and of all values of a tensor.
constexpr uint64_t kMaxConvSide = 65535;
constexpr int64_t kMaxConvElements = int64_t{1} << 28;

// A load puts the zeros around the input.
uint64_t max_pad() {
  int64_t most = INT64_MAX;
  for (const isa::FieldId side :
       {isa::FieldId::kYPad0, isa::FieldId::kYPad1, isa::FieldId::kXPad0, isa::FieldId::kXPad1}) {
    most = std::min(most, isa::fixed_range(isa::Format::kTransfer, side).highest);
  }
  return static_cast<uint64_t>(most);
}

}  // namespace

void ConvOptions::add_to(CLI::App& app, bool runs) {
  const auto side = whole_number(1, kMaxConvSide);
  std::vector<std::string> layers;
  for (const workload::NamedLayer& known : workload::resnet18_layers()) layers.push_back(known.name);
  app.add_option("--layer", layer, "a convolution of ResNet-18")->type_name("NAME")->check(one_of(layers));
  app.add_option("--batch", shape.batch, "images")->check(side)->capture_default_str();
  app.add_option("--in-channels", shape.in_channels, "channels of the input")->check(side)->capture_default_str();
  app.add_option("--out-channels", shape.out_channels, "channels of the output")->check(side)->capture_default_str();
  app.add_option("--height", shape.height, "rows of the input")->check(side)->capture_default_str();
  app.add_option("--width", shape.width, "columns of the input")->check(side)->capture_default_str();
  app.add_option("--kernel", kernel, "rows and columns of the kernel")->check(side)->capture_default_str();
  app.add_option("--stride", shape.stride, "step of the kernel")->check(side)->capture_default_str();
  app.add_option("--pad", shape.pad, "zeros around the input")
      ->check(whole_number(0, max_pad()))
      ->capture_default_str();
  app.add_flag("--no-bias", no_bias, "add no bias");
  app.add_option("--shift", shift, "arithmetic right shift of the sums")
      ->check(whole_number(0, 31))
      ->capture_default_str();
  app.add_option("--tile-oc", tile_oc, "output channels computed at a time, in tiles; without it chosen, as below")
      ->check(side);
  app.add_option("--tile-h", tile_h, "output rows computed at a time")->check(side);
  app.add_option("--tile-w", tile_w, "output columns computed at a time")->check(side);
  app.add_option("--tile-ic", tile_ic, "input channels loaded at a time, in tiles")->check(side);
  app.add_option("--virtual-threads", virtual_threads, "threads that share the scratchpads")
      ->check(whole_number(1, 16));
  search.add_to(app, runs);
}

workload::MappingRequest ConvOptions::request(const CLI::App& app, const isa::Config& config,
                                              const MemoryTiming& memory) const {
  workload::MappingRequest result{.shape = {}, .epilogue = {}, .config = config, .memory = memory};
  result.shape = shape;
  result.shape.kernel_h = result.shape.kernel_w = kernel;
  if (!layer.empty()) {
    for (const char* option :
         {"--in-channels", "--out-channels", "--height", "--width", "--kernel", "--stride", "--pad"}) {
      if (app.count(option) > 0) fail("{} is part of --layer {}; leave one of them out", option, layer);
    }
    result.shape = workload::resnet18_layer(layer).shape;
    result.shape.batch = shape.batch;
  }
  const auto& s = result.shape;
  if (s.kernel_h > s.height + 2 * s.pad || s.kernel_w > s.width + 2 * s.pad) {
    fail("the {} x {} kernel is larger than the {} x {} input with {} around", s.kernel_h, s.kernel_w, s.height,
         s.width, s.pad);
  }
  const auto limit = [](const char* what, std::initializer_list<int64_t> sizes) {
    int64_t product = 1;
    for (int64_t size : sizes) {
      if (product > kMaxConvElements / size)
        fail("the {} has more than {} values; use smaller sizes", what, kMaxConvElements);
      product *= size;
    }
  };
  limit("input", {s.batch, s.in_channels, s.height, s.width});
  limit("kernel", {s.out_channels, s.in_channels, s.kernel_h, s.kernel_w});
  limit("output", {s.batch, s.out_channels, s.out_height(), s.out_width()});
  const auto most = [](const char* option, int64_t given, int64_t there_are, const char* what) {
    if (given > there_are) fail("{} is {}, but there are {} {}", option, given, there_are, what);
  };
  most("--tile-oc", tile_oc, ceil_div(s.out_channels, config.block_out()), "tiles of output channels");
  most("--tile-ic", tile_ic, ceil_div(s.in_channels, config.block_in()), "tiles of input channels");
  most("--tile-h", tile_h, s.out_height(), "rows of the output");
  most("--tile-w", tile_w, s.out_width(), "columns of the output");
  result.epilogue = {!no_bias, shift, 0, (1 << (config.out_bits() - 1)) - 1};
  result.tiling = {0, tile_oc, tile_h, tile_w, tile_ic, virtual_threads};
  if (!search.mapping.empty() && !result.tiling.is_open()) {
    fail(
        "--mapping {} says all of the tiling; leave --tile-oc, --tile-h, --tile-w, --tile-ic and --virtual-threads out",
        search.mapping);
  }
  return result;
}

}  // namespace vantage::cli
