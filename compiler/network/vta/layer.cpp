#include "compiler/network/vta/layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/math.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/network/vta/pointwise.h"
#include "compiler/network/vta/pool.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/conv2d/vta_work.h"
#include "compiler/ops/elementwise/search.h"

namespace vantage::network {

namespace {

using Shape = Tensor::Shape;

// [outputs, channels, rows, columns] as tiles of the core's weights.
Tensor weight_tiles(const Tensor& weights, const isa::Config& config) {
  const int64_t outputs = weights.extent(0), channels = weights.extent(1);
  const int64_t kernel = weights.size() / (outputs * channels);
  const int64_t block_out = config.block_out(), block_in = config.block_in();
  const Shape image = weights.rank() == 4 ? Shape{weights.extent(2), weights.extent(3)} : Shape{1, 1};
  Tensor tiles(kInt8,
               {ceil_div(outputs, block_out), ceil_div(channels, block_in), image[0], image[1], block_out, block_in});
  const auto from = weights.values<int8_t>();
  const auto to = tiles.values<int8_t>();
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t tile = (o / block_out * tiles.extent(1) + c / block_in) * kernel;
      const int64_t lane = o % block_out * block_in + c % block_in;
      for (int64_t k = 0; k < kernel; ++k) {
        to[static_cast<size_t>((tile + k) * block_out * block_in + lane)] =
            from[static_cast<size_t>((o * channels + c) * kernel + k)];
      }
    }
  }
  return tiles;
}

// A number for each output as accumulators, repeated for every image of a tile.
Tensor vector_tiles(const Tensor& vector, const isa::Config& config) {
  const int64_t batch = config.batch(), block = config.block_out();
  Tensor tiles(kInt32, {ceil_div(vector.size(), block), batch, block});
  const auto to = tiles.values<int32_t>();
  for (int64_t o = 0; o < vector.size(); ++o) {
    for (int64_t b = 0; b < batch; ++b) {
      to[static_cast<size_t>((o / block * batch + b) * block + o % block)] = static_cast<int32_t>(vector.integer(o));
    }
  }
  return tiles;
}

std::string key_of(const VtaConv& conv) {
  const Conv2dShape& s = conv.shape;
  const ops::Epilogue& e = conv.epilogue;
  return fmt::format("conv {} {} {} {} {} {} {} {} {} {} {} / {} {} {} {} {} {} {} {} {}", s.batch, s.in_channels,
                     s.height, s.width, s.out_channels, s.kernel_h, s.kernel_w, to_string(s.stride), to_string(s.pad),
                     to_string(s.dilation), s.channelwise, e.bias, e.shift, e.clip_min, e.clip_max, e.cut,
                     e.multiplier.value_or(0), e.has_multipliers, e.has_addend, e.addend_factor);
}

// Throws Error where no piece of a layer fits the scratchpads. The smallest may not, where it lies on padding alone.
void require_room(const VtaConv& conv, const isa::Config& config) {
  const Conv2dShape& s = conv.shape;
  for (int64_t h = 1; h <= s.out_height(); ++h) {
    for (const int64_t w : {int64_t{1}, s.out_width()}) {
      ops::VtaConv2dPart part;
      part.tiling = {.n = 1, .oc = 1, .h = h, .w = w, .ic = 1};
      if (ops::fits(s, conv.epilogue, part, config)) return;
    }
  }
  fail("no piece of it fits the scratchpads of configuration {}: its kernel sees {} x {} pixels; larger ones would do",
       config.name(), s.reach_h(), s.reach_w());
}

VtaLayer conv_layer(const VtaConv& conv, const isa::Config& config) {
  using Kind = VtaOperand::Kind;
  require_room(conv, config);
  using Tiles = Tensor (*)(const Tensor&, const isa::Config&);
  const auto constant = [&config](const char* name, std::shared_ptr<const Tensor> value, Tiles tiles) {
    return VtaOperand{name, Kind::kConstant, 0, [=, &config] { return tiles(*value, config); }};
  };
  VtaLayer layer;
  layer.key = key_of(conv);
  layer.operands.push_back({"A", Kind::kInput, conv.x, nullptr});
  if (conv.weights != nullptr) {
    layer.operands.push_back(constant("W", conv.weights, weight_tiles));
  } else {
    layer.operands.push_back({"W", Kind::kInput, conv.weights_input, nullptr});
  }
  if (conv.bias) layer.operands.push_back(constant("bias", conv.bias, vector_tiles));
  if (conv.multipliers) layer.operands.push_back(constant("multipliers", conv.multipliers, vector_tiles));
  if (conv.addend) layer.operands.push_back({"addend", Kind::kInput, *conv.addend, nullptr});
  layer.operands.push_back({"C", Kind::kOutput, 0, nullptr});

  const Conv2dShape& s = conv.shape;
  const auto padded = [](int64_t value, int64_t tile) { return ceil_div(value, tile) * tile; };
  const int64_t places = s.out_height() * s.out_width() * s.kernel_h * s.kernel_w;
  const int64_t depth = s.channelwise ? config.block_in() : padded(s.in_channels, config.block_in());
  layer.useful = static_cast<uint64_t>(s.batch * s.out_channels * conv.depth * places);
  layer.padded = static_cast<uint64_t>(padded(s.batch, config.batch()) * padded(s.out_channels, config.block_out()) *
                                       depth * places);
  layer.operations = layer.useful;
  layer.bound = [shape = s, epilogue = conv.epilogue, &config](const MemoryTiming& memory) {
    return vta::bound_of(ops::vta_conv2d_work(shape, epilogue, config), config, memory);
  };
  layer.compile = [shape = s, epilogue = conv.epilogue, &config](const FindMapping& find, const MemoryTiming&) {
    const ops::SearchResult found = find(shape, epilogue);
    return VtaProgram{ops::compile_layer({shape, epilogue, found.mapping}, config), found.cycles,
                      static_cast<uint64_t>(found.bound.cycles()), std::string(found.bound.binds())};
  };
  return layer;
}

VtaLayer pool_layer(const ops::VtaPool& p, const isa::Config& config) {
  using Kind = VtaOperand::Kind;
  if (!ops::has_room(p, config)) {
    fail("no row of its windows fits the {} accumulators of configuration {}; a larger LOG_ACC_BUFF_SIZE would do",
         config.depth(isa::Memory::kAcc).count(), config.name());
  }
  VtaLayer layer;
  layer.key = fmt::format("max_pool {} {} {} {} {} {} {} {} {} {}", p.batch, p.channels, p.height, p.width, p.kernel_h,
                          p.kernel_w, to_string(p.stride), to_string(p.pad), to_string(p.dilation), p.least);
  layer.operands = {{"A", Kind::kInput, 0, nullptr}, {"C", Kind::kOutput, 0, nullptr}};
  layer.operations =
      static_cast<uint64_t>(p.batch * p.channels * p.out_height() * p.out_width() * p.kernel_h * p.kernel_w);
  layer.bound = [p, &config](const MemoryTiming& memory) {
    return vta::bound_of(ops::vta_pool_work(p, config), config, memory);
  };
  layer.compile = [p, &config](const FindMapping&, const MemoryTiming& memory) {
    const ops::VtaPoolSearch found = ops::search_vta_pool(p, config, memory);
    return VtaProgram{vta::compile(ops::schedule_vta_pool(p, found.tiling, config).function(), config), found.cycles,
                      static_cast<uint64_t>(found.bound.cycles()), std::string(found.bound.binds())};
  };
  return layer;
}

VtaLayer pointwise_layer(const VtaPointwise& pointwise, const isa::Config& config) {
  using Kind = VtaOperand::Kind;
  const ops::Elementwise& e = pointwise.layer;
  const ops::ElementwiseCopies copies = ops::copies_of(e);
  if (const uint64_t depth = config.depth(isa::Memory::kAcc).count(); uint64_t(copies.loads + copies.made) > depth) {
    fail("it needs {} accumulators at once, configuration {} has {}; a larger LOG_ACC_BUFF_SIZE would do",
         copies.loads + copies.made, config.name(), depth);
  }
  VtaLayer layer;
  layer.key = fmt::format("pointwise {} {}", e.size, e.operands);
  for (const ops::ElementwiseStep& step : e.steps) {
    layer.key +=
        fmt::format(" / {} {} {}{}", isa::name(step.op), step.a, step.b ? "v" : "", step.b.value_or(step.immediate));
  }
  constexpr const char* kNames[] = {"A", "B"};
  for (size_t i = 0; i < pointwise.inputs.size(); ++i) {
    layer.operands.push_back({kNames[i], Kind::kInput, pointwise.inputs[i], nullptr});
  }
  layer.operands.push_back({"C", Kind::kOutput, 0, nullptr});
  layer.operations = static_cast<uint64_t>(e.size) * e.steps.size();
  layer.bound = [e, &config](const MemoryTiming& memory) {
    return vta::bound_of(ops::elementwise_work(e, config), config, memory);
  };
  layer.compile = [e, &config](const FindMapping&, const MemoryTiming& memory) {
    const ops::ElementwiseSearch found = ops::search_elementwise(e, config, {0, 0}, memory);
    return VtaProgram{vta::compile(ops::schedule_elementwise(e, found.tiling, config).function(), config), found.cycles,
                      static_cast<uint64_t>(found.bound.cycles()), std::string(found.bound.binds())};
  };
  return layer;
}

// Whether the GEMM core has a part in it.
bool is_by_products(const BoundFunction& function) {
  return std::ranges::any_of(function.graph->nodes(), [](const graph::Node& node) {
    return node.is_call("sum") || (node.op != nullptr && node.op->pattern == ops::Pattern::kAnchor);
  });
}

// What has no products. A sum of two activations is best a product by ones, while whose sums are rounded others can be
// made; everything else is of the ALU alone.
VtaLayer read_by_element(const BoundFunction& function, const isa::Config& config) {
  std::optional<VtaLayer> sum;
  try {
    sum = conv_layer(read_conv(function, config), config);
  } catch (const Error&) {
    return pointwise_layer(read_pointwise(function, config), config);
  }
  return std::move(*sum);
}

}  // namespace

VtaLayer read_layer(const BoundFunction& function, const isa::Config& config) {
  for (const graph::Node& node : function.graph->nodes()) {
    if (node.is_call("max_pool2d")) {
      return pool_layer(read_max_pool(function, config), config);
    }
  }
  return is_by_products(function) ? conv_layer(read_conv(function, config), config) : read_by_element(function, config);
}

}  // namespace vantage::network
