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

// Whole numbers between separators.
std::vector<int64_t> split(const std::string& text, char separator) {
  std::vector<int64_t> numbers;
  for (const std::string& word : CLI::detail::split(text, separator)) numbers.push_back(std::stoll(word));
  return numbers;
}

PerAxis per_axis_of(const std::string& text) {
  const std::vector<int64_t> sides = split(text, 'x');
  return sides.size() == 1 ? PerAxis(sides[0]) : PerAxis(sides[0], sides[1]);
}

// A check for one such number, or so many of them.
CLI::Validator numbers(char separator, size_t count, uint64_t min, uint64_t max) {
  const auto check = [=, each = whole_number(min, max)](std::string& text) -> std::string {
    std::vector<std::string> words = CLI::detail::split(text, separator);
    if (text.ends_with(separator)) words.emplace_back();
    const bool has_gap = std::ranges::any_of(words, &std::string::empty);
    if (has_gap || (words.size() != 1 && words.size() != count)) {
      return fmt::format("'{}' is neither one number nor {} with '{}' between them", text, count, separator);
    }
    for (std::string word : words) {
      if (std::string wrong = each(word); !wrong.empty()) return wrong;
    }
    return "";
  };
  return {check, ""};
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
  const auto per_axis = [&](const char* option, std::string& value, const char* what) {
    app.add_option(option, value, std::string(what) + ": a number, or ROWSxCOLUMNS")
        ->type_name("N|RxC")
        ->check(numbers('x', 2, 1, kMaxConvSide))
        ->capture_default_str();
  };
  per_axis("--kernel", kernel, "sides of the kernel");
  per_axis("--stride", stride, "steps of the kernel");
  per_axis("--dilation", dilation, "how far apart the kernel's neighbours are");
  app.add_option("--pad", pad, "zeros around the input: a number, or TOP,LEFT,BOTTOM,RIGHT")
      ->type_name("N|T,L,B,R")
      ->check(numbers(',', 4, 0, max_pad()))
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

std::vector<std::string> ConvOptions::mapping_options() {
  return {"--tile-oc", "--tile-h", "--tile-w", "--tile-ic", "--virtual-threads", "--search", "--mapping"};
}

workload::MappingRequest ConvOptions::request(const CLI::App& app, const isa::Config& config,
                                              const MemoryTiming& memory) const {
  workload::MappingRequest result{.shape = {}, .epilogue = {}, .config = config, .memory = memory};
  result.shape = shape;
  const PerAxis sides = per_axis_of(kernel);
  result.shape.kernel_h = sides.rows;
  result.shape.kernel_w = sides.columns;
  result.shape.stride = per_axis_of(stride);
  result.shape.dilation = per_axis_of(dilation);
  const std::vector<int64_t> zeros = split(pad, ',');
  result.shape.pad = zeros.size() == 1 ? Border(zeros[0]) : Border(zeros[0], zeros[1], zeros[2], zeros[3]);
  if (!layer.empty()) {
    for (const char* option :
         {"--in-channels", "--out-channels", "--height", "--width", "--kernel", "--stride", "--pad", "--dilation"}) {
      if (app.count(option) > 0) fail("{} is part of --layer {}; leave one of them out", option, layer);
    }
    result.shape = workload::resnet18_layer(layer).shape;
    result.shape.batch = shape.batch;
  }
  const auto& s = result.shape;
  if (s.reach_h() > s.padded_height() || s.reach_w() > s.padded_width()) {
    fail("the {} x {} kernel is larger than the {} x {} input with {} around", s.reach_h(), s.reach_w(), s.height,
         s.width, to_string(s.pad));
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
