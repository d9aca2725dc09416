// Operators that read one of their operands in another layout: calls become calls of others, and what they read is laid
// out anew, once for all calls that want it so.
//
// Thread safety: functions without state.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/lower.h"
#include "compiler/graph/rewrite.h"

namespace vantage::network {

// What becomes of one call of a function.
struct OperandLayout {
  uint32_t call = 0;     // of the function's nodes
  uint32_t operand = 0;  // the function's input that is laid out anew; nothing else in it reads that
  TensorType type;       // of that input from then on
  std::string key;       // operands laid out under the same one are laid out alike
  // The operand in the network that is being made; `operand` is of the one before.
  std::function<graph::Value(graph::Rewrite& rewrite, graph::Value operand)> lay_out;
  // What replaces the call, on inputs of the function that is being made.
  std::function<graph::Value(graph::Graph& to, const graph::Node& call, const std::vector<graph::Value>& inputs)>
      make_call;
};

// Of a function that a node of the network is, or of a node that anchors one; nothing: it stays as it is.
using FindLayout = std::function<std::optional<OperandLayout>(const graph::NodeFunction& function)>;

// The network with all that `find` finds. Constants that nothing reads as they were are gone.
graph::Graph lay_operands_out(const graph::Graph& graph, const FindLayout& find);

}  // namespace vantage::network
