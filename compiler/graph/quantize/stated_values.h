// Values of a network that states its quantization, as int8 in the one that is made: what else than int8 a file has,
// uint8, is moved by 128, with its zero point.
//
// Thread safety: none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/rewrite.h"

namespace vantage::graph {

// float value = scale * (integer - zero)
struct Int8 {
  Value value = {};  // of the new graph, int8
  double scale = 1;
  int64_t zero = 0;
};

class StatedValues {
 public:
  explicit StatedValues(const Graph& graph) : graph_(graph), rewrite_(graph), is_there_(graph.nodes().size()) {}

  Graph& to() { return rewrite_.graph(); }

  // The node as it is.
  void copy(uint32_t node);
  // An output of int8 or uint8 is this int8 value, which stands for it less 128 where it is uint8.
  void set(uint32_t node, Value value);
  // What int8 stands for an integer of 8 bits; none where nobody has made that.
  std::optional<Value> carrier(Value before);

  // Of a float, or an int32 less a zero point, the integers that it is made of alone, by what moves and picks them.
  std::optional<Int8> find(Value before) const;
  // Looks at what a node does to such integers, and does it.
  void follow(uint32_t node);

  // The greatest pixels of windows, whose borders are less than all.
  Value max_pool(const Node& node, Value images, const std::string& name);
  // Images with a border of this number, which the attributes of a node ask for.
  Value padded(const Node& node, Value images, int64_t with, const std::string& name);

  // What a value of the old graph is in the new one. REQUIRES: its node was copied or set.
  Value at(Value before) const { return rewrite_.at(before); }

  Graph finish() && { return std::move(rewrite_).finish(); }

 private:
  std::optional<Int8> made(const Node& node);

  const Graph& graph_;
  Rewrite rewrite_;
  std::vector<bool> is_there_;          // by node of the old graph, whether it is one of the new one
  std::map<uint32_t, Value> carriers_;  // by node of the old graph
  std::map<Value, Int8> found_;
};

// A node's attributes but for its padding, of which it has none.
GivenAttributes without_padding(const Node& node);

}  // namespace vantage::graph
