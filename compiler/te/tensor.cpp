#include "compiler/te/tensor.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::te {

Tensor Tensor::of(const ir::Buffer& buffer) {
  return Tensor(std::dynamic_pointer_cast<const TensorNode>(buffer));
}

Tensor Tensor::named(std::string name) const {
  const Operation& made = operation();
  const size_t outputs = std::max({made.values.size(), made.states.size(), made.outputs.size(),
                                   made.reduction != nullptr ? made.reduction->values.size() : 0});
  if (outputs > 1) fail("{} is one of {} tensors that {} makes; name that", node_->name, outputs, made.name);
  auto renamed = std::make_shared<Operation>(made);
  renamed->name = std::move(name);
  return outputs_of(renamed, {{shape(), dtype()}}).front();
}

std::string Operation::output_name(size_t output, size_t count) const {
  return count == 1 ? name : fmt::format("{}_{}", name, output);
}

Var var(std::string name, DType dtype) {
  if (!ir::is_identifier(name)) fail("'{}' cannot name a variable; use letters, digits and underscores", name);
  return Var(std::move(name), dtype);
}

Tensor placeholder(std::vector<Expr> shape, DType dtype, std::string name) {
  auto operation = std::make_shared<Operation>();
  operation->name = std::move(name);
  return outputs_of(operation, {{std::move(shape), dtype}}).front();
}

std::vector<Tensor> outputs_of(const std::shared_ptr<const Operation>& operation,
                               const std::vector<OutputType>& types) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < types.size(); ++i) {
    TensorNode node;
    node.name = operation->output_name(i, types.size());
    node.dtype = types[i].dtype;
    node.shape = types[i].shape;
    node.operation = operation;
    node.output = i;
    ir::check_buffer(node);
    tensors.emplace_back(std::make_shared<const TensorNode>(std::move(node)));
  }
  return tensors;
}

}  // namespace vantage::te
