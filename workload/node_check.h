// Every step of a compiled network against the plain loops of the node that it is for.
//
// Thread safety: as the executor's.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "compiler/graph/graph.h"
#include "driver/runtime/executor.h"

namespace vantage::workload {

class NodeCheck {
 public:
  // `graph` is that of the compiled network (compiler/network/compile_network.h) which the executor runs; both must
  // outlive this.
  NodeCheck(const graph::Graph& graph, const driver::NetworkExecutor& executor);

  // To be called right behind every step, in order: what is wrong with it, naming the node; nothing where it made what
  // its node makes of the values that earlier steps had made, wherever those lie. Integers must be equal, floats nearly
  // so, since their sums may be added in another order, which is all that is left of sums that cancel; of what a
  // processor's function rounds behind such sums one in a hundred may be a step off.
  std::optional<std::string> operator()(size_t step);

 private:
  std::optional<std::string> check_node(const NetworkStep& step, uint32_t node) const;
  Tensor given(size_t tensor) const;

  const graph::Graph& graph_;
  const driver::NetworkExecutor& executor_;
  std::map<std::string, uint32_t, std::less<>> nodes_;  // by name
  // What steps wrote, by where: a later one may have written over it.
  std::map<std::pair<Place, size_t>, Tensor> made_;
};

}  // namespace vantage::workload
