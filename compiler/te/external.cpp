#include "compiler/te/external.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/call_extern.h"
#include "compiler/ir/regions.h"
#include "compiler/ir/visitor.h"

namespace vantage::te {

namespace {

bool contains(const Buffers& buffers, const ir::Buffer& wanted) {
  return std::find(buffers.begin(), buffers.end(), wanted) != buffers.end();
}

Buffers allocated_in(const ir::Stmt& stmt) {
  struct Search final : ir::Visitor {
    using Visitor::visit;
    Buffers found;
    void visit_allocate(const ir::Allocate& node) override {
      found.push_back(node.buffer);
      Visitor::visit_allocate(node);
    }
  } search;
  search.visit(stmt);
  return search.found;
}

void check_body(const std::string& name, const ir::Stmt& body, const Buffers& inputs, const Buffers& outputs) {
  if (!body) fail("the external {} has no statements; let its body return some", name);
  ir::Block block;
  block.body = body;
  const ir::BufferUse use = ir::block_buffers(block);
  const Buffers own = allocated_in(body);
  for (const Buffers* list : {&use.reads, &use.writes}) {
    for (const ir::Buffer& buffer : *list) {
      if (contains(inputs, buffer) || contains(outputs, buffer) || contains(own, buffer)) continue;
      fail("the external {} touches {}, which is neither an input nor an output of it; add it to the inputs", name,
           buffer->name);
    }
  }
  for (const ir::Buffer& buffer : use.writes) {
    if (contains(inputs, buffer)) fail("the external {} writes its input {}; make it an output", name, buffer->name);
  }
  for (const ir::Buffer& buffer : outputs) {
    if (!contains(use.writes, buffer)) fail("the external {} does not write its output {}", name, buffer->name);
  }
}

ExternalBody call_of(std::string function) {
  return [function = std::move(function)](const Buffers& inputs, const Buffers& outputs) {
    std::vector<Expr> arguments;
    for (const ir::Buffer& buffer : inputs) arguments.push_back(ir::reads(buffer));
    for (const ir::Buffer& buffer : outputs) arguments.push_back(ir::writes(buffer));
    return ir::call_extern(function, std::move(arguments));
  };
}

}  // namespace

std::vector<Tensor> external(const std::vector<OutputType>& outputs, const std::vector<Tensor>& inputs,
                             const ExternalBody& body, std::string name) {
  if (outputs.empty()) fail("the external {} makes nothing; give it an output", name);
  Buffers input_buffers;
  for (const Tensor& input : inputs) {
    if (!input.defined()) fail("an input of the external {} is no tensor", name);
    if (contains(input_buffers, input.buffer())) fail("the external {} has the input {} twice", name, input.name());
    input_buffers.push_back(input.buffer());
  }
  auto operation = std::make_shared<Operation>();
  operation->kind = Operation::Kind::kExternal;
  operation->name = std::move(name);
  operation->inputs = inputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    operation->outputs.push_back(
        ir::make_buffer(operation->output_name(i, outputs.size()), outputs[i].shape, outputs[i].dtype));
  }
  operation->body = body(input_buffers, operation->outputs);
  check_body(operation->name, operation->body, input_buffers, operation->outputs);
  return outputs_of(operation, outputs);
}

Tensor external(std::vector<Expr> shape, DType dtype, const std::vector<Tensor>& inputs, const ExternalBody& body,
                std::string name) {
  return external({{std::move(shape), dtype}}, inputs, body, std::move(name)).front();
}

std::vector<Tensor> external(const std::vector<OutputType>& outputs, const std::vector<Tensor>& inputs,
                             std::string function, std::string name) {
  return external(outputs, inputs, call_of(std::move(function)), std::move(name));
}

Tensor external(std::vector<Expr> shape, DType dtype, const std::vector<Tensor>& inputs, std::string function,
                std::string name) {
  return external({{std::move(shape), dtype}}, inputs, call_of(std::move(function)), std::move(name)).front();
}

}  // namespace vantage::te
