#include "compiler/network/processor_functions.h"

#include <algorithm>

#include "compiler/graph/lower.h"
#include "compiler/graph/text.h"
#include "compiler/ir/in_place.h"
#include "compiler/ops/cpu/default_schedule.h"

namespace vantage::network {

namespace {

// What the text of a graph is without the names of it and its values.
std::string anonymous(const graph::Graph& function) {
  graph::Graph same("f");
  for (const graph::Node& node : function.nodes()) {
    switch (node.kind) {
      case graph::Node::Kind::kInput: same.input("v", node.types[0]); break;
      case graph::Node::Kind::kConstant: same.constant(node.constant, "v"); break;
      case graph::Node::Kind::kCall: same.call(*node.op, node.inputs, node.attributes, "v"); break;
      case graph::Node::Kind::kFunction: same.call(node.function, node.inputs, "v"); break;
    }
  }
  same.set_outputs(function.outputs());
  return to_text(same);
}

}  // namespace

size_t ProcessorFunctions::add(const graph::Graph& function) {
  const auto [entry, is_new] = numbers_.emplace(anonymous(function), functions_.size());
  if (!is_new) return entry->second;
  ir::PrimFunc defined = graph::to_prim_func(function);
  std::string name = function.name();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '/' || c == '-'; }, '_');
  const auto is_taken = [&](const std::string& text) {
    return std::any_of(functions_.begin(), functions_.end(), [&](const auto& f) { return f.name == text; });
  };
  defined.name = name;
  for (int number = 1; is_taken(defined.name); ++number) defined.name = name + "_" + std::to_string(number);
  if (in_place_) ir::note_in_place(defined);
  functions_.push_back(std::move(defined));
  return entry->second;
}

std::vector<ir::PrimFunc> schedule_functions(const std::vector<ir::PrimFunc>& functions, const cpu::Target& target,
                                             int threads) {
  std::vector<ir::PrimFunc> scheduled;
  for (const ir::PrimFunc& function : functions) {
    scheduled.push_back(ops::schedule_by_default(function, target, threads).function());
  }
  return scheduled;
}

}  // namespace vantage::network
