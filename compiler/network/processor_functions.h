// The processor's part of a network: functions, each once however often it is called.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/backend/cpu/target.h"
#include "compiler/graph/graph.h"
#include "compiler/ir/prim_func.h"

namespace vantage::network {

// Thread safety: none.
class ProcessorFunctions {
 public:
  ProcessorFunctions(const cpu::Target& target, int threads) : target_(target), threads_(threads) {}

  // The number of the function for this graph (compiler/graph/lower.h). Its name is the graph's, with a number where
  // another one has that already.
  size_t add(const graph::Graph& function);

  const std::vector<ir::PrimFunc>& functions() const { return functions_; }

 private:
  const cpu::Target& target_;
  int threads_;
  std::vector<ir::PrimFunc> functions_;
  std::map<std::string, size_t> numbers_;  // by the text of the graph
};

}  // namespace vantage::network
