#include "compiler/te/tensor.h"

#include "base/error.h"

namespace vantage::te {

Tensor Tensor::of(const ir::Buffer& buffer) {
  return Tensor(std::dynamic_pointer_cast<const TensorNode>(buffer));
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
    node.name = types.size() == 1 ? operation->name : fmt::format("{}_{}", operation->name, i);
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
