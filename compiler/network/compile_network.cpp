#include "compiler/network/compile_network.h"

#include <map>

#include "base/error.h"
#include "compiler/graph/lower.h"
#include "compiler/graph/memory_plan.h"
#include "compiler/network/processor_functions.h"

namespace vantage::network {

using graph::Graph;
using graph::Node;
using graph::Value;

namespace {

class Compiler {
 public:
  Compiler(const Graph& graph, const CompileOptions& options)
      : graph_(graph), functions_(options.target, options.threads) {
    network_.name = graph.name();
  }

  CompiledNetwork run() && {
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      try {
        compile(n);
      } catch (const Error& error) {
        fail("{}: {}", graph_.nodes()[n].name, error.what());
      }
    }
    for (const Value& output : graph_.outputs()) network_.outputs.push_back(tensor(output, Place::kHost));
    for (const ir::PrimFunc& function : functions_.functions()) network_.functions.push_back(function.name);
    plan();
    check_network(network_, network_.name);
    return {std::move(network_), functions_.functions()};
  }

 private:
  void compile(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    switch (node.kind) {
      case Node::Kind::kInput: network_.inputs.push_back(add_tensor({n, 0}, Place::kHost)); break;
      case Node::Kind::kConstant: {
        const size_t index = add_tensor({n, 0}, Place::kHost);
        network_.tensors[index].constant = node.constant;
        break;
      }
      case Node::Kind::kCall:
        if (node.op->name == "reshape") {
          // The same bytes under another type.
          const size_t from = tensor(node.inputs[0], Place::kHost), to = add_tensor({n, 0}, Place::kHost);
          view_of_[to] = from;
          if (network_.tensors[from].constant) {
            network_.tensors[to].constant = std::make_shared<const Tensor>(
                network_.tensors[from].constant->reshaped(network_.tensors[to].type.shape));
          }
          break;
        }
        [[fallthrough]];
      case Node::Kind::kFunction: call_processor(n); break;
    }
  }

  void call_processor(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const graph::NodeFunction function = graph::function_of(graph_, n);
    NetworkStep step{NetworkStep::Kind::kFunction, node.name, functions_.add(*function.graph), {}};
    for (const Value& argument : function.arguments) step.operands.push_back(tensor(argument, Place::kHost));
    for (uint32_t i = 0; i < node.types.size(); ++i) step.operands.push_back(add_tensor({n, i}, Place::kHost));
    network_.steps.push_back(std::move(step));
  }

  size_t add_tensor(Value value, Place place) {
    const Node& node = graph_.node(value);
    NetworkTensor tensor;
    tensor.name = node.types.size() == 1 ? node.name : fmt::format("{}:{}", node.name, value.output);
    tensor.type = graph_.type(value);
    tensor.place = place;
    tensor.bytes = tensor.type.bytes();
    network_.tensors.push_back(std::move(tensor));
    return tensors_[{value, place}] = network_.tensors.size() - 1;
  }

  // The tensor of a value that is there already.
  size_t tensor(Value value, Place place) const { return tensors_.at({value, place}); }

  // Inputs and outputs stay from the first step to the last, so that a network may run again with what it has.
  void plan() {
    std::vector<size_t> planned;  // tensors of the host
    std::vector<size_t> lifetime_of(network_.tensors.size(), SIZE_MAX);
    std::vector<graph::Lifetime> lifetimes;
    const auto root = [&](size_t tensor) {
      for (auto view = view_of_.find(tensor); view != view_of_.end(); view = view_of_.find(tensor)) tensor = view->second;
      return tensor;
    };
    const auto use = [&](size_t tensor, size_t step) {
      tensor = root(tensor);
      if (network_.tensors[tensor].constant) return;
      if (lifetime_of[tensor] == SIZE_MAX) {
        lifetime_of[tensor] = lifetimes.size();
        lifetimes.push_back({network_.tensors[tensor].bytes, step, step});
      }
      lifetimes[lifetime_of[tensor]].last = step;
    };
    for (const size_t input : network_.inputs) use(input, 0);
    for (size_t i = 0; i < network_.steps.size(); ++i) {
      for (const size_t operand : network_.steps[i].operands) use(operand, i);
    }
    for (const size_t tensor : network_.outputs) use(tensor, network_.steps.size());
    for (const size_t tensor : network_.inputs) use(tensor, network_.steps.size());
    const graph::MemoryPlan plan = graph::plan_memory(lifetimes);
    network_.host_slots = plan.slot_bytes;
    for (size_t i = 0; i < network_.tensors.size(); ++i) {
      const size_t lifetime = lifetime_of[root(i)];
      if (lifetime != SIZE_MAX) network_.tensors[i].slot = plan.slots[lifetime];
    }
  }

  const Graph& graph_;
  Network network_;
  ProcessorFunctions functions_;
  std::map<std::pair<Value, Place>, size_t> tensors_;
  std::map<size_t, size_t> view_of_;  // tensors that are another one's bytes
};

}  // namespace

CompiledNetwork compile_network(const Graph& graph, const CompileOptions& options) {
  return Compiler(graph, options).run();
}

}  // namespace vantage::network
