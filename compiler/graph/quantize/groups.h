// Which operators of a network of floats become one computation of integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/graph/quantize/quantize.h"

namespace vantage::graph {

// A convolution or dense layer of constant weights, and what is computed with it: members in order, each the only user
// of the one before.
struct Group {
  std::vector<uint32_t> members;
  std::optional<Value> addend = {};        // a residual
  double min = -HUGE_VAL, max = HUGE_VAL;  // of the output

  // Whether outputs may be scaled, each by what it likes: a ReLU keeps their shares, other limits do not.
  bool is_scalable() const { return !addend && max == HUGE_VAL && (min == -HUGE_VAL || min == 0); }
};

// For what values of the float network integers are needed.
class IntegerUsers {
 public:
  IntegerUsers(const Graph& graph, const QuantizeOptions& options);
  // Whether what multiplies or pools integers takes what the node makes, as it is or moved, limited or added.
  bool feeds(uint32_t node) const { return feeds_.at(node); }

 private:
  std::vector<bool> feeds_;
};

// Whether it multiplies or pools values that are known only when the network runs, and can do that to integers.
bool makes_integers(const Node& node);

// All there are, by their last member. An addition of two of them joins the deeper one, which has the more time for it;
// but not where only floats are made of the sum, which are more exact without. Without `joins_additions` every addition
// is one of its own.
std::map<uint32_t, Group> groups_of(const Graph& graph, const QuantizeOptions& options);

}  // namespace vantage::graph
