#include "compiler/network/partition.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "compiler/graph/passes/cancel_transforms.h"
#include "compiler/graph/passes/eliminate_common.h"
#include "compiler/graph/passes/remove_dead_code.h"
#include "compiler/graph/rewrite.h"
#include "compiler/network/fold_kernels.h"
#include "compiler/network/unstack_products.h"
#include "compiler/network/vta/layer.h"

namespace vantage::network {

using graph::Graph;
using graph::Node;
using graph::Rewrite;
using graph::Value;

namespace {

bool is_pointwise(const Node& node) {
  return node.kind == Node::Kind::kCall &&
         (node.op->pattern == ops::Pattern::kElementwise || node.op->pattern == ops::Pattern::kBroadcast);
}

// Sums of pixels; the integers that they add up are a part of them.
bool is_sum(const Node& node) {
  return node.is_call("sum") && node.types[0].dtype == kInt32 && node.types[0].shape.size() == 4;
}

bool is_product(const Node& node) {
  return node.kind == Node::Kind::kCall && node.op->pattern == ops::Pattern::kAnchor;
}

// An activation as int32, with what is done to each element by constants.
bool is_wide_activation(const Graph& graph, Value value) {
  const Node* node = &graph.node(value);
  while (is_pointwise(*node) && !node->is_call("cast")) {
    if (node->inputs.size() > 1 && graph.node(node->inputs[1]).constant == nullptr) return false;
    node = &graph.node(node->inputs[0]);
  }
  return is_pointwise(*node) && graph.type(node->inputs[0]).dtype == kInt8 &&
         graph.node(node->inputs[0]).constant == nullptr;
}

// The sum of two activations that is a part of no product; what makes them wider is a part of it.
bool is_lone_addition(const Graph& graph, const Node& node) {
  return node.is_call("add") && node.types[0].dtype == kInt32 &&
         graph.type(node.inputs[0]) == graph.type(node.inputs[1]) && is_wide_activation(graph, node.inputs[0]) &&
         is_wide_activation(graph, node.inputs[1]);
}

// Which nodes make int32 element by element of activations and constants.
std::vector<bool> find_pointwise(const Graph& graph) {
  std::vector<bool> found;
  for (const Node& node : graph.nodes()) {
    const auto is_known = [&](const Value& input) {
      return found[input.node] || graph.node(input).constant != nullptr;
    };
    const bool widens = node.is_call("cast") && graph.type(node.inputs[0]).dtype == kInt8 &&
                        graph.node(node.inputs[0]).constant == nullptr;
    found.push_back(is_pointwise(node) && node.types[0].dtype == kInt32 &&
                    (widens || std::ranges::all_of(node.inputs, is_known)));
  }
  return found;
}

// What one takes on a processor: products, pixels of windows, elements.
double operations_of(const Graph& graph, const Node& node) {
  const auto elements = [](const TensorType& type) { return static_cast<double>(type.size()); };
  const TensorType& x = graph.type(node.inputs[0]);
  if (!is_product(node)) return elements(x);
  const TensorType& weights = graph.type(node.inputs[1]);
  // Of images each result takes the weights of its output, of matrices a row.
  const bool of_images = weights.shape.size() == 4 && node.op->name.starts_with("conv");
  const double depth = of_images ? elements(weights) / static_cast<double>(weights.shape[0])
                                 : static_cast<double>(x.shape.empty() ? 1 : x.shape.back());
  return elements(node.types[0]) * depth;
}

// Nodes that a function would compute, the last one being what it gives.
using Members = std::set<uint32_t>;

class Partitioner {
 public:
  Partitioner(Graph graph, const isa::Config& config, const PartitionCost& cost)
      : graph_(std::move(graph)),
        config_(config),
        cost_(cost),
        is_pointwise_(find_pointwise(graph_)),
        users_(graph_.nodes().size()),
        is_taken_(graph_.nodes().size()) {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      for (const Value& input : graph_.nodes()[n].inputs) users_[input.node].insert(n);
    }
    for (const Value& output : graph_.outputs()) users_[output.node].insert(UINT32_MAX);
  }

  Partitioned run() && {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      if (is_anchor(graph_.nodes()[n]) && !is_taken_[n]) place(n);
    }
    Rewrite rewrite(graph_);
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const auto last = functions_.find(n);
      if (last != functions_.end()) {
        call(n, last->second, rewrite);
      } else if (!is_taken_[n]) {
        rewrite.copy(n);
      }
    }
    Graph whole = graph::cancel_transforms(std::move(rewrite).finish());
    whole = graph::eliminate_common_subexpressions(std::move(whole));
    return {graph::remove_dead_code(std::move(whole)), std::move(placements_)};
  }

 private:
  // Of an activation: rows and columns.
  struct Tiles {
    int64_t batch, block;
    auto operator<=>(const Tiles&) const = default;
  };
  // What a function on the VTA takes: values of the graph, of which activations come as tiles.
  struct Built {
    std::shared_ptr<const Graph> graph;
    struct Argument {
      Value value;
      std::optional<Tiles> tiles;  // none: as it is
    };
    std::vector<Argument> arguments;

    BoundFunction bound(const Graph& whole) const {
      BoundFunction function{graph};
      for (const Argument& argument : arguments) function.add_input(whole, argument.value);
      return function;
    }
  };

  // What accelerators are for: sums of products and of activations, folds of images, and integers that are made element
  // by element.
  bool is_anchor(const Node& node) const {
    return is_product(node) || node.is_call("max_pool2d") || is_sum(node) || is_lone_addition(graph_, node) ||
           is_pointwise_end(node);
  }
  bool is_pointwise_end(const Node& node) const {
    return node.is_call("cast") && node.types[0].dtype == kInt8 && is_pointwise_[node.inputs[0].node];
  }

  void place(uint32_t anchor) {
    std::vector<uint32_t> tails = {anchor};
    while (users_[tails.back()].size() == 1 && *users_[tails.back()].begin() != UINT32_MAX &&
           is_pointwise(graph_.nodes()[*users_[tails.back()].begin()])) {
      tails.push_back(*users_[tails.back()].begin());
    }
    std::string reason;
    for (auto tail = tails.rbegin(); tail != tails.rend(); ++tail) {
      const Members members = members_of(anchor, *tail);
      if (members.count(anchor) == 0) continue;  // the next one's, behind integers that are made wider again
      try {
        Built built = build(anchor, members);
        const VtaLayer layer = read_layer(built.bound(graph_), config_);
        const double here = processor_seconds(layer, built);
        require_faster(layer, here);
        for (const uint32_t member : members) is_taken_[member] = true;
        functions_.emplace(*tail, std::move(built));
        // What was refused alone may be a part of this.
        std::erase_if(placements_, [&](const Placement& placement) {
          return std::ranges::any_of(members, [&](uint32_t m) { return graph_.nodes()[m].name == placement.node; });
        });
        placements_.push_back({graph_.nodes()[*tail].name, std::string(kVta), "", here});
        return;
      } catch (const Error& error) {
        // What ends in int8 is what was meant; of others the shortest says the most.
        const bool ends_in_int8 = graph_.nodes()[*tail].types[0].dtype == kInt8;
        if (ends_in_int8 || reason.empty()) reason = error.what();
      }
    }
    const double seconds = operations_of(graph_, graph_.nodes()[anchor]) / cost_.operations_per_second;
    placements_.push_back({graph_.nodes()[anchor].name, "", std::move(reason), seconds});
  }

  double processor_seconds(const VtaLayer& layer, const Built& built) const {
    uint64_t bytes = 0;  // of activations, in and out
    for (const Built::Argument& argument : built.arguments) {
      if (argument.tiles) bytes += graph_.type(argument.value).bytes();
    }
    for (const Value& output : built.graph->outputs()) bytes += built.graph->type(output).bytes();
    return static_cast<double>(layer.operations) / cost_.operations_per_second +
           static_cast<double>(bytes) / cost_.bytes_per_second;
  }

  void require_faster(const VtaLayer& layer, double here) const {
    const vta::Bound bound = vta::bound_of(ops::work_of(layer.task, config_), config_, cost_.memory);
    const double there = static_cast<double>(bound.cycles()) / (1e6 * config_.clock_mhz());
    if (here < there) {
      fail(
          "a processor would take some {:.2g} ms, with the way there and back, the accelerator at least {:.2g} ms for "
          "the {}; {} would change that",
          1e3 * here, 1e3 * there, bound.binds(), what_helps(bound.binds()));
    }
  }

  // The nodes from the anchor to the last one, and what is computed for these alone.
  Members members_of(uint32_t anchor, uint32_t tail) const {
    Members members = {tail};
    for (bool grows = true; grows;) {
      grows = false;
      for (const uint32_t member : std::vector(members.begin(), members.end())) {
        if (member == anchor && !takes_what_is_before(graph_.nodes()[anchor])) continue;
        if (widens(graph_.nodes()[member])) continue;  // behind that are activations
        for (const Value& input : graph_.nodes()[member].inputs) {
          const auto& users = users_[input.node];
          const bool is_ours =
              std::all_of(users.begin(), users.end(), [&](uint32_t u) { return members.count(u) != 0; });
          const bool joins = input.node == anchor || (is_ours && is_pointwise(graph_.nodes()[input.node]));
          if (joins && !is_taken_[input.node]) grows = members.insert(input.node).second || grows;
        }
      }
    }
    return members;
  }

  bool widens(const Node& node) const { return node.is_call("cast") && graph_.type(node.inputs[0]).dtype == kInt8; }
  // What makes activations wider is computed with sums of them.
  bool takes_what_is_before(const Node& anchor) const {
    return is_sum(anchor) || anchor.is_call("add") || is_pointwise_end(anchor);
  }

  Built build(uint32_t anchor, const Members& members) const {
    Built built;
    Graph function(is_pointwise_end(graph_.nodes()[anchor]) ? "pointwise" : graph_.nodes()[anchor].op->name);
    function.set_device(std::string(kVta));
    // An activation may come in tiles of several kinds.
    using Form = std::pair<Value, std::optional<Tiles>>;
    std::map<Form, Value> inside;
    const auto form = [&](uint32_t member, size_t input) {
      const Value value = taken_input(member, input, anchor);
      const bool is_inside = members.count(value.node) != 0;
      return Form{value, is_inside ? std::nullopt
                                   : tiles_of(value, member == anchor && is_product(graph_.nodes()[anchor]), input)};
    };
    std::vector<std::pair<Form, Value>> to_unpack;
    for (const uint32_t member : members) {
      for (size_t i = 0; i < graph_.nodes()[member].inputs.size(); ++i) {
        const Form given = form(member, i);
        const auto& [input, tiles] = given;
        if (members.count(input.node) != 0 || inside.count(given) != 0) continue;
        const std::string name = "p" + std::to_string(built.arguments.size());
        const TensorType& type = graph_.type(input);
        inside[given] = function.input(name, tiles ? packed(type, *tiles) : type);
        if (tiles) to_unpack.emplace_back(given, inside[given]);
        built.arguments.push_back({input, tiles});
      }
    }
    for (const auto& [given, tiles] : to_unpack) {
      inside[given] = function.call("unpack_tiles", {tiles}, {{"shape", graph_.type(given.first).shape}});
    }
    for (const uint32_t member : members) {
      const Node& node = graph_.nodes()[member];
      std::vector<Value> inputs;
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        inputs.push_back(inside.at(form(member, i)));
        const TensorType& wanted = graph_.type(node.inputs[i]);
        if (function.type(inputs.back()) == wanted) continue;
        inputs.back() = function.call("reshape", {inputs.back()},
                                      {{"shape", ops::Integers(wanted.shape.begin(), wanted.shape.end())}});
      }
      inside[{{member, 0}, std::nullopt}] = function.call(*node.op, std::move(inputs), node.attributes, node.op->name);
    }
    const Value last = inside.at({{*members.rbegin(), 0}, std::nullopt});
    const size_t rank = function.type(last).shape.size();
    if (rank != 2 && rank != 4) fail("its results are {}, and no images", describe(function.type(last)));
    function.set_outputs({function.call("pack_tiles", {last}, attributes({config_.batch(), config_.block_out()}))});
    built.graph = std::make_shared<const Graph>(std::move(function));
    return built;
  }

  // What a member takes. A dense layer behind an image that was laid out as a row takes the image itself, whose tiles
  // may then stay as they are: where its channels fill them, so that the row has no gaps.
  Value taken_input(uint32_t member, size_t input, uint32_t anchor) const {
    const Node& node = graph_.nodes()[member];
    const Value value = node.inputs[input];
    const Node& before = graph_.node(value);
    const bool is_row = member == anchor && input == 0 && node.is_call("dense") && before.is_call("reshape");
    if (!is_row) return value;
    const TensorType& image = graph_.type(before.inputs[0]);
    const Tensor::Shape& row = graph_.type(value).shape;
    const bool is_image = image.dtype == kInt8 && image.shape.size() == 4 && row.size() == 2 &&
                          image.shape[0] == row[0] && image.shape[1] % config_.block_in() == 0 &&
                          graph_.node(node.inputs[1]).constant != nullptr;
    return is_image ? before.inputs[0] : value;
  }

  // Of an input from outside: none where it is no activation. Products read inputs and weights, everything else
  // accumulators.
  std::optional<Tiles> tiles_of(Value value, bool by_product, size_t input) const {
    const TensorType& type = graph_.type(value);
    const bool is_activation = graph_.node(value).constant == nullptr && type.dtype == kInt8 &&
                               (type.shape.size() == 2 || type.shape.size() == 4);
    if (!is_activation) return std::nullopt;
    if (by_product && input == 1) return Tiles{config_.block_out(), config_.block_in()};
    return Tiles{config_.batch(), by_product ? config_.block_in() : config_.block_out()};
  }
  static graph::GivenAttributes attributes(const Tiles& tiles) {
    return {{"batch", tiles.batch}, {"block", tiles.block}};
  }
  static TensorType packed(const TensorType& type, const Tiles& tiles) {
    const ops::Operator& op = ops::find_operator("pack_tiles");
    return ops::infer(op, {{type}, ops::Attributes(op.attributes, attributes(tiles))})[0];
  }

  void call(uint32_t n, const Built& built, Rewrite& rewrite) const {
    Graph& to = rewrite.graph();
    const std::string& name = graph_.nodes()[n].name;
    std::vector<Value> arguments;
    for (const Built::Argument& argument : built.arguments) {
      const Value value = rewrite.at(argument.value);
      arguments.push_back(!argument.tiles ? value
                                          : to.call("pack_tiles", {value}, attributes(*argument.tiles),
                                                    graph_.node(argument.value).name + ".tiles"));
    }
    const Value tiles = to.call(built.graph, std::move(arguments), name);
    rewrite.replace(
        n, {to.call("unpack_tiles", {tiles}, {{"shape", graph_.nodes()[n].types[0].shape}}, name + ".unpacked")});
  }

  const Graph graph_;
  const isa::Config& config_;
  const PartitionCost& cost_;
  const std::vector<bool> is_pointwise_;   // by node (find_pointwise())
  std::vector<std::set<uint32_t>> users_;  // by node; UINT32_MAX: whoever takes the graph's outputs
  std::vector<bool> is_taken_;
  std::map<uint32_t, Built> functions_;  // by last node
  std::vector<Placement> placements_;
};

}  // namespace

std::string what_helps(std::string_view binds) {
  if (binds == "GEMM core") return "larger tiles (LOG_BLOCK, LOG_BATCH)";
  if (binds == "ALU") return "more lanes (LOG_BLOCK, LOG_BATCH)";
  return "a wider bus (LOG_BUS_WIDTH)";
}

Partitioned partition_for_vta(const Graph& graph, const isa::Config& config, const PartitionCost& cost) {
  return Partitioner(unstack_products(fold_kernels(graph, config), config), config, cost).run();
}

}  // namespace vantage::network
