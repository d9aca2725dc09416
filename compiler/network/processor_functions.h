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
  // `in_place`: functions are noted for what they may write over (compiler/ir/in_place.h).
  explicit ProcessorFunctions(bool in_place = true) : in_place_(in_place) {}

  // The number of the function for this graph (compiler/graph/lower.h). Its name is the graph's, with a number where
  // another one has that already.
  size_t add(const graph::Graph& function);

  // As they are defined, without a schedule.
  const std::vector<ir::PrimFunc>& functions() const { return functions_; }

 private:
  bool in_place_;
  std::vector<ir::PrimFunc> functions_;
  std::map<std::string, size_t> numbers_;  // by the text of the graph
};

// Each with its default schedule for this processor (compiler/ops/cpu/default_schedule.h), loops shared among threads.
std::vector<ir::PrimFunc> schedule_functions(const std::vector<ir::PrimFunc>& functions, const cpu::Target& target,
                                             int threads);

}  // namespace vantage::network
