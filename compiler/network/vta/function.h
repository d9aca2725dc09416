// What the functions of a graph that run on a VTA look like, and reading them.
//
//   graph conv1(%p0: int8[1, 1, 8, 8, 1, 16], %p1: int8[8, 3, 3, 3], ...) on vta {
//     %x = unpack_tiles(%p0, shape=[1, 3, 8, 8])
//     ...
//     %packed = pack_tiles(%cast, batch=1, block=16)
//     return %packed
//   }
//
// Activations come and go as tiles; weights and other constants are parameters as they are in the graph.
//
// Thread safety: values and functions without state.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/ranges.h"
#include "hw/isa/config.h"

namespace vantage::network {

inline constexpr std::string_view kVta = "vta";

// A function and what is known of its inputs.
struct BoundFunction {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<std::shared_ptr<const Tensor>> constants = {};  // null for activations
  std::vector<graph::ElementRange> ranges = {};               // of elements of integers

  void add_input(const graph::Graph& whole, graph::Value value);
};

// Looks at a function's values, one behind the other.
class FunctionReader {
 public:
  explicit FunctionReader(const BoundFunction& function) : function_(function), graph_(*function.graph) {}

  const graph::Node& node(graph::Value value) const { return graph_.node(value); }
  const TensorType& type(graph::Value value) const { return graph_.type(value); }
  bool is(graph::Value value, std::string_view op) const;
  // A constant's elements; null for what is none.
  std::shared_ptr<const Tensor> constant(graph::Value value) const;
  // The one number that all elements of an integer constant are.
  std::optional<int64_t> number(graph::Value value) const;
  // Which input of the function is unpacked here. Throws Error when it is no activation in tiles of the core's.
  size_t unpacked_input(graph::Value value, int64_t batch, int64_t block) const;
  // What the function gives, before it is packed. Throws Error when it is not one packed value.
  graph::Value result(const isa::Config& config) const;

 private:
  const BoundFunction& function_;
  const graph::Graph& graph_;
};

}  // namespace vantage::network
