// Tensors of the expression language: what a computation reads and makes.
//
//   Var n = var("n");
//   Tensor a = placeholder({n, 128}, ir::kFloat32, "A");
//   Expr e = a(i, j) * 2.0f;
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/buffer.h"
#include "compiler/te/reduction.h"

namespace vantage::te {

using ir::DType;
using ir::Expr;
using ir::Var;

class Tensor;

// How tensors come about. One operation makes one or more tensors, of one shape unless it is external.
struct Operation {
  enum class Kind : uint8_t { kPlaceholder, kCompute, kScan, kExternal };
  Kind kind = Kind::kPlaceholder;
  std::string name;

  // kCompute: the value at `axes`, one per output; or a reduction.
  std::vector<Var> axes;
  std::vector<Expr> values;
  std::shared_ptr<const Reduction> reduction;

  // kScan: one of each per output. `states` are placeholders that stand for the output inside the updates.
  std::vector<Tensor> inits, updates, states;

  // kExternal: statements on the buffers of the inputs, and on buffers that stand for the outputs.
  std::vector<Tensor> inputs;
  std::vector<ir::Buffer> outputs;
  ir::Stmt body;

  // Of one of so many outputs: the operation's own, or name_0, name_1, ...
  std::string output_name(size_t output, size_t count) const;
};

struct TensorNode final : ir::BufferNode {
  std::shared_ptr<const Operation> operation;
  size_t output = 0;  // of the operation's
};

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(std::shared_ptr<const TensorNode> node) : node_(std::move(node)) {}
  // The tensor behind a buffer; null (not defined) for a buffer that te did not make.
  static Tensor of(const ir::Buffer& buffer);

  bool defined() const { return node_ != nullptr; }
  const std::string& name() const { return node_->name; }
  DType dtype() const { return node_->dtype; }
  const std::vector<Expr>& shape() const { return node_->shape; }
  size_t rank() const { return node_->rank(); }
  const Operation& operation() const { return *node_->operation; }
  size_t output() const { return node_->output; }
  ir::Buffer buffer() const { return node_; }

  // The same computation under another name; what uses this tensor goes on using this one. Throws Error for a name that
  // is no identifier, and for one of several outputs.
  Tensor named(std::string name) const;

  // One element. Throws Error for a wrong number of indices or one that is no integer.
  template <typename... Indices>
  Expr operator()(const Indices&... indices) const {
    return at({Expr(indices)...});
  }
  Expr at(std::vector<Expr> indices) const { return ir::load(node_, std::move(indices)); }

 private:
  std::shared_ptr<const TensorNode> node_;
};

// A scalar of a function, as a size or in computations.
Var var(std::string name, DType dtype = ir::kIndex);

// An input. Throws Error for a name that is no identifier or a shape with a size below 1.
Tensor placeholder(std::vector<Expr> shape, DType dtype, std::string name);

// The outputs of an operation; for the front end's own use.
struct OutputType {
  std::vector<Expr> shape;
  DType dtype;
};
std::vector<Tensor> outputs_of(const std::shared_ptr<const Operation>& operation, const std::vector<OutputType>& types);

}  // namespace vantage::te
