#include "compiler/network/compile_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/math.h"
#include "base/parallel.h"
#include "compiler/graph/lower.h"
#include "compiler/network/pack_products.h"
#include "compiler/network/pixel_convolutions.h"
#include "compiler/network/place_tensors.h"
#include "compiler/network/processor_functions.h"

namespace vantage::network {

using graph::Graph;
using graph::Node;
using graph::Value;

namespace {

class Compiler {
 public:
  Compiler(Graph graph, const CompileOptions& options)
      : graph_(std::move(graph)), options_(options), functions_(!options.is_for_gpu) {
    network_.name = graph_.name();
    network_.config = options.config;
    if (options.config) network_.memory = options.memory.name;
  }

  CompiledNetwork run() && {
    compile_programs();
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) named(n, [&] { compile(n); });
    for (const Value& output : graph_.outputs()) network_.outputs.push_back(in_place(output, Place::kHost));
    network_.output_names = graph_.output_names();
    for (const ir::PrimFunc& function : functions_.functions()) network_.functions.push_back(function.name);
    place_tensors(network_, functions_.functions(), view_of_);
    check_network(network_, network_.name);
    CompiledNetwork result{std::move(graph_), std::move(network_), functions_.functions(), {}};
    if (!options_.is_for_gpu) {
      result.functions = schedule_functions(result.definitions, options_.target, options_.threads);
    }
    return result;
  }

 private:
  void compile(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    switch (node.kind) {
      case Node::Kind::kInput: network_.inputs.push_back(add_tensor({n, 0}, Place::kHost)); break;
      case Node::Kind::kConstant: break;  // there when somebody needs it
      case Node::Kind::kCall:
        if (node.is_call("reshape")) {
          // The same bytes under another type.
          const size_t from = in_place(node.inputs[0], Place::kHost), to = add_tensor({n, 0}, Place::kHost);
          view_of_[to] = from;
          if (network_.tensors[from].constant) {
            network_.tensors[to].constant = std::make_shared<const Tensor>(
                network_.tensors[from].constant->reshaped(network_.tensors[to].type.shape));
          }
          break;
        }
        [[fallthrough]];
      case Node::Kind::kFunction: {
        const std::string& device = node.function == nullptr ? "" : node.function->device();
        if (device.empty()) {
          call_processor(n);
        } else if (device == kVta) {
          call_vta(n);
        } else {
          fail("there is no device {}; expected vta, or none for the processor", device);
        }
        break;
      }
    }
  }

  void call_processor(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const graph::NodeFunction function = graph::function_of(graph_, n);
    NetworkStep step{NetworkStep::Kind::kFunction, node.name, functions_.add(*function.graph), {}};
    for (const Value& argument : function.arguments) step.operands.push_back(in_place(argument, Place::kHost));
    for (uint32_t i = 0; i < node.types.size(); ++i) step.operands.push_back(add_tensor({n, i}, Place::kHost));
    network_.steps.push_back(std::move(step));
  }

  // All functions on the VTA are read; those that differ are compiled, several at a time.
  void compile_programs() {
    std::vector<uint32_t> first;  // node of each program
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      if (node.function == nullptr || node.function->device() != kVta) continue;
      named(n, [&] {
        if (!options_.config) fail("it is for a VTA, but no configuration is given");
        BoundFunction function{node.function};
        for (const Value& input : node.inputs) function.add_input(graph_, input);
        layers_.emplace(n, read_layer(function, *options_.config));
      });
      if (programs_.emplace(ops::key(layers_.at(n).task), first.size()).second) first.push_back(n);
    }
    std::vector<std::optional<ops::VtaProgram>> compiled(first.size());
    in_parallel(first.size(), static_cast<size_t>(std::max(options_.threads, 1)), [&](size_t i) {
      named(first[i], [&] {
        compiled[i] =
            ops::compile_task(layers_.at(first[i]).task, *options_.config, options_.memory, options_.find_mapping);
      });
    });
    for (size_t i = 0; i < first.size(); ++i) {
      const VtaLayer& layer = layers_.at(first[i]);
      network_.estimates.push_back({graph_.nodes()[first[i]].function->name(), compiled[i]->cycles, compiled[i]->bound,
                                    compiled[i]->binds, compiled[i]->program.moved().count(), layer.useful,
                                    layer.padded});
      network_.programs.push_back(std::move(compiled[i]->program));
    }
  }

  // Errors get the node's name.
  template <typename Step>
  void named(uint32_t n, const Step& step) const {
    try {
      step();
    } catch (const Error& error) {
      fail("{}: {}", graph_.nodes()[n].name, error.what());
    }
  }

  void call_vta(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    const VtaLayer& layer = layers_.at(n);
    const size_t number = programs_.at(ops::key(layer.task));
    const Program& program = network_.programs[number];
    NetworkStep step{NetworkStep::Kind::kProgram, node.name, number, {}};
    for (const ProgramTensor& tensor : program.tensors) {
      const auto operand = std::find_if(layer.operands.begin(), layer.operands.end(),
                                        [&](const VtaOperand& o) { return o.name == tensor.name; });
      VANTAGE_CHECK(operand != layer.operands.end());
      const uint64_t bytes = program.symbol_size(program.tensor_index(tensor.name)).count();
      switch (operand->kind) {
        case VtaOperand::Kind::kInput: {
          const size_t index = in_place(node.inputs[operand->input], Place::kAccelerator, tensor.memory);
          network_.tensors[index].bytes = std::max(network_.tensors[index].bytes, bytes);
          step.operands.push_back(index);
          break;
        }
        case VtaOperand::Kind::kConstant: {
          auto value = std::make_shared<const Tensor>(operand->value());
          step.operands.push_back(add({accelerator_name(node.name + "." + tensor.name), type_of(*value),
                                       Place::kAccelerator, tensor.memory, bytes, SIZE_MAX, std::move(value)}));
          break;
        }
        case VtaOperand::Kind::kOutput:
          step.operands.push_back(add_tensor({n, 0}, Place::kAccelerator, tensor.memory));
          network_.tensors.back().bytes = bytes;
          break;
      }
    }
    network_.steps.push_back(std::move(step));
  }

  size_t add(NetworkTensor tensor) {
    network_.tensors.push_back(std::move(tensor));
    return network_.tensors.size() - 1;
  }
  size_t add_tensor(Value value, Place place, std::optional<isa::Memory> memory = {}) {
    const TensorType& type = graph_.type(value);
    const std::string name = tensor_name(graph_, value);
    const bool on_host = place == Place::kHost;
    const uint64_t bytes =
        on_host
            ? type.bytes()
            : ceil_div(static_cast<uint64_t>(type.size()) * static_cast<uint64_t>(options_.config->lane_bits(*memory)),
                       uint64_t{8});
    return tensors_[{value, place}] =
               add({on_host ? name : accelerator_name(name), type, place, memory, bytes, SIZE_MAX, nullptr});
  }

  // The tensor of a value in this place, copied there from the other one if need be.
  size_t in_place(Value value, Place place, std::optional<isa::Memory> memory = {}) {
    const auto known = tensors_.find({value, place});
    if (known != tensors_.end()) return known->second;
    const bool up = place == Place::kAccelerator;
    if (!up && graph_.node(value).constant != nullptr) {
      const size_t constant = add_tensor(value, place);
      network_.tensors[constant].constant = graph_.node(value).constant;
      return constant;
    }
    const size_t from = tensors_.at({value, up ? Place::kHost : Place::kAccelerator});
    const size_t to = add_tensor(value, place, memory);
    network_.steps.push_back({up ? NetworkStep::Kind::kUpload : NetworkStep::Kind::kDownload,
                              tensor_name(graph_, value) + (up ? ".upload" : ".download"),
                              0,
                              {from, to}});
    return to;
  }

  Graph graph_;
  const CompileOptions& options_;
  Network network_;
  std::map<uint32_t, VtaLayer> layers_;     // by node
  std::map<std::string, size_t> programs_;  // by the tasks' keys
  ProcessorFunctions functions_;
  std::map<std::pair<Value, Place>, size_t> tensors_;
  std::map<size_t, size_t> view_of_;  // tensors that are another one's bytes
};

}  // namespace

CompiledNetwork compile_network(const Graph& graph, const CompileOptions& options) {
  return Compiler(options.is_for_gpu ? pixel_convolutions(graph) : pack_products(graph, options.target), options).run();
}

std::string tensor_name(const Graph& graph, Value value) {
  const Node& node = graph.node(value);
  return node.types.size() == 1 ? node.name : fmt::format("{}:{}", node.name, value.output);
}

std::string accelerator_name(const std::string& tensor) {
  return tensor + "@vta";
}

}  // namespace vantage::network
