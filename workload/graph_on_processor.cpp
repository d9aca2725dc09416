#include "workload/graph_on_processor.h"

#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/rewrite.h"
#include "compiler/network/compile_network.h"
#include "driver/runtime/executor.h"
#include "workload/processor_code.h"

namespace vantage::workload {

namespace {

// What the accelerator's functions compute in their place, so that all else is computed together as it was.
graph::Graph without_accelerator(const graph::Graph& graph) {
  graph::Rewrite rewrite(graph);
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const graph::Node& node = graph.nodes()[n];
    if (node.function == nullptr || node.function->device().empty()) {
      rewrite.copy(n);
      continue;
    }
    const graph::Graph body = graph::fuse_operators(*node.function);
    std::vector<std::vector<graph::Value>> made(body.nodes().size());
    const std::vector<graph::Value> arguments = rewrite.at(node.inputs);
    size_t inputs = 0;
    const auto values = [&](const std::vector<graph::Value>& of) {
      std::vector<graph::Value> result;
      for (const graph::Value& value : of) result.push_back(made[value.node][value.output]);
      return result;
    };
    for (uint32_t m = 0; m < body.nodes().size(); ++m) {
      const graph::Node& inner = body.nodes()[m];
      graph::Value first;
      switch (inner.kind) {
        case graph::Node::Kind::kInput: first = arguments[inputs++]; break;
        case graph::Node::Kind::kConstant: first = rewrite.graph().constant(inner.constant, inner.name); break;
        case graph::Node::Kind::kCall:
          first = rewrite.graph().call(*inner.op, values(inner.inputs), inner.attributes, inner.name);
          break;
        case graph::Node::Kind::kFunction:
          first = rewrite.graph().call(inner.function, values(inner.inputs), inner.name);
          break;
      }
      if (inner.kind == graph::Node::Kind::kInput) {
        made[m] = {first};
        continue;
      }
      for (uint32_t i = 0; i < inner.types.size(); ++i) made[m].push_back({first.node, i});
    }
    rewrite.replace(n, values(body.outputs()));
  }
  return std::move(rewrite).finish();
}

}  // namespace

std::vector<Tensor> run_on_processor(const graph::Graph& graph, const graph::Inputs& inputs) {
  const auto processor = driver::Processor::open("cpu:");
  network::CompiledNetwork compiled =
      network::compile_network(graph::fuse_operators(without_accelerator(graph)), {.threads = processor->threads()});
  driver::NetworkExecutor executor(std::make_shared<const Network>(std::move(compiled.network)),
                                   processor_code(compiled.functions), *processor, nullptr);
  for (const auto& [name, value] : inputs) executor.set_input(name, value);
  executor.run();
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < executor.network().outputs.size(); ++i) outputs.push_back(executor.output(i));
  return outputs;
}

}  // namespace vantage::workload
