#include "explore/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <random>

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/suggest.h"
#include "base/tensor/random.h"
#include "compiler/network/partition.h"
#include "compiler/network/vta/layer.h"
#include "frontend/models/models.h"
#include "frontend/onnx/import.h"
#include "workload/prepared_network.h"
#include "workload/resnet18.h"

namespace vantage::explore {

namespace {

constexpr Bytes kLargestModel{uint64_t{1} << 33};
constexpr int64_t kMostElements = int64_t{1} << 28;  // of a matrix

using Sizes = std::map<std::string, int64_t, std::less<>>;

// Floats from -1 to 1, and of integers, which may be numbers of something, the first two.
graph::Inputs random_inputs(const graph::Graph& graph, uint64_t seed) {
  std::mt19937_64 random(seed);
  graph::Inputs inputs;
  for (const uint32_t node : graph.inputs()) {
    const graph::Node& input = graph.nodes()[node];
    Tensor value(input.types[0].dtype, input.types[0].shape);
    if (value.dtype().is_float()) {
      fill(value, random);
    } else {
      fill(value, random, 0, 1);
    }
    inputs.emplace(input.name, std::move(value));
  }
  return inputs;
}

// The programs of a partition, each once.
Layers programs_of(const network::Partitioned& parts, const isa::Config& config) {
  Layers result;
  std::map<std::string, size_t> known;  // by the task's key
  for (const graph::Node& node : parts.graph.nodes()) {
    if (node.function == nullptr || node.function->device() != network::kVta) continue;
    network::BoundFunction function{node.function};
    for (const graph::Value& input : node.inputs) function.add_input(parts.graph, input);
    const network::VtaLayer layer = network::read_layer(function, config);
    ops::VtaTask task = ops::like(layer.task);
    const auto [place, is_new] = known.emplace(ops::key(task), result.accelerator.size());
    if (is_new) {
      result.accelerator.push_back({node.name, std::move(task), layer.useful});
    } else {
      ++result.accelerator[place->second].repeats;
    }
  }
  for (const network::Placement& placement : parts.placements) {
    if (placement.device.empty()) {
      result.processor.push_back({placement.node, placement.reason, placement.processor_seconds});
    }
  }
  return result;
}

// A network, whose integers are made once for all designs of as many bits.
class NetworkWorkload {
 public:
  NetworkWorkload(graph::Graph model, WorkloadOptions options)
      : model_(std::move(model)), options_(std::move(options)) {}

  Layers layers(const Design& design) {
    const isa::Config& config = design.config;
    const Bits bits = {config.inp_bits(), config.wgt_bits(), config.acc_bits()};
    auto known = integers_.find(bits);
    if (known == integers_.end()) {
      workload::PrepareOptions prepare = workload::options_for(config);
      prepare.progress = options_.progress;
      known =
          integers_.emplace(bits, workload::integers_of(model_, {random_inputs(model_, options_.seed)}, prepare)).first;
    }
    return layers_of(known->second, design);
  }

 private:
  using Bits = std::array<int, 3>;  // of inputs, weights and accumulators

  graph::Graph model_;
  WorkloadOptions options_;
  std::map<Bits, graph::Graph> integers_;
};

Workload network_workload(const std::string& name, graph::Graph model, const WorkloadOptions& options) {
  auto network = std::make_shared<NetworkWorkload>(std::move(model), options);
  return {name, fmt::format("seed {}", options.seed),
          [network](const Design& design) { return network->layers(design); }};
}

Workload conv_workload(const std::string& name, const Conv2dShape& shape, bool bias) {
  return {name, "", [name, shape, bias](const Design& design) {
            const ops::Epilogue epilogue = {bias, 8, 0, (1 << (design.config.out_bits() - 1)) - 1};
            const ops::VtaTask task = ops::VtaConv2d{shape, epilogue};
            ops::require_room(task, design.config);
            return Layers{{{name, ops::like(task), static_cast<uint64_t>(shape.operations() / 2)}}, {}};
          }};
}

// "NAME=N+NAME=N": commas part workloads.
Sizes sizes_in(const std::string& text, const std::string& whole) {
  Sizes sizes;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('+', begin), text.size());
    const size_t equals = text.find('=', begin);
    int64_t value = 0;
    const char* const last = text.data() + end;
    if (equals >= end || std::from_chars(text.data() + equals + 1, last, value).ptr != last || value < 1) {
      fail("workload '{}': expected sizes of at least 1 behind the colon, as NAME=64+OTHER=256", whole);
    }
    if (!sizes.emplace(text.substr(begin, equals - begin), value).second) {
      fail("workload '{}': {} is there twice", whole, text.substr(begin, equals - begin));
    }
    begin = end + 1;
  }
  return sizes;
}

// "256x64x512": m, k and n.
MatmulShape product_in(const std::string& text, const std::string& whole) {
  std::vector<int64_t> sizes;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('x', begin), text.size());
    int64_t value = 0;
    const char* const last = text.data() + end;
    const bool is_number = std::from_chars(text.data() + begin, last, value).ptr == last && end > begin;
    if (!is_number || value < 1 || value > 65535) {
      fail("workload '{}': expected rows, depth and columns from 1 to 65535, as gemm:256x64x512", whole);
    }
    sizes.push_back(value);
    begin = end + 1;
  }
  if (sizes.size() != 3) fail("workload '{}': has {} sizes, expected 3, as gemm:256x64x512", whole, sizes.size());
  for (const auto& [rows, columns] : {std::pair{0, 1}, {1, 2}, {0, 2}}) {
    if (sizes[rows] * sizes[columns] <= kMostElements) continue;
    fail("workload '{}': a matrix of {} x {} has more than {} elements; use smaller sizes", whole, sizes[rows],
         sizes[columns], kMostElements);
  }
  return {.m = sizes[0], .n = sizes[2], .k = sizes[1], .dtype = kInt8};
}

}  // namespace

void require_some(const Layers& layers, const std::string& workload) {
  if (!layers.accelerator.empty()) return;
  fail("{}: the accelerator takes nothing of it{}", workload,
       layers.processor.empty() ? "" : fmt::format("; {}: {}", layers.processor[0].name, layers.processor[0].reason));
}

Layers layers_of(const graph::Graph& integers, const Design& design) {
  return programs_of(network::partition_for_vta(integers, design.config, {.memory = design.memory}), design.config);
}

Workload find_workload(const std::string& text, const WorkloadOptions& options) {
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "conv") return conv_workload(text, workload::resnet18_layer(rest).shape, true);
  if (kind == "gemm") return conv_workload(text, as_conv2d(product_in(rest, text)), false);
  if (kind.ends_with(".onnx")) {
    Workload network =
        network_workload(text, onnx_models::import_model(kind, {.sizes = sizes_in(rest, text)}), options);
    network.content += " " + sha256(read_file(kind, kLargestModel));
    return network;
  }
  std::vector<std::string> known = {"conv:C2", "gemm:256x256x256", "FILE.onnx"};
  for (const models::Model& model : models::models()) known.push_back(model.name);
  if (std::ranges::find(known, kind) == known.end()) {
    fail("there is no workload '{}'{}", text, did_you_mean(kind, known));
  }
  return network_workload(
      text, models::find_model(kind).build(models::seeded_weights(options.seed), sizes_in(rest, text)), options);
}

}  // namespace vantage::explore
